import { eq, like, lt, sql } from "drizzle-orm";
import type { Deps } from "#server/core/deps.ts";
import { forEachOnItsOwn } from "#server/core/for-each.ts";
import { folderOfPhoto, storedKeysOf } from "#server/core/pictures.ts";
import { deleteExpiredSessions } from "#server/core/sessions.ts";
import { type Db, inTransaction, rows } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { emailTokens, rateLimits, signInCounters, usedChallenges } from "#server/db/schema/sessions.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

/**
 * The hourly cleaning. A file belongs to a row that refers to it: what nothing refers to an hour after it came is
 * removed. Files without any row are what a crash left during an upload, so only recent ones are taken: older ones are
 * another database's (DATABASE_URL was changed, an older backup was restored), and receipts must outlive a mistake.
 * Then what expired.
 */
export async function keepHouse(deps: Pick<Deps, "clock" | "db" | "log" | "storage">): Promise<void> {
  const { clock, db, log, storage } = deps;
  const now = clock.now();
  const anHourAgo = new Date(now.getTime() - hourMs);
  const twoDaysAgo = new Date(now.getTime() - 48 * hourMs);

  const unused = await rows<{ id: string }>(
    db,
    sql`select id from stored_files f
      where created_at < ${anHourAgo.toISOString()}::timestamptz and ${isUnused} limit 1000`,
  );

  let orphans = 0;
  for await (const { key, modifiedAt } of storage.list()) {
    if (modifiedAt > anHourAgo || modifiedAt < twoDaysAgo) continue;
    if (await hasRow(db, key)) continue;
    await storage.remove(key);
    orphans++;
  }
  if (unused.length + orphans > 0) log.info({ unused: unused.length, orphans }, "removed files that nothing refers to");

  await deleteExpiredSessions(deps);
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now));
  await db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, now));
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, new Date(now.getTime() - weekMs)));
  await db.delete(signInCounters).where(lt(signInCounters.resetsAt, new Date(now.getTime() - hourMs)));
  await forEachOnItsOwn(log, unused, ({ id }) => deleteStoredFile(deps, id));
}

/** Of a row `f` of stored_files: nothing refers to it. */
const isUnused = sql`not exists (select from payment_receipts where file_id = f.id)
  and not exists (select from project_media where file_id = f.id or poster_file_id = f.id)
  and not exists (select from projects where image_file_id = f.id)
  and not exists (select from job_applications where resume_file_id = f.id)`;

/** A photo's row names its largest size, and stands for the smaller ones beside it too. */
async function hasRow(db: Db, key: string): Promise<boolean> {
  const photo = folderOfPhoto(key);
  const isIts = photo ? like(storedFiles.storageKey, `${photo}/%`) : eq(storedFiles.storageKey, key);
  const found = await db.select({ id: storedFiles.id }).from(storedFiles).where(isIts).limit(1);
  return found.length > 0;
}

/**
 * Removes a file, unless a row refers to it. Its own row goes only with the bytes: after a crash in between it is
 * still there, and the next try finds it.
 */
export async function deleteStoredFile({ db, storage }: Pick<Deps, "db" | "storage">, fileId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [row] = await rows<{ storageKey: string }>(
      tx,
      sql`delete from stored_files f where id = ${fileId}::uuid and ${isUnused} returning storage_key as "storageKey"`,
    );
    for (const key of row ? storedKeysOf(row.storageKey) : []) await storage.remove(key);
  });
}
