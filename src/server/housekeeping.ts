import { lt, sql } from "drizzle-orm";
import { deleteExpiredSessions } from "#server/accounts/sessions.ts";
import { rows } from "#server/db/open.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { emailTokens, rateLimits, signInCounters, usedChallenges } from "#server/db/schema/sessions.ts";
import { forgetContacts } from "#server/features/people/users/service.ts";
import { endExpiredRequests } from "#server/features/second-person/service.ts";
import { asideFolder, deleteStoredFile, findOrphans, isUnused, keysWithRow } from "#server/files/orphans.ts";
import { deleteOldMails } from "#server/mail/outbox.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { hourMs } from "#shared/lagos-time.ts";

const weekMs = 7 * 24 * hourMs;
/** A stopped search can be taken back as long. */
const keptStoppedMs = 30 * 24 * hourMs;

type HousekeepingDeps = Pick<Deps, "clock" | "db" | "log" | "storage">;

/** The hourly cleaning: expired rows first, then orphaned files, whose storage may be unreachable. */
export async function cleanUp(deps: HousekeepingDeps): Promise<void> {
  const { clock, db, log } = deps;
  const now = clock.now();
  const anHourAgo = new Date(now.getTime() - hourMs);

  // Receipts are never deleted. The self-check reports an unused one as a violation.
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
  await db.delete(savedSearches).where(lt(savedSearches.stoppedAt, new Date(now.getTime() - keptStoppedMs)));
  await deleteOldMails(deps);
  await endExpiredRequests(deps);
  await forgetContacts(deps);
  await sweepOrphans(deps);
  await forEachOnItsOwn(log, unused, ({ id }) => deleteStoredFile(deps, id));
}

/**
 * Removes files without a row after an hour: a crash left them during an upload. Files older than two days stay,
 * because they belong to another database (DATABASE_URL was changed, or an older backup was restored). Receipts must
 * survive such a mistake in any case: they are set aside, and moved back once a row names them.
 */
export async function sweepOrphans(deps: HousekeepingDeps): Promise<void> {
  const { clock, log, storage } = deps;
  const now = clock.now().getTime();
  const twoDaysAgo = new Date(now - 48 * hourMs);
  let removed = 0;
  for await (const { key, modifiedAt } of findOrphans(deps, new Date(now - hourMs))) {
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

/** Moves set-aside files back that have a row again, because the right database was restored or reconnected. */
async function takeBack({ db, log, storage }: HousekeepingDeps): Promise<void> {
  const aside: string[] = [];
  for await (const { key } of storage.list(asideFolder)) aside.push(key.slice(asideFolder.length));
  for (const key of await keysWithRow(db, aside)) {
    if (await storage.exists(key)) continue;
    log.warn({ key }, "a receipt that was set aside has a payment again and is back");
    await storage.move(`${asideFolder}${key}`, key);
  }
}
