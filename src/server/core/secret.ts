import { hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeSynced } from "#server/core/synced-file.ts";
import { hasCode } from "#server/core/system-errors.ts";

/** In the data directory. */
export const secretFileName = "app-secret";

/**
 * The application's secret: APP_SECRET, or 32 random bytes (as hex) made once and kept in the data directory.
 * Processes that start together agree on one: the file is linked into place, and the first link wins.
 */
export async function loadAppSecret(options: { appSecret: string | undefined; dataDir: string }): Promise<string> {
  if (options.appSecret !== undefined) return options.appSecret;
  const path = join(options.dataDir, secretFileName);
  return (await readSecret(path)) ?? (await makeSecret(options.dataDir, path));
}

async function readSecret(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  // A damaged file must not become a weak key: whoever runs the server decides what to do with it.
  if (!/^[0-9a-f]{64}\n?$/.test(text)) throw new Error(`${path} is damaged: remove it to have a new secret made`);
  return text.trim();
}

async function makeSecret(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    await writeSynced(temporary, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  const secret = await readSecret(path);
  if (secret === undefined) throw new Error(`${path} vanished while it was made`);
  return secret;
}

/** A 32-byte key for one purpose, so that a signature made for one thing never fits another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "gona", purpose, 32));
}
