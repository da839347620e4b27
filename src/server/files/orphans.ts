import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import { folderOfPhoto } from "./photo-files.ts";

/** Where receipts that no row names wait: kept, but no longer among the files. */
export const asideFolder = "set-aside/";

type Found = { key: string; modifiedAt: Date };
const BATCH = 500;

/** Stored files last written before the given moment that no row names; without those that were set aside. */
export async function* findStrays({ db, storage }: Pick<Deps, "db" | "storage">, before: Date): AsyncGenerator<Found> {
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

/** A photo's row names its largest size, and stands for the smaller ones beside it too: all keys in its folder. */
export async function keysWithRow(db: DbOrTx, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const asked = JSON.stringify(keys.map((key) => ({ key, folder: folderOfPhoto(key) ?? null })));
  const found = await rows<{ key: string }>(
    db,
    // "0" is the character after "/": the range holds what begins with the folder, and is found by an index.
    sql`select asked.key from json_to_recordset(${asked}::text::json) as asked (key text, folder text)
      where exists (select from stored_files f where f.storage_key = asked.key)
        or exists (
          select from stored_files f
          where f.storage_key ~>=~ (asked.folder || '/') and f.storage_key ~<~ (asked.folder || '0'))`,
  );
  return new Set(found.map(({ key }) => key));
}
