import { and, asc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { payeeAccounts } from "#server/db/schema/payouts.ts";
import { users } from "#server/db/schema/users.ts";
import { findRefundDays } from "#server/features/settings/queries.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { endOfWorkingDay } from "#shared/lagos-time.ts";
import type { PayoutKind } from "#shared/payouts/texts.ts";

/** Payees of payouts, their accounts, and when they are promised their money. */

/** To whom: a person, a farm, or whoever sent us the money of a line. */
export type Payee = { userId: string } | { farmId: number } | { lineId: number };

/** Returns the payee of a payout. */
export const payeeOf = (owed: {
  kind: PayoutKind;
  userId?: string | null;
  farmId?: number | null;
  lineId?: number | null;
}): Payee => {
  if (owed.kind === "sender" && owed.lineId) return { lineId: owed.lineId };
  if (owed.kind === "farm" && owed.farmId) return { farmId: owed.farmId };
  if (owed.kind !== "farm" && owed.userId) return { userId: owed.userId };
  throw new Error("a payout to nobody");
};

/**
 * Whoever gives an account has its person or farm alone, because no row stands for a first one; whoever looks for one
 * shares them. They come after the payouts and before the account, people before farms. A sender is their line, which
 * comes before all payouts: whoever gives an account of theirs, makes their payouts or fails one has locked it already,
 * see {@link lockSenders}.
 */
export async function lockPayee(tx: Tx, payee: Payee, how: "share" | "no key update"): Promise<void> {
  if ("userId" in payee) await lockPayees(tx, [payee.userId], how);
  if ("farmId" in payee) await lockFarms(tx, [payee.farmId], how);
}

/** The same of many people, in the order of their ids. Whoever writes rows of theirs first does so before. */
export async function lockPayees(tx: Tx, userIds: string[], how: "share" | "no key update"): Promise<void> {
  if (userIds.length === 0) return;
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, userIds)).orderBy(asc(users.id)).for(how);
}

async function lockFarms(tx: Tx, farmIds: number[], how: "share" | "no key update"): Promise<void> {
  if (farmIds.length === 0) return;
  await tx.select({ id: farms.id }).from(farms).where(inArray(farms.id, farmIds)).orderBy(asc(farms.id)).for(how);
}

type Promised = { state: "waiting" | "due"; dueAt: Date | null; promisedBy: Date | null };

/** The state of money that is owed: due, with our promise, if it is known where to; else it waits for an account. */
export async function promiseFor(tx: Tx, payee: Payee, at: Date): Promise<Promised> {
  return (await promisesFor(tx, [{ payee, at }]))(payee, at);
}

/** A payee as a text, by which maps find them. */
export const keyOf = (payee: Payee): string => {
  if ("userId" in payee) return payee.userId;
  return "lineId" in payee ? `line ${payee.lineId}` : `farm ${payee.farmId}`;
};

/** The same for many, who are locked in the order of their ids. */
export async function promisesFor(tx: Tx, owed: readonly { payee: Payee; at: Date }[]) {
  const userIds = [...new Set(owed.flatMap(({ payee }) => ("userId" in payee ? payee.userId : [])))];
  const farmIds = [...new Set(owed.flatMap(({ payee }) => ("farmId" in payee ? payee.farmId : [])))];
  const lineIds = [...new Set(owed.flatMap(({ payee }) => ("lineId" in payee ? payee.lineId : [])))];
  await lockPayees(tx, userIds, "share");
  await lockFarms(tx, farmIds, "share");
  const isOfOne = or(
    inArray(payeeAccounts.userId, userIds),
    inArray(payeeAccounts.farmId, farmIds),
    inArray(payeeAccounts.lineId, lineIds),
  );
  const accounts = await tx
    .select()
    .from(payeeAccounts)
    .where(and(isOfOne, isNull(payeeAccounts.replacedAt)))
    .orderBy(asc(payeeAccounts.id))
    .for("share");
  const known = new Set(accounts.map((account) => keyOf(ownerOf(account))));
  const days = await findRefundDays(tx);
  const holidays = await findHolidays(tx);
  return (payee: Payee, at: Date): Promised =>
    known.has(keyOf(payee))
      ? { state: "due", dueAt: at, promisedBy: endOfWorkingDay(at, days, holidays) }
      : { state: "waiting", dueAt: null, promisedBy: null };
}

/** Returns the payee whose account it is. */
export const ownerOf = ({ userId, farmId, lineId }: typeof payeeAccounts.$inferSelect): Payee => {
  if (userId !== null) return { userId };
  return lineId === null ? { farmId: farmId ?? 0 } : { lineId };
};

const isAccountOf = (payee: Payee): SQL => {
  if ("userId" in payee) return eq(payeeAccounts.userId, payee.userId);
  return "lineId" in payee ? eq(payeeAccounts.lineId, payee.lineId) : eq(payeeAccounts.farmId, payee.farmId);
};

/** Condition of the account that is used for somebody now. */
export const isCurrentOf = (payee: Payee): SQL => sql`${isAccountOf(payee)} and ${payeeAccounts.replacedAt} is null`;
