import { and, asc, eq, inArray, isNotNull, lte, ne, sql } from "drizzle-orm";
import { listActiveOwners } from "#server/accounts/users.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { notifyEach } from "#server/features/notifications/service.ts";
import { queueMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import { isoInLagos } from "#shared/dates.ts";
import { afterWorkingDays, isNight } from "#shared/lagos-time.ts";
import { payoutLimits } from "#shared/payouts-texts.ts";
import { type LatePayouts, latePayoutsMail, overdueNotice } from "./reminder-emails.ts";
import { waitsForLine } from "./service.ts";

/**
 * Reminds of promises that have passed: each backer once, and all owners once a day. By day, because promises end at midnight
 * and nobody is paid before the morning.
 */
export async function remindOfPayouts(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  if (isNight(now)) return;
  await inTransaction(deps.db, async (tx) => {
    await tellBackers(tx, deps, now);
    await tellOwners(tx, deps, now);
  });
}

/** Owed, and not sent though it was promised by now. */
const isOverdue = (now: Date) =>
  and(inArray(payouts.state, ["due", "in_run"]), isNotNull(payouts.promisedBy), lte(payouts.promisedBy, now));

/** The parts of a refund that were promised at once are told of together. A promise that is made anew may pass anew. */
async function tellBackers(tx: Tx, deps: Deps, now: Date): Promise<void> {
  // One that is being sent at this moment is looked at again in an hour.
  const late = await tx
    .select()
    .from(payouts)
    .where(and(isOverdue(now), ne(payouts.kind, "farm")))
    .orderBy(asc(payouts.id))
    .for("share", { skipLocked: true });
  const promises = Map.groupBy(late, ({ refundId, promisedBy }) => `${refundId}:${promisedBy?.getTime()}`);
  const notices = [...promises].flatMap(([promise, parts]) => {
    const [first] = parts;
    if (!first?.userId || !first.promisedBy) return [];
    const { userId, projectTitle, promisedBy } = first;
    const amountKobo = parts.reduce((total, part) => total + part.amountKobo, 0n);
    const { publicUrl } = deps.env;
    const notice = overdueNotice({ publicUrl, projectTitle, amountKobo, lastDay: lastDayOf(promisedBy) });
    return [{ ...notice, userId, projectId: null, eventKey: `refund:${promise}:overdue` }];
  });
  await notifyEach(tx, deps, "payment_status", notices);
}

/** A promise ends at the midnight after its last day. */
const lastDayOf = (promisedBy: Date): Date => new Date(promisedBy.getTime() - 1);

async function tellOwners(tx: Tx, deps: Deps, now: Date): Promise<void> {
  const late = await findLate(tx, now);
  if (!late) return;
  const { publicUrl } = deps.env;
  const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
    eventKey: `payouts_overdue:${isoInLagos(now).slice(0, 10)}`,
    to: email,
    ...latePayoutsMail({ fullName, publicUrl, ...late }),
  }));
  await queueMails(tx, deps, mails, { isUrgent: false });
}

/** What of payouts waits for owners; null as long as no promise has passed. */
async function findLate(db: DbOrTx, now: Date): Promise<LatePayouts | null> {
  const [overdue] = await db
    .select({
      count: sql<number>`count(*)::int`,
      amountKobo: sql`coalesce(sum(${payouts.amountKobo}), 0)::bigint`.mapWith(payouts.amountKobo),
      oldest: sql`min(${payouts.promisedBy})`.mapWith(payouts.promisedBy),
    })
    .from(payouts)
    .where(isOverdue(now));
  if (!overdue?.oldest) return null;
  // The payouts of a run were sent at one moment, so there are as many groups as runs.
  const sent = await db
    .select({ sentAt: payouts.sentAt, count: sql<number>`count(*)::int` })
    .from(payouts)
    .where(and(eq(payouts.state, "sent"), waitsForLine))
    .groupBy(payouts.sentAt);
  const unseen = sent.filter(({ sentAt }) => sentAt && afterWorkingDays(sentAt, payoutLimits.unseenDays) <= now);
  const { count, amountKobo, oldest } = overdue;
  return {
    overdue: { count, amountKobo, lastDay: lastDayOf(oldest) },
    unseen: unseen.reduce((total, group) => total + group.count, 0),
    runsToApprove: await db.$count(payoutRuns, eq(payoutRuns.state, "draft")),
    runsToExport: await db.$count(payoutRuns, eq(payoutRuns.state, "approved")),
  };
}
