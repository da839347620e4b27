import type { Deps } from "#server/core/deps.ts";

/**
 * Removes an upload that no row will name. One that can't be removed now is swept later: it must not hide what became of
 * the request.
 */
export async function discardUpload({ log, storage }: Pick<Deps, "log" | "storage">, key: string): Promise<void> {
  await storage.remove(key).catch((err: unknown) => log.warn({ err, key }, "an upload was left behind"));
}
