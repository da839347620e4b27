import { sql } from "drizzle-orm";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { folderOfPhoto, listFilesOf } from "./photo-files.ts";

/** The folder for receipts without a row: kept, but no longer among the files. */
export const asideFolder = "set-aside/";

type Found = { key: string; modifiedAt: Date };

const BATCH = 500;

/** Stored files without a row, last written before the given moment. Set-aside files are left out. */
export async function* findOrphans({ db, storage }: Pick<Deps, "db" | "storage">, before: Date): AsyncGenerator<Found> {
  let batch: Found[] = [];
  for await (const file of storage.list()) {
    if (file.modifiedAt > before || file.key.startsWith(asideFolder)) continue;
    batch.push(file);
    if (batch.length < BATCH) continue;
    yield* await withoutRow(db, batch);
    batch = [];
  }
  yield* await withoutRow(db, batch);
}

async function withoutRow(db: DbOrTx, files: Found[]): Promise<Found[]> {
  const named = await keysWithRow(
    db,
    files.map(({ key }) => key),
  );
  return files.filter(({ key }) => !named.has(key));
}

/** The keys that have a row. A photo's row names its largest file and covers every key in the photo's folder. */
export async function keysWithRow(db: DbOrTx, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const asked = JSON.stringify(keys.map((key) => ({ key, folder: folderOfPhoto(key) ?? null })));
  const found = await rows<{ key: string }>(
    db,
    // "0" is the character after "/": the range covers the folder's keys, and uses an index.
    sql`select asked.key from json_to_recordset(${asked}::text::json) as asked (key text, folder text)
      where exists (select from stored_files f where f.storage_key = asked.key)
        or exists (
          select from stored_files f
          where f.storage_key ~>=~ (asked.folder || '/') and f.storage_key ~<~ (asked.folder || '0'))`,
  );
  return new Set(found.map(({ key }) => key));
}

/** Condition on a row `f` of stored_files: nothing refers to it. */
export const isUnused = sql`not exists (select from payment_receipts where file_id = f.id)
  and not exists (select from project_media where file_id = f.id or poster_file_id = f.id)
  and not exists (select from update_photos where file_id = f.id)
  and not exists (select from release_proofs where file_id = f.id)
  and not exists (select from projects where image_file_id = f.id)
  and not exists (select from job_applications where resume_file_id = f.id)
  and not exists (select from harvest_files where file_id = f.id)
  and not exists (select from farm_past_files where file_id = f.id)
  and not exists (select from payment_evidence where file_id = f.id)
  and not exists (select from papers where file_id = f.id)
  and not exists (select from statements where file_id = f.id)
  and not exists (select from site_profiles where mark_file_id = f.id)
  and not exists (select from testimonials where photo_file_id = f.id)`;

/** Returns true if a row refers to one of the files already. The caller has locked them. */
export async function areReferenced(tx: Tx, fileIds: readonly string[]): Promise<boolean> {
  if (fileIds.length === 0) return false;
  const kept = await rows(tx, sql`select from stored_files f where f.id in ${fileIds} and not (${isUnused}) limit 1`);
  return kept.length > 0;
}

/**
 * Enqueues the removal of files that may be unused now. The job runs after the commit and spares files still in use.
 */
export async function enqueueRemoval(
  tx: Tx,
  { jobs }: Pick<Deps, "jobs">,
  fileIds: readonly (string | null)[],
): Promise<void> {
  for (const fileId of fileIds) if (fileId !== null) await jobs.enqueue(tx, "delete-file", { fileId });
}

/**
 * Removes a file, unless a row refers to it. The file's own row is deleted with the bytes, so that after a crash in
 * between the retry finds it. Throws "unavailable" during a backup, so that the job is retried.
 */
export async function deleteStoredFile({ db, storage }: Pick<Deps, "db" | "storage">, fileId: string): Promise<void> {
  if (storage.areRemovalsHeld()) throw new AppError("unavailable", "Files are removed once the backup is written.");
  await inTransaction(db, async (tx) => {
    const [row] = await rows<{ storageKey: string }>(
      tx,
      sql`delete from stored_files f where id = ${fileId}::uuid and ${isUnused} returning storage_key as "storageKey"`,
    );
    if (row) for await (const key of listFilesOf(storage, row.storageKey)) await storage.remove(key);
  });
}
