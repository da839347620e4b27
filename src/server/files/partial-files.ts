import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AppError } from "#server/platform/errors.ts";
import { isDiskFull } from "#server/platform/synced-file.ts";
import { uploadTexts } from "#shared/files.ts";

/** Files being received. They lie beside the stored ones, so that a finished one only has to be renamed. */

const STALE_AFTER_MS = 24 * 3600 * 1000;

/** Creates the folder, and removes the leftovers of a killed process. */
export async function openPartialFolder(dataDir: string): Promise<{ newPath(): string }> {
  const folder = resolve(dataDir, "files", ".partial");
  await mkdir(folder, { recursive: true });
  await removeStale(folder);
  return { newPath: () => join(folder, randomBytes(16).toString("hex")) };
}

/** Other processes may share the folder, so only files too old to be in use are removed. */
async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
  }
}

/** Converts a full disk to AppError "unavailable"; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  return isDiskFull(error) ? new AppError("unavailable", uploadTexts.notStored, { cause: error }) : error;
}
