import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a new file and returns when it is on the disk. Fails if the path exists.
 * If the disk or the source fails, no file is left behind.
 */
export async function writeSynced(
  path: string,
  source: AsyncIterable<Uint8Array> | Uint8Array | string,
  options: { mode?: number } = {},
): Promise<void> {
  const file = await open(path, "wx", options.mode ?? 0o640);
  try {
    await file.writeFile(source);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
}

/** Moves a finished file into place atomically, so that the new name survives a power cut. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns true for a system error with one of these codes, such as "ENOENT". */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

export const isDiskFull = (error: unknown): boolean => hasCode(error, "ENOSPC", "EDQUOT");
