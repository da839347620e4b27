import { and, eq, inArray, isNotNull, not, or, type SQL, sql } from "drizzle-orm";
import { activeOwners } from "#server/accounts/owners/owner-terms.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { openPayoutStates } from "#shared/payouts/texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { isUnseenSince, type Moment, momentOf } from "./queries.ts";
import { isOverdue, isPaidUnseen, isUnseen } from "./service.ts";

/** The waiting work of payouts: for the tabs of their page, the mails to owners, and the lines of the dashboard. */

/** Condition of a draft that nobody can approve any more, as approveRun refuses it. */
const isStale = (now: Date): SQL => sql`(
  ${payoutRuns.createdAt} <= ${new Date(now.getTime() - secondPersonLimits.days * dayMs).toISOString()}::timestamptz
  or ${payoutRuns.madeBy} not in (${activeOwners}))`;

/** Conditions of the runs that wait for an owner. */
export const waitingRuns = {
  toApprove: (now: Date) => and(eq(payoutRuns.state, "draft"), not(isStale(now))),
  /** Their payouts wait until they are declared void. */
  toVoid: (now: Date) => and(eq(payoutRuns.state, "draft"), isStale(now)),
  toExport: () => eq(payoutRuns.state, "approved"),
  /** Their files were made, nobody said that the bank has one, and no line shows what became of all. */
  toGive: () =>
    and(
      isNotNull(payoutRuns.exportedAt),
      sql`${payoutRuns.givenAt} is null and exists (
        select from payouts p where p.run_id = ${payoutRuns.id} and p.state = 'sent')`,
    ),
};

const isSentUnseen = or(and(eq(payouts.state, "sent"), isUnseen), isPaidUnseen);

/**
 * Condition of the payouts that a line should have shown leaving by now. A run's were sent at one moment, so there are
 * few moments.
 */
export async function isUnseenForLong({ db }: Pick<ActorContext, "db">, moment: Moment): Promise<SQL | undefined> {
  const sent = await db.selectDistinct({ sentAt: payouts.sentAt }).from(payouts).where(isSentUnseen);
  const long = sent.flatMap(({ sentAt }) => (sentAt && isUnseenSince(sentAt, moment) ? sentAt : []));
  return long.length === 0 ? sql`false` : and(isSentUnseen, inArray(payouts.sentAt, long));
}

/** Counts the payouts and runs that wait for an owner. */
export async function readOverview({ db, clock }: Pick<ActorContext, "db" | "clock">) {
  const moment = await momentOf({ db, clock });
  const { now } = moment;
  const listedAs = sql<
    (typeof payouts.$inferSelect)["state"]
  >`case when ${isPaidUnseen} then 'sent' else ${payouts.state} end`;
  const sums = await db
    .select({
      state: listedAs,
      count: sql<number>`count(*)::int`,
      totalKobo: sql`sum(${payouts.amountKobo})::bigint`.mapWith(payouts.amountKobo),
      overdue: sql<number>`count(*) filter (where ${isOverdue(now)})::int`,
    })
    .from(payouts)
    .where(or(inArray(payouts.state, [...openPayoutStates, "sent"]), isPaidUnseen))
    .groupBy(sql`1`);
  const of = (state: (typeof sums)[number]["state"]) => {
    const sum = sums.find((one) => one.state === state);
    return { count: sum?.count ?? 0, totalKobo: sum?.totalKobo ?? 0n };
  };
  return {
    waiting: of("waiting"),
    due: of("due"),
    inRun: of("in_run"),
    sent: of("sent"),
    overdue: sums.reduce((total, { overdue }) => total + overdue, 0),
    unseen: await db.$count(payouts, await isUnseenForLong({ db }, moment)),
    runsToApprove: await db.$count(payoutRuns, waitingRuns.toApprove(now)),
    runsToVoid: await db.$count(payoutRuns, waitingRuns.toVoid(now)),
    runsToExport: await db.$count(payoutRuns, waitingRuns.toExport()),
    runsToGive: await db.$count(payoutRuns, waitingRuns.toGive()),
  };
}
