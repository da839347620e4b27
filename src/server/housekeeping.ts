import { lt, sql } from "drizzle-orm";
import { deleteExpiredSessions } from "#server/accounts/sessions.ts";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { emailTokens, rateLimits, signInCounters, usedChallenges } from "#server/db/schema/sessions.ts";
import { asideFolder, findStrays, keysWithRow } from "#server/files/orphans.ts";
import { listFilesOf } from "#server/files/photo-files.ts";
import { deleteOldMails } from "#server/mail/outbox.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

type House = Pick<Deps, "clock" | "db" | "log" | "storage">;

/** The hourly cleaning: what expired, then files that belong to nothing, which may be away. */
export async function keepHouse(deps: House): Promise<void> {
  const { clock, db, log } = deps;
  const now = clock.now();
  const anHourAgo = new Date(now.getTime() - hourMs);

  // A receipt is never deleted: one that nothing refers to is a violation that the self-check tells of.
  const unused = await rows<{ id: string }>(
    db,
    sql`select id from stored_files f
      where kind <> 'receipt' and created_at < ${anHourAgo.toISOString()}::timestamptz and ${isUnused} limit 1000`,
  );
  if (unused.length > 0) log.info({ unused: unused.length }, "removing files that nothing refers to");

  await deleteExpiredSessions(deps);
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now));
  await db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, now));
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, new Date(now.getTime() - weekMs)));
  await db.delete(signInCounters).where(lt(signInCounters.resetsAt, anHourAgo));
  await deleteOldMails(deps);
  await sweepStrayFiles(deps);
  await forEachOnItsOwn(log, unused, ({ id }) => deleteStoredFile(deps, id));
}

/**
 * Files that no row names an hour after they came are what a crash left during an upload. Only recent ones are taken:
 * older ones are another database's (DATABASE_URL was changed, an older backup was restored). Receipts must outlive
 * such a mistake in any case: they are set aside, and come back by themselves once a row names them.
 */
export async function sweepStrayFiles(deps: House): Promise<void> {
  const { clock, log, storage } = deps;
  const now = clock.now().getTime();
  const twoDaysAgo = new Date(now - 48 * hourMs);
  let removed = 0;
  for await (const { key, modifiedAt } of findStrays(deps, new Date(now - hourMs))) {
    if (modifiedAt < twoDaysAgo) continue;
    if (key.startsWith("receipt/")) {
      log.warn({ key }, "a receipt that no payment names was set aside");
      await storage.move(key, `${asideFolder}${key}`);
    } else {
      await storage.remove(key);
      removed++;
    }
  }
  if (removed > 0) log.info({ removed }, "removed files that no row names");
  await takeBack(deps);
}

/** What was set aside and has a row now: the database was restored, or is another one again. */
async function takeBack({ db, log, storage }: House): Promise<void> {
  const aside: string[] = [];
  for await (const { key } of storage.list(asideFolder)) aside.push(key.slice(asideFolder.length));
  for (const key of await keysWithRow(db, aside)) {
    if (await storage.exists(key)) continue;
    log.warn({ key }, "a receipt that was set aside has a payment again and is back");
    await storage.move(`${asideFolder}${key}`, key);
  }
}

/** Of a row `f` of stored_files: nothing refers to it. */
const isUnused = sql`not exists (select from payment_receipts where file_id = f.id)
  and not exists (select from project_media where file_id = f.id or poster_file_id = f.id)
  and not exists (select from projects where image_file_id = f.id)
  and not exists (select from job_applications where resume_file_id = f.id)`;

/** Files that may belong to nothing now: a job looks after the commit, and leaves those that something refers to. */
export async function letGoOf(
  tx: Tx,
  { jobs }: Pick<Deps, "jobs">,
  fileIds: readonly (string | null)[],
): Promise<void> {
  for (const fileId of fileIds) if (fileId !== null) await jobs.enqueue(tx, "delete-file", { fileId });
}

/**
 * Removes a file, unless a row refers to it. Its own row goes only with the bytes: after a crash in between it is
 * still there, and the next try finds it. Throws "unavailable" while a backup is written, for a later try.
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
