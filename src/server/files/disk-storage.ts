import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { FileStore } from "#server/platform/deps.ts";
import { hasCode, publishFile, writeSynced } from "#server/platform/synced-file.ts";
import { asStorageError, openPartialFolder } from "./partial-files.ts";
import { checkedKey, FileMissingError, isStorageKey } from "./storage.ts";

/** Stores files under `DATA_DIR/files`. Creates the folder, and removes the partial files of a killed process. */
export async function createDiskStorage({ dataDir }: { dataDir: string }): Promise<FileStore> {
  const root = resolve(dataDir, "files");
  const partials = await openPartialFolder(dataDir);

  // flydrive's disk driver doesn't sync, copies instead of renaming, and can't read ranges. Our code does these itself.
  const disk = new Disk(new FSDriver({ location: root, visibility: "private" }));

  return {
    async write(key, source) {
      const path = join(root, checkedKey(key));
      const temporary = partials.newPath();
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeSynced(temporary, source);
        await publishFile(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw asStorageError(error);
      }
    },
    async read(key, range) {
      // The file is opened first, so that a missing one throws instead of breaking the response.
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
    remove: (key) => disk.delete(checkedKey(key)),
    async *list(prefix = "") {
      const { objects } = await disk.listAll(prefix === "" ? "/" : checkedKey(prefix.replace(/\/$/, "")), {
        recursive: true,
      });
      for (const entry of objects) {
        if (!entry.isFile || !isStorageKey(entry.key)) continue;
        // A file may be removed while the list is read.
        const found = await stat(join(root, entry.key)).catch(() => undefined);
        if (found) yield { key: entry.key, modifiedAt: found.mtime };
      }
    },
  };
}

async function ifPresent<T>(key: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw hasCode(error, "ENOENT") ? new FileMissingError(key) : error;
  }
}
