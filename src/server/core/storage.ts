import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { AppError } from "#server/core/errors.ts";
import { publishFile, writeSynced } from "#server/core/synced-file.ts";
import { uploadTexts } from "#shared/files.ts";

/** Where uploaded files live. A file is whole or absent: a half-written one never appears under its key. */
export type FileStorage = {
  /**
   * Stores what the source gives, durably; an error of the source leaves nothing and is thrown on.
   * Throws AppError "unavailable" where the disk is full.
   */
  write(key: string, source: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  /** The file's bytes, or those from `start` to `end` (both included). Throws {@link FileMissingError}. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Bytes. Throws {@link FileMissingError}. */
  size(key: string): Promise<number>;
  exists(key: string): Promise<boolean>;
  /** Gives the file another key, at once. Throws {@link FileMissingError}. */
  move(key: string, newKey: string): Promise<void>;
  /** Removing what isn't there is no error. */
  remove(key: string): Promise<void>;
  /** From now on `remove` only takes note, until the returned function is called: it removes what was noted. */
  holdRemovals(): () => Promise<void>;
  /** Every stored file, or those under a prefix that ends at a slash, e.g. "receipt/". */
  list(prefix?: string): AsyncIterable<{ key: string; modifiedAt: Date }>;
};

export class FileMissingError extends Error {
  constructor(key: string) {
    super(`no stored file ${key}`);
    this.name = "FileMissingError";
  }
}

/** A fresh random key like "receipt/9f86d0…": never made from what a user typed. */
export function newFileKey(kind: string): string {
  return `${kind}/${randomBytes(16).toString("hex")}`;
}

/** Files under `DATA_DIR/files`; makes the folder, and clears what a killed process left half-written. */
export async function createStorage(options: { dataDir: string }): Promise<FileStorage> {
  const root = resolve(options.dataDir, "files");
  const partialFolder = join(root, PARTIAL_FOLDER);
  await mkdir(partialFolder, { recursive: true });
  await removeStalePartials(partialFolder);

  // flydrive's disk driver neither syncs, nor moves atomically (it copies), nor reads ranges: those are ours.
  const disk = new Disk(new FSDriver({ location: root, visibility: "private" }));
  let holds = 0;
  const noted = new Set<string>();

  return {
    async write(key, source) {
      const path = join(root, checkedKey(key));
      const temporary = join(partialFolder, randomBytes(16).toString("hex"));
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeSynced(temporary, source);
        await publishFile(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw isDiskFull(error) ? new AppError("unavailable", uploadTexts.notStored, { cause: error }) : error;
      }
    },
    async read(key, range) {
      // Opened before it is returned, so that a missing file is an error and not a broken answer.
      const file = await ifPresent(key, () => open(join(root, checkedKey(key)), "r"));
      return file.createReadStream({ ...range });
    },
    async size(key) {
      return ifPresent(key, async () => (await stat(join(root, checkedKey(key)))).size);
    },
    async move(key, newKey) {
      const [from, to] = [join(root, checkedKey(key)), join(root, checkedKey(newKey))];
      await mkdir(dirname(to), { recursive: true });
      await ifPresent(key, () => publishFile(from, to));
    },
    exists: (key) => disk.exists(checkedKey(key)),
    async remove(key) {
      const checked = checkedKey(key);
      if (holds > 0) noted.add(checked);
      else await disk.delete(checked);
    },
    holdRemovals() {
      holds += 1;
      return async () => {
        holds -= 1;
        if (holds > 0) return;
        const keys = [...noted];
        noted.clear();
        for (const key of keys) await disk.delete(key);
      };
    },
    async *list(prefix = "") {
      const { objects } = await disk.listAll(prefix === "" ? "/" : checkedKey(prefix.replace(/\/$/, "")), {
        recursive: true,
      });
      for (const entry of objects) {
        if (!entry.isFile || !keyPattern.test(entry.key)) continue;
        // A file may be removed while the list is walked.
        const found = await stat(join(root, entry.key)).catch(() => undefined);
        if (found) yield { key: entry.key, modifiedAt: found.mtime };
      }
    },
  };
}

const PARTIAL_FOLDER = ".partial";
const STALE_AFTER_MS = 24 * 3600 * 1000;

/** Folders and a name of harmless characters, none beginning with a dot: a path that can't climb. */
const keyPattern = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

export const isStorageKey = (key: string): boolean => keyPattern.test(key);

function checkedKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  return key;
}

async function ifPresent<T>(key: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw errnoOf(error) === "ENOENT" ? new FileMissingError(key) : error;
  }
}

/** Other processes may share the folder: only what nobody can still be writing is removed. */
async function removeStalePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
  }
}

function isDiskFull(error: unknown): boolean {
  const code = errnoOf(error);
  return code === "ENOSPC" || code === "EDQUOT";
}

function errnoOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
