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
 * A backup is one tar file: what it is (backup.json), the database as a data folder (database.tar.gz), the secret where
 * the installation keeps its own, every stored file under its key, and at the end the hashes of all (SHA256SUMS, as
 * `sha256sum -c` reads them), without which it is not whole.
 */
export const backupFormat = { product: "gona", format: 1 };
export const entryNames = { about: "backup.json", database: "database.tar.gz", sums: "SHA256SUMS", files: "files/" };

type Backed = { deps: Pick<Deps, "clock" | "env" | "storage">; handle: DatabaseHandle };

/**
 * Writes a backup while everything goes on. The database is taken first, then the files: a file is stored before its row
 * and removed after it, and removing waits meanwhile, so each file that a row of the copied database names is there.
 * Nothing stands under the path until it is whole. Throws AppError where it can't be written.
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
    // Whoever has the file has the installation: the secret, and what everybody wrote.
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

/** The same chunks, each hashed on its way. */
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
  // Twice: a receipt may change its place between the list and its turn.
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
