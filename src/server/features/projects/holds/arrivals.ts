import { and, eq, gt, or, sql } from "drizzle-orm";
import { hasStatementsOfActiveAccount } from "#server/books/statements.ts";
import type { Tx } from "#server/db/open.ts";
import { holds } from "#server/db/schema/holds.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import { countHeldLots } from "#server/features/projects/rounds/service.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { afterWorkingDays, hourMs } from "#shared/lagos-time.ts";
import { holdLimits } from "#shared/projects/holds-texts.ts";
import { isOpen } from "./queries.ts";
import { endLapsedHolds, type Place } from "./service.ts";

/** Changes of a hold when a receipt or a transfer for it arrives, is refused or is taken back. */

const isHeldUnder = (reference: string, at: Date) =>
  and(eq(holds.reference, reference), eq(holds.state, "live"), gt(holds.until, at));

/**
 * The first receipt keeps the hold until it is reviewed: for three working days where statements don't show transfers,
 * else for seven, of which the statement of its day leaves one.
 */
export async function extendByReceipt(tx: Tx, reference: string, at: Date): Promise<void> {
  const days = (await hasStatementsOfActiveAccount(tx)) ? holdLimits.reviewDays : holdLimits.receiptDays;
  const until = afterWorkingDays(at, days, await findHolidays(tx));
  const isWithoutReceipt = and(isHeldUnder(reference, at), eq(holds.hasReceipt, false));
  await tx
    .update(holds)
    .set({
      hasReceipt: true,
      untilBeforeReceipt: holds.until,
      until: sql`greatest(${holds.until}, ${until.toISOString()}::timestamptz)`,
    })
    .where(isWithoutReceipt);
}

/**
 * A rejected receipt no longer extends the hold, which ends when it would have without it. Once, at least twelve hours are
 * left to send another; a later rejection may leave none. A claimed hold has an end again.
 */
export async function restoreEndAfterRejection(tx: Tx, reference: string, at: Date): Promise<void> {
  const least = new Date(at.getTime() + holdLimits.rejectionHours * hourMs);
  const isUnderReview = and(isHeldUnder(reference, at), eq(holds.hasReceipt, true));
  const isClaimed = and(eq(holds.reference, reference), eq(holds.state, "claimed"));
  const { untilBeforeReceipt: before, isExtended, warnedAt } = holds;
  await tx
    .update(holds)
    .set({
      state: "live",
      until: sql`case when ${isExtended} then coalesce(${before}, ${at.toISOString()}::timestamptz)
        else greatest(${before}, ${least.toISOString()}::timestamptz) end`,
      untilBeforeReceipt: null,
      hasReceipt: false,
      isExtended: true,
      warnedAt: sql`case when ${isExtended} then ${warnedAt} end`,
    })
    .where(or(isUnderReview, isClaimed));
}

/**
 * A transfer that the bank shows keeps the hold until its payment is decided. The end that it had comes back if the payment
 * is rejected.
 */
export async function claimHold(tx: Tx, reference: string, at: Date): Promise<void> {
  await tx
    .update(holds)
    .set({
      state: "claimed",
      until: null,
      untilBeforeReceipt: sql`coalesce(${holds.untilBeforeReceipt}, ${holds.until})`,
    })
    .where(and(eq(holds.reference, reference), eq(holds.state, "live"), gt(holds.until, at)));
}

/**
 * The transfer was another's: its payer has some working days to send the money or a receipt. Where a receipt came
 * already, no statement ends the hold before.
 */
export async function unclaimHold(tx: Tx, reference: string, at: Date): Promise<void> {
  const end = afterWorkingDays(at, holdLimits.unclaimedDays, await findHolidays(tx));
  const until = sql`greatest(${holds.untilBeforeReceipt}, ${end.toISOString()}::timestamptz)`;
  await tx
    .update(holds)
    .set({
      state: "live",
      until,
      untilBeforeReceipt: sql`case when ${holds.hasReceipt} then ${until} end`,
      warnedAt: null,
    })
    .where(and(eq(holds.reference, reference), eq(holds.state, "claimed")));
}

/** Keeps only so many lots of the hold under a reference, and offers the others. */
export async function reduceHold(
  tx: Tx,
  deps: NotifyDeps,
  { project, round, reference, lots }: Place & { reference: string; lots: number },
): Promise<void> {
  const [hold] = await tx
    .select()
    .from(holds)
    .where(and(eq(holds.reference, reference), isOpen, gt(holds.lots, lots)));
  if (hold) await tx.update(holds).set({ lots }).where(eq(holds.id, hold.id));
  const current = hold ? await countHeldLots(tx, round, lots - hold.lots) : round;
  await endLapsedHolds(tx, deps, { project, round: current });
}
