import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, publishFile, writeSynced } from "./synced-file.ts";

/** A file in the data directory. */
export const secretFileName = "app-secret";
/** The secret of a rotation in progress. It replaces the old one once the database has been changed to it. */
const nextName = `${secretFileName}.next`;
/** The previous secret: if a power cut undoes the database's change, the rotation can run again from it. */
const beforeName = `${secretFileName}.before`;

/** A rotation was interrupted. Only running it again can tell which secret fits. */
export class RotationUnfinishedError extends Error {
  constructor() {
    super("a rotation of the secret was interrupted: run `npm run admin -- rotate-secret` again to finish it");
    this.name = "RotationUnfinishedError";
  }
}

/**
 * The application's secret: APP_SECRET, or 32 random bytes (as hex), generated once and stored in the data directory.
 * Processes that start together agree on one: each links its file into place, and the first link wins.
 * Throws {@link RotationUnfinishedError}, except for the rotation itself.
 */
export async function loadAppSecret(
  options: { appSecret: string | undefined; dataDir: string },
  { isRotating = false } = {},
): Promise<string> {
  if (options.appSecret !== undefined) return options.appSecret;
  if (!isRotating && existsSync(join(options.dataDir, nextName))) throw new RotationUnfinishedError();
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
  // A damaged file must not become a weak key: the operator decides what to do with it.
  if (!/^[0-9a-f]{64}\n?$/.test(text)) throw new Error(`${path} is damaged: remove it to have a new secret made`);
  return text.trim();
}

/**
 * The secret to rotate to, on the disk before anything depends on it. An interrupted rotation's secret is reused
 * (`isNew` false).
 */
export async function prepareNextSecret(dataDir: string): Promise<{ secret: string; isNew: boolean }> {
  const path = join(dataDir, nextName);
  const existing = await readSecret(path);
  return existing === undefined
    ? { secret: await makeSecret(dataDir, path), isNew: true }
    : { secret: existing, isNew: false };
}

/** Call only while nothing depends on the next secret. */
export async function dropNextSecret(dataDir: string): Promise<void> {
  await rm(join(dataDir, nextName), { force: true });
}

/** Makes the next secret the current one, and keeps the previous one beside it. */
export async function adoptNextSecret(dataDir: string): Promise<void> {
  const [path, before] = [join(dataDir, secretFileName), join(dataDir, beforeName)];
  await rm(before, { force: true });
  await link(path, before);
  await publishFile(join(dataDir, nextName), path);
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

/** Derives a 32-byte key for one purpose, so that a signature for one purpose is invalid for another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "gona", purpose, 32));
}

/** A link's token or a cookie's value: the claim, readable, and its signature for one purpose. It never expires by itself. */
export const signClaim = (secret: string, purpose: string, claim: string): string =>
  `${claim}.${createHmac("sha256", deriveKey(secret, purpose)).update(claim).digest("base64url")}`;

/** The claim that {@link signClaim} got for that purpose, or null if the token is missing or not signed by us. */
export function readClaim(secret: string, purpose: string, token = ""): string | null {
  const claim = token.slice(0, Math.max(0, token.lastIndexOf(".")));
  const given = Buffer.from(token);
  const wanted = Buffer.from(signClaim(secret, purpose, claim));
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? claim : null;
}

/** A cookie's value: the content in plain base64, signed for one purpose. */
export const seal = (secret: string, purpose: string, content: object): string =>
  signClaim(secret, purpose, Buffer.from(JSON.stringify(content)).toString("base64url"));

/** The content that {@link seal} got for that purpose, or null if the value is missing or not signed by us. */
export function unseal(secret: string, purpose: string, sealed: string | undefined): unknown {
  const body = readClaim(secret, purpose, sealed);
  return body && JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
}

/** Encryption of stored texts: AES-256-GCM, prefixed with a version so that the algorithm can change. */
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** A stored value can't be decrypted: it is damaged, moved from another row, or encrypted with another APP_SECRET. */
export class DecryptionError extends Error {
  constructor(options?: { cause?: unknown }) {
    super("an encrypted value can't be read: it is damaged, another row's, or of another APP_SECRET", options);
    this.name = "DecryptionError";
  }
}

/** `key` has 32 bytes (deriveKey). `boundTo` names the row, so that the result can't be decrypted as another row's. */
export function encryptText(key: Buffer, boundTo: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${encrypted.toString("base64url")}`;
}

/** Throws {@link DecryptionError}. */
export function decryptText(key: Buffer, boundTo: string, sealed: string): string {
  const [given, body = "", ...rest] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  if (given !== version || rest.length > 0 || bytes.length < ivBytes + tagBytes) throw new DecryptionError();
  const iv = bytes.subarray(0, ivBytes);
  const tag = bytes.subarray(-tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new DecryptionError({ cause });
  }
}
