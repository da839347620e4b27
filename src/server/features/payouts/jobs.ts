import { and, asc, isNotNull, sql } from "drizzle-orm";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { notifyEach } from "#server/features/notifications/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayInLagos } from "#shared/dates.ts";
import { isNight } from "#shared/lagos-time.ts";
import { readOverview } from "./overview.ts";
import { latePayoutsMail, overdueNotice } from "./reminder-emails.ts";
import { isOverdue } from "./service.ts";

/**
 * Reminds of promises that have passed: each backer once, and all owners once a day. By day, because promises end at midnight
 * and nobody is paid before the morning.
 */
export async function remindOfPayouts(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  if (isNight(now)) return;
  await inTransaction(deps.db, (tx) => notifyBackers(tx, deps, now));
  await mailOwnersOfLatePayouts(deps, now);
}

/** The parts of one sum that were promised at once are told of together. A promise that is made anew may pass anew. */
async function notifyBackers(tx: Tx, deps: Deps, now: Date): Promise<void> {
  // One that is being sent at this moment is looked at again in an hour.
  const late = await tx
    .select()
    .from(payouts)
    .where(and(isOverdue(now), isNotNull(payouts.userId)))
    .orderBy(asc(payouts.id))
    .for("share", { skipLocked: true });
  const promises = Map.groupBy(late, (payout) => `${sourceOf(payout)}:${payout.promisedBy?.getTime()}`);
  const notices = [...promises].flatMap(([promise, parts]) => {
    const [first] = parts;
    if (!first?.userId || !first.promisedBy) return [];
    const { userId, kind, projectTitle, promisedBy } = first;
    const amountKobo = parts.reduce((total, part) => total + part.amountKobo, 0n);
    const site = deps.site.current();
    const notice = overdueNotice({ site, kind, projectTitle, amountKobo, lastDay: lastDayOf(promisedBy) });
    return [{ ...notice, userId, projectId: null, eventKey: `${promise}:overdue` }];
  });
  await notifyEach(tx, deps, "payment_status", notices);
}

/** Names what a backer's payout is a part of: a refund, or a person's share of a settlement or a return. */
const sourceOf = ({ refundId, settlementId, returnId, userId }: typeof payouts.$inferSelect): string => {
  if (refundId !== null) return `refund:${refundId}`;
  return settlementId === null ? `return:${returnId}:${userId}` : `settlement:${settlementId}:${userId}`;
};

/** A promise ends at the midnight after its last day. */
const lastDayOf = (promisedBy: Date): Date => new Date(promisedBy.getTime() - 1);

/** One mail a day, with what of payouts waits for owners besides. */
async function mailOwnersOfLatePayouts(deps: Deps, now: Date): Promise<void> {
  const [overdue] = await deps.db
    .select({
      count: sql<number>`count(*)::int`,
      amountKobo: sql`coalesce(sum(${payouts.amountKobo}), 0)::bigint`.mapWith(payouts.amountKobo),
      oldest: sql`min(${payouts.promisedBy})`.mapWith(payouts.promisedBy),
    })
    .from(payouts)
    .where(isOverdue(now));
  if (!overdue?.oldest) return;
  const { count, amountKobo, oldest } = overdue;
  const besides = await readOverview(deps);
  const late = { overdue: { count, amountKobo, lastDay: lastDayOf(oldest) }, besides };
  await inTransaction(deps.db, async (tx) => {
    await mailOwners(tx, deps, {
      eventKey: `payouts_overdue:${dayInLagos(now)}`,
      isUrgent: false,
      write: ({ fullName }) => latePayoutsMail({ fullName, site: deps.site.current(), ...late }),
    });
  });
}
