import type { FileStorage, FileStore } from "#server/platform/deps.ts";
import type { Env } from "#server/platform/env.ts";
import { checkedKey } from "./storage.ts";

/**
 * Opens the configured S3 bucket, else `DATA_DIR/files`. Each module is loaded only if used, because S3 brings its SDK.
 */
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
