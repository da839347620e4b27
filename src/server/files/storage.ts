import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { Env } from "#server/platform/env.ts";

/** What a disk and S3 offer alike. A file is whole or absent: a half-written one never appears under its key. */
export type FileStore = {
  /**
   * Stores what the source gives, durably; an error of the source leaves nothing and is thrown on.
   * Throws AppError "unavailable" where the disk is full or the S3 server doesn't take it.
   */
  write(key: string, source: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  /** The file's bytes, or those from `start` to `end` (both included). Throws {@link FileMissingError}. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Bytes. Throws {@link FileMissingError}. */
  size(key: string): Promise<number>;
  exists(key: string): Promise<boolean>;
  /** Gives the file another key: at once on a disk; in S3 it has both for a moment. Throws {@link FileMissingError}. */
  move(key: string, newKey: string): Promise<void>;
  /** Removing what isn't there is no error. */
  remove(key: string): Promise<void>;
  /** Every stored file, or those under a prefix that ends at a slash, e.g. "receipt/". */
  list(prefix?: string): AsyncIterable<{ key: string; modifiedAt: Date }>;
};

/** Where uploaded files live. */
export type FileStorage = FileStore & {
  /** From now on `remove` only takes note, until the returned function is called: it removes what was noted. */
  holdRemovals(): () => Promise<void>;
  areRemovalsHeld(): boolean;
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

/** Folders and a name of harmless characters, none beginning with a dot: a path that can't climb. */
const keyPattern = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

export const isStorageKey = (key: string): boolean => keyPattern.test(key);

export function checkedKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  return key;
}

/** In the S3 bucket that is named, else under `DATA_DIR/files`. Each is loaded only where it is used: S3 brings its SDK. */
export async function createStorage(options: Pick<Env, "dataDir"> & Partial<Pick<Env, "s3">>): Promise<FileStorage> {
  if (options.s3) {
    const { createS3Storage } = await import("./s3-storage.ts");
    return withHeldRemovals(await createS3Storage(options.s3, options));
  }
  const { createDiskStorage } = await import("./disk-storage.ts");
  return withHeldRemovals(await createDiskStorage(options));
}

function withHeldRemovals(store: FileStore): FileStorage {
  let holds = 0;
  const noted = new Set<string>();
  return {
    ...store,
    async remove(key) {
      checkedKey(key);
      if (holds > 0) noted.add(key);
      else await store.remove(key);
    },
    areRemovalsHeld: () => holds > 0,
    holdRemovals() {
      holds += 1;
      return async () => {
        holds -= 1;
        if (holds > 0) return;
        const keys = [...noted];
        noted.clear();
        const removed = await Promise.allSettled(keys.map((key) => store.remove(key)));
        const failed = removed.find((result) => result.status === "rejected");
        if (failed) throw failed.reason;
      };
    },
  };
}
