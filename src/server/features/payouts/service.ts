import { and, asc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { type Payee, payeeOf, promiseFor, promisesFor } from "#server/features/payouts/payees/service.ts";
import { findMaxTransfer } from "#server/features/settings/queries.ts";
import { AppError } from "#server/platform/errors.ts";
import { newReference } from "#server/platform/references.ts";
import { readProfile } from "#server/platform/site.ts";
import type { Kobo } from "#shared/money.ts";
import { openPayoutStates, payoutLimits, payoutTexts } from "#shared/payouts/texts.ts";

/**
 * The life of a payout. Here are the steps that others take within their own transaction: refunds make payouts, an
 * account makes them due, a change of holder passes them on. Locks: payouts by id, then what `books/locks.ts`
 * names after them.
 */

export type Payout = typeof payouts.$inferSelect;

type Owed = { amountKobo: Kobo; at: Date; projectTitle: string } & (
  | { kind: "sender"; lineId: number; projectId: null }
  | (OfRound & { round: number })
);

type OfRound =
  | { kind: "refund" | "surplus"; userId: string; refundId: number; paymentId: number; projectId: number | null }
  | { kind: "returned"; userId: string; returnId: number; paymentId: number; projectId: number }
  | { kind: "harvest"; userId: string; formerUserId?: string | null; settlementId: number; projectId: number }
  | { kind: "farm"; farmId: number; releaseId: number; projectId: number }
  | { kind: "farm"; farmId: number; settlementId: number; projectId: number };

/**
 * Makes the payouts of sums that were just posted as owed, which may be a thousand: of each one, or several where banks
 * transfer no such sum at once (setting maxtransfer). They are due at once if it is known where to pay to. Returns
 * whether that is so of all. A sum of nothing makes none.
 */
export async function makePayouts(tx: Tx, owed: readonly Owed[]): Promise<{ isAccountKnown: boolean }> {
  const some = owed.filter(({ amountKobo }) => amountKobo > 0n);
  const maxKobo = await findMaxTransfer(tx);
  const promiseOf = await promisesFor(
    tx,
    some.map((one) => ({ payee: payeeOf(one), at: one.at })),
  );
  const made = some.flatMap((one) => {
    const { amountKobo, at, ...about } = one;
    const promise = promiseOf(payeeOf(one), at);
    return inParts(amountKobo, maxKobo).map((part) => ({ ...about, ...promise, ...part, createdAt: at }));
  });
  await insertPayouts(tx, made);
  return { isAccountKnown: made.every(({ state }) => state === "due") };
}

/**
 * A sum as transfers of at most so much: 1 of 3. Banks don't transfer a few kobo: a last part below ₦100 takes what it
 * misses from the one before.
 */
export function inParts(amountKobo: Kobo, maxKobo: Kobo) {
  const parts = Number((amountKobo + maxKobo - 1n) / maxKobo);
  const lastKobo = amountKobo - maxKobo * BigInt(parts - 1);
  const missingKobo = lastKobo < payoutLimits.leastPartKobo ? payoutLimits.leastPartKobo - lastKobo : 0n;
  const moved = parts > 1 ? missingKobo : 0n;
  return Array.from({ length: parts }, (_, index) => {
    const [isLast, isBeforeLast] = [index === parts - 1, index === parts - 2];
    const wholeKobo = isLast ? lastKobo + moved : maxKobo;
    return { amountKobo: isBeforeLast ? wholeKobo - moved : wholeKobo, part: index + 1, parts };
  });
}

/** The number of rows that one statement writes: PostgreSQL takes at most 65,535 parameters. */
const rowsAtOnce = 500;

/** Inserts payouts, each with a reference of its own. A row whose reference is taken, which is rare, gets another. */
export async function insertPayouts(
  tx: Tx,
  payoutRows: Omit<typeof payouts.$inferInsert, "reference">[],
): Promise<void> {
  const { paperPrefix } = await readProfile(tx);
  let left = payoutRows;
  while (left.length > 0) {
    const batch = left.slice(0, rowsAtOnce).map((row) => ({ ...row, reference: newReference(`${paperPrefix}P`) }));
    const written = await tx
      .insert(payouts)
      .values(batch)
      .onConflictDoNothing({ target: payouts.reference })
      .returning({ reference: payouts.reference });
    const references = new Set(written.map(({ reference }) => reference));
    left = [...batch.filter(({ reference }) => !references.has(reference)), ...left.slice(rowsAtOnce)];
  }
}

/** Condition of a payout that is overdue: owed, and not sent though it was promised by now. */
export const isOverdue = (now: Date): SQL<boolean> =>
  sql<boolean>`(${inArray(payouts.state, openPayoutStates)}
    and coalesce(${payouts.promisedBy} <= ${now.toISOString()}::timestamptz, false))`;

const isFor = (payee: Payee): SQL | undefined => {
  if ("userId" in payee) return eq(payouts.userId, payee.userId);
  if ("lineId" in payee) return eq(payouts.lineId, payee.lineId);
  return eq(payouts.farmId, payee.farmId);
};

/** Locks the payouts of a payee that nobody has sent yet. Whoever changes the account does so first. */
export async function lockOpenPayouts(tx: Tx, payee: Payee): Promise<Payout[]> {
  return tx
    .select()
    .from(payouts)
    .where(and(isFor(payee), inArray(payouts.state, openPayoutStates)))
    .orderBy(asc(payouts.id))
    .for("update");
}

/** After an account was given, or taken away: what is owed becomes due with a new promise, or waits again. */
export async function followAccount(tx: Tx, payee: Payee, at: Date): Promise<void> {
  await tx
    .update(payouts)
    .set(await promiseFor(tx, payee, at))
    .where(and(isFor(payee), inArray(payouts.state, ["waiting", "due"])));
}

/**
 * Cancels the payouts of a refund, a release, a settlement, a return or a line sent back that is taken back. Throws
 * "conflict" if one of them is in a run, or was sent. One that came back doesn't hinder it: the payout that took its
 * place is cancelled. Returns what was owed, and to whom.
 */
export async function cancelPayouts(
  tx: Tx,
  { at, refusal = payoutTexts.alreadyOnItsWay, ...source }: { at: Date; refusal?: string } & Source,
): Promise<Payout[]> {
  const lockAll = () => tx.select().from(payouts).where(isOfSource(source)).orderBy(asc(payouts.id)).for("update");
  await lockAll();
  // Whoever failed one while this waited for it has put another in its place, which only a statement begun since can see.
  const standing = (await lockAll()).filter(({ state }) => state !== "failed" && state !== "cancelled");
  if (standing.some(isOnItsWay)) throw new AppError("conflict", refusal);
  await cancelAll(tx, standing, at);
  return standing;
}

/** Sums payouts by the person that they are owed to. */
export function owedBy(some: readonly Payout[]): { userId: string; amountKobo: Kobo }[] {
  const owed = new Map<string, Kobo>();
  for (const { userId, amountKobo } of some) {
    if (userId !== null) owed.set(userId, (owed.get(userId) ?? 0n) + amountKobo);
  }
  return [...owed].map(([userId, amountKobo]) => ({ userId, amountKobo }));
}

const isOnItsWay = ({ state }: Payout): boolean => state !== "waiting" && state !== "due";

/** The event whose payouts are cancelled. */
type Source =
  | { refundId: number }
  | { releaseId: number }
  | { settlementId: number }
  | { returnId: number }
  | { lineId: number };

const isOfSource = (source: Source): SQL => {
  if ("refundId" in source) return eq(payouts.refundId, source.refundId);
  if ("releaseId" in source) return eq(payouts.releaseId, source.releaseId);
  if ("lineId" in source) return eq(payouts.lineId, source.lineId);
  if ("returnId" in source) return eq(payouts.returnId, source.returnId);
  return eq(payouts.settlementId, source.settlementId);
};

export async function cancelAll(tx: Tx, some: readonly Payout[], at: Date): Promise<void> {
  if (some.length === 0) return;
  const cancelled = { state: "cancelled" as const, cancelledAt: at };
  await tx
    .update(payouts)
    .set(cancelled)
    .where(inArray(payouts.id, idsOf(some)));
}

type Lowered = {
  byKobo: Kobo;
  settlementId: number;
  projectId: number;
  projectTitle: string;
  round: number;
  at: Date;
} & ({ kind: "farm" } | { kind: "harvest"; userId: string; formerUserId: string | null });

/**
 * Lowers what a settlement owes to its farm, or to a person, by at most so much, as far as no run has taken it: the
 * payouts are cancelled, and others of the rest are made, withheld if these were. Returns by how much.
 */
export async function lowerPayouts(tx: Tx, { byKobo, ...about }: Lowered): Promise<Kobo> {
  const { settlementId, kind } = about;
  const isPayees = and(
    eq(payouts.settlementId, settlementId),
    eq(payouts.kind, kind),
    kind === "harvest"
      ? sql`${payouts.userId} = ${about.userId} and ${payouts.formerUserId} is not distinct from ${about.formerUserId}::uuid`
      : undefined,
  );
  const made = await tx.select().from(payouts).where(isPayees).orderBy(asc(payouts.id)).for("update");
  const open = made.filter(({ state }) => state === "waiting" || state === "due");
  const openKobo = open.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const loweredKobo = openKobo < byKobo ? openKobo : byKobo;
  if (loweredKobo === 0n) return 0n;
  await cancelAll(tx, open, about.at);
  const rest = { amountKobo: openKobo - loweredKobo };
  const [{ farmId } = { farmId: null }] = open;
  if (about.kind === "harvest") await makePayouts(tx, [{ ...about, ...rest }]);
  else if (farmId !== null) await makePayouts(tx, [{ ...about, ...rest, farmId }]);
  const withheld = open.find(isWithheldPayout);
  if (withheld) {
    const { withheldAt, withheldBy, withheldReason } = withheld;
    await tx
      .update(payouts)
      .set({ withheldAt, withheldBy, withheldReason })
      .where(and(isPayees, inArray(payouts.state, ["waiting", "due"])));
  }
  return loweredKobo;
}

/** A person's claims in a round: from its settlements, and from refunds and returns of these payments. */
type Held = { projectId: number; round: number; paymentIds: readonly number[]; fromUserId: string };

/** Locks what is due of a round to a person and in no run. The caller has locked the round's harvests, and the payments. */
export async function lockHeldPayouts(tx: Tx, held: Held): Promise<Payout[]> {
  await selectHeld(tx, held).for("update");
  // Whoever failed one while this waited for it has put another in its place, which only a statement begun since can see.
  return selectHeld(tx, held).for("update");
}

/** Selects the payouts of a round that are due to a person and in no run. */
const selectHeld = (db: DbOrTx, held: Held) =>
  db
    .select()
    .from(payouts)
    .where(isHeld(held, ["waiting", "due"]))
    .orderBy(asc(payouts.id));

/** Condition of a person's payouts of a round in one of these states. */
export const isHeld = ({ projectId, round, paymentIds, fromUserId }: Held, states: readonly Payout["state"][]) =>
  and(
    eq(payouts.userId, fromUserId),
    inArray(payouts.state, [...states]),
    or(
      and(eq(payouts.kind, "harvest"), eq(payouts.projectId, projectId), eq(payouts.round, round)),
      inArray(payouts.paymentId, [...paymentIds]),
    ),
  );

/**
 * Pays these payouts to another person, who holds the lots now. The caller has locked them, and posts that they are
 * owed so.
 */
export async function passPayouts(
  tx: Tx,
  some: readonly Payout[],
  { toUserId, at }: { toUserId: string; at: Date },
): Promise<{ isAccountKnown: boolean }> {
  const promise = await promiseFor(tx, { userId: toUserId }, at);
  if (some.length > 0) {
    const formerUserId = sql`nullif(coalesce(${payouts.formerUserId}, ${payouts.userId}), ${toUserId}::uuid)`;
    await tx
      .update(payouts)
      .set({ userId: toUserId, formerUserId, ...promise })
      .where(inArray(payouts.id, idsOf(some)));
  }
  return { isAccountKnown: promise.state === "due" };
}

/**
 * Locks the lines whose senders payouts are for. Whoever fails one does so before anything else, so that nobody gives
 * the sender an account while the payout that takes its place is made.
 */
export async function lockSenders(tx: Tx, payoutIds: number[]): Promise<void> {
  if (payoutIds.length === 0) return;
  const lines = await listSenderLines(tx, payoutIds);
  const isLine = inArray(statementLines.id, lines);
  await tx
    .select({ id: statementLines.id })
    .from(statementLines)
    .where(isLine)
    .orderBy(asc(statementLines.id))
    .for("update");
}

/** The lines whose senders payouts are for. */
export async function listSenderLines(db: DbOrTx, payoutIds: number[]): Promise<number[]> {
  if (payoutIds.length === 0) return [];
  const found = await db.select({ lineId: payouts.lineId }).from(payouts).where(inArray(payouts.id, payoutIds));
  return found.flatMap(({ lineId }) => lineId ?? []);
}

/** Locks payouts, in the order of their ids. Missing ones are left out. */
export async function lockPayouts(tx: Tx, ids: number[]): Promise<Payout[]> {
  if (ids.length === 0) return [];
  return tx.select().from(payouts).where(inArray(payouts.id, ids)).orderBy(asc(payouts.id)).for("update");
}

export const idsOf = (some: readonly Payout[]): number[] => some.map(({ id }) => id);

export const runsOf = (some: readonly Payout[]): number[] =>
  [...new Set(some.flatMap(({ runId }) => runId ?? []))].sort((one, other) => one - other);

/** True of a payout that is kept out of runs until two people let it go. */
export const isWithheldPayout = ({
  withheldAt,
  letGoRequestId,
}: Pick<Payout, "withheldAt" | "letGoRequestId">): boolean => withheldAt !== null && letGoRequestId === null;

/** The same as a condition. */
export const isWithheld: SQL<boolean> = sql<boolean>`(${payouts.withheldAt} is not null and ${payouts.letGoRequestId} is null)`;

/** Condition of a payout that was sent, and that no standing line shows leaving. */
export const isUnseen: SQL = sql`${payouts.sentAt} is not null and not exists (
  select from ${lineMatches} where ${lineMatches.payoutId} = ${payouts.id} and ${lineMatches.kind} = 'payout'
    and ${lineMatches.undoneAt} is null
)`;

/**
 * Condition of a payout that an owner saw leave, and whose line is still waited for: statements of the account that
 * paid it come.
 */
export const isPaidUnseen: SQL = sql`(${payouts.state} = 'paid' and ${payouts.paidBy} is not null and ${isUnseen} and exists (
  select from payout_runs run join own_accounts paying on paying.id = run.own_account_id
  where run.id = ${payouts.runId} and paying.opened_on is not null
))`;
