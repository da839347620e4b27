import { createHash, type Hash, randomBytes } from "node:crypto";
import { access, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { DatabaseHandle } from "#server/db/open.ts";
import { FileMissingError } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { secretFileName } from "#server/platform/secret.ts";
import { hasCode, publishFile, writeSynced } from "#server/platform/synced-file.ts";

/**
 * A backup is one tar file: its description (backup.json), the database as a data folder (database.tar.gz), the secret
 * if the installation stores its own, every stored file under its key and, last, all hashes (SHA256SUMS, for `sha256sum
 * -c`).
 * Without the hashes it is incomplete.
 */
export const backupFormat = { product: "gona", format: 1 };
export const entryNames = { about: "backup.json", database: "database.tar.gz", sums: "SHA256SUMS", files: "files/" };

type Backed = { deps: Pick<Deps, "clock" | "env" | "storage">; handle: DatabaseHandle };

/**
 * Writes a backup while the server runs. The database is copied first, then the files. A file is stored before its row
 * and removed after it, and removals are held meanwhile, so every file that the copied database names is there.
 * Nothing appears at the path until the backup is complete. Throws AppError if it can't be written.
 */
export async function writeBackup({ deps, handle }: Backed, path: string): Promise<{ files: number; bytes: number }> {
  if (handle.kind !== "embedded") {
    throw new AppError(
      "conflict",
      "With PostgreSQL, copy the database by pg_dump and the files beside it: see README.md.",
    );
  }
  await refuseExisting(path);
  const temporary = `${path}.${randomBytes(4).toString("hex")}.partial`;
  const releaseRemovals = deps.storage.holdRemovals();
  const archive = pack();
  const filling = fill(archive, { deps, handle }).catch((error: Error) => {
    archive.destroy(error);
    return { files: 0, bytes: 0 };
  });
  try {
    // Only the owner may read it, because it contains the secret and all personal data.
    await writeSynced(temporary, archive as AsyncIterable<Uint8Array>, { mode: 0o600 });
    const written = await filling;
    await refuseExisting(path);
    await publishFile(temporary, path);
    return written;
  } catch (error) {
    archive.destroy();
    await rm(temporary, { force: true });
    throw describeWriteError(error, path);
  } finally {
    await filling;
    await releaseRemovals();
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new AppError("conflict", `${path} exists already: nothing was written.`);
}

const writeFaults = [
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["ENOENT", "its folder doesn't exist"],
  ["EACCES", "this user may not write there"],
  ["EROFS", "the disk is read-only"],
] as const;

function describeWriteError(error: unknown, path: string): unknown {
  const reason = writeFaults.find(([code]) => hasCode(error, code))?.[1];
  return reason ? new AppError("unavailable", `${path} was not written: ${reason}.`, { cause: error }) : error;
}

/** Passes the chunks on and hashes each. */
export async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function fill(
  archive: Pack,
  { deps, handle }: Backed & { handle: { kind: "embedded" } },
): Promise<{ files: number; bytes: number }> {
  const sums: string[] = [];
  let bytes = 0;
  const add = async (entry: { name: string; size: number; mtime: Date }, content: AsyncIterable<Uint8Array>) => {
    const hash = createHash("sha256");
    await pipeline(hashed(content, hash), archive.entry({ ...entry, mode: 0o600 }));
    sums.push(`${hash.digest("hex")}  ${entry.name}\n`);
    bytes += entry.size;
  };
  const now = deps.clock.now();
  const addBytes = (name: string, content: Uint8Array) =>
    add({ name, size: content.length, mtime: now }, Readable.from([content]));

  await addBytes(entryNames.about, Buffer.from(`${JSON.stringify({ ...backupFormat, createdAt: now })}\n`));
  const snapshot = await handle.client.dumpDataDir("gzip");
  await addBytes(entryNames.database, new Uint8Array(await snapshot.arrayBuffer()));
  const secret = await readFile(join(deps.env.dataDir, secretFileName)).catch(() => null);
  if (secret) await addBytes(secretFileName, secret);

  const added = new Set<string>();
  // Two passes, because a receipt may move between the listing and its turn.
  for (const _pass of [1, 2]) {
    for await (const { key, modifiedAt } of deps.storage.list()) {
      if (added.has(key)) continue;
      try {
        const size = await deps.storage.size(key);
        const content = await deps.storage.read(key);
        await add({ name: `${entryNames.files}${key}`, size, mtime: modifiedAt }, content);
        added.add(key);
      } catch (error) {
        if (!(error instanceof FileMissingError)) throw error;
      }
    }
  }
  const list = Buffer.from(sums.join(""));
  await pipeline(Readable.from([list]), archive.entry({ name: entryNames.sums, size: list.length, mtime: now }));
  archive.finalize();
  return { files: added.size, bytes };
}
