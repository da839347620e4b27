import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import type { NotifyDeps } from "#server/features/notifications/service.ts";
import { closeRun, reopenRuns } from "#server/features/payouts/runs/close.ts";
import { startOfDay } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { failPayout, undoFailure, wasFailedByPeople } from "./failing.ts";
import { notifyFailed, notifyNotFailed, notifyPaid } from "./notices.ts";
import { idsOf, isUnseen, lockPayouts, type Payout, runsOf } from "./service.ts";
import type { By } from "./strikes.ts";

/** The bank's lines show that payouts left, or came back. The caller has locked the lines. */

/** Condition of a payout that a standing line shows coming back. What gives a second debit back isn't meant. */
export const cameBack: SQL = sql`exists (
  select from ${lineMatches} where ${lineMatches.payoutId} = ${payouts.id} and ${lineMatches.kind} = 'returned'
    and ${lineMatches.receivableKobo} is null and ${lineMatches.undoneAt} is null
)`;

/** Condition of a payout of which a second debit stands, that is, of one that two people said was paid out twice. */
export const isPaidTwice: SQL = sql`exists (
  select from ${lineMatches} where ${lineMatches.payoutId} = ${payouts.id} and ${lineMatches.kind} = 'payout'
    and ${lineMatches.reason} is not null and ${lineMatches.undoneAt} is null
)`;

const isSecondGivenBack: SQL = sql`exists (
  select from ${lineMatches} where ${lineMatches.payoutId} = ${payouts.id} and ${lineMatches.kind} = 'returned'
    and ${lineMatches.receivableKobo} is not null and ${lineMatches.undoneAt} is null
)`;

/** Condition of a payout that was paid out twice, and of which nothing has given one of the two back. */
export const isSecondOut: SQL = sql`(${isPaidTwice} and not ${isSecondGivenBack})`;

/** Condition of a payout that lines show leaving, and of which a debit with its reference and amount isn't explained. */
export const hasDebitToExplain: SQL = sql`(not (${isUnseen}) and exists (
  select from statement_lines debit where debit.reference = ${payouts.reference} and debit.amount_kobo = -${payouts.amountKobo}
    and debit.matched_kobo = 0 and debit.void_id is null
))`;

/** Condition of a payout that people declared failed: it never left, as they say, and a debit of it is theirs to look at. */
export const isDeclaredFailed: SQL = sql`(${payouts.state} = 'failed' and not ${cameBack})`;

/** Condition of a payout whose transfer a debit is expected for. */
export const isExpectedToLeave: SQL = sql`(${isUnseen} and not ${isDeclaredFailed})`;

/** Locks payouts, and those of runs that no line shows yet, in the order of their ids. */
export async function lockPayoutsForLines(
  tx: Tx,
  { payoutIds, runIds }: { payoutIds: number[]; runIds: number[] },
): Promise<Payout[]> {
  const ofRuns =
    runIds.length === 0
      ? []
      : await tx
          .select({ id: payouts.id })
          .from(payouts)
          .where(and(inArray(payouts.runId, runIds), isExpectedToLeave));
  return lockPayouts(tx, [...new Set([...payoutIds, ...ofRuns.map(({ id }) => id)])]);
}

/** True if a standing match shows that a payout, which nobody has locked, came back. */
export async function isShownComingBack(db: DbOrTx, payoutId: number): Promise<boolean> {
  return (await db.$count(payouts, and(eq(payouts.id, payoutId), cameBack))) > 0;
}

/** The locked payouts that no line shows leaving yet. */
export const filterUnseen = (tx: Tx, locked: readonly Payout[]): Promise<Payout[]> => filterBy(tx, locked, isUnseen);

/** The locked payouts whose line is still expected. */
export const filterExpected = (tx: Tx, locked: readonly Payout[]): Promise<Payout[]> =>
  filterBy(tx, locked, isExpectedToLeave);

async function filterBy(tx: Tx, locked: readonly Payout[], condition: SQL): Promise<Payout[]> {
  if (locked.length === 0) return [];
  const ids = locked.map(({ id }) => id);
  const waiting = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.id, ids), condition));
  return locked.filter(({ id }) => waiting.some((one) => one.id === id));
}

const is =
  (condition: SQL) =>
  async (tx: Tx, { id }: Payout): Promise<boolean> =>
    (await tx.$count(payouts, and(eq(payouts.id, id), condition))) > 0;

/** True if two people declared a locked payout failed, and no line shows that it came back. */
export const wasDeclaredFailed = is(isDeclaredFailed);

/** True if two people said of a locked payout that it was paid out twice. */
export const wasPaidTwice = is(isPaidTwice);

/** True if it was, and nothing has given one of the two back. */
export const hasSecondOut = is(isSecondOut);

/** True if a line gave one of the two transfers of a locked payout back that was paid out twice. */
export const hasGivenSecondBack = is(isSecondGivenBack);

/** True if a debit that isn't explained may be a second one of a locked payout. */
export const hasOpenDebit = is(hasDebitToExplain);

/** True if a standing match shows that a locked payout came back. */
export const hasComeBack = is(cameBack);

/**
 * A line of this day shows that payouts left. Those that nobody had said it of are paid now, and their payees are told.
 * Those that were paid by hand, or came back already, stay what they are.
 */
export async function seeLeaving(tx: Tx, deps: NotifyDeps, locked: readonly Payout[], day: string): Promise<void> {
  const left = locked.filter(({ state }) => state === "sent");
  if (left.length === 0) return;
  const at = deps.clock.now();
  const paid = { state: "paid" as const, paidAt: startOfDay(day) };
  await tx
    .update(payouts)
    .set(paid)
    .where(inArray(payouts.id, idsOf(left)));
  for (const runId of runsOf(left)) await closeRun(tx, { runId }, at);
  await notifyPaid(tx, deps, left, day);
}

/** The lines were others': the payouts are only sent again, unless an owner said that one was paid, or it came back. */
export async function unseeLeaving(tx: Tx, locked: readonly Payout[]): Promise<void> {
  const seen = locked.filter(({ state, paidBy }) => state === "paid" && paidBy === null);
  if (seen.length === 0) return;
  await tx
    .update(payouts)
    .set({ state: "sent", paidAt: null })
    .where(inArray(payouts.id, idsOf(seen)));
  await reopenRuns(tx, runsOf(seen));
}

/**
 * A line shows that a payout came back: it is failed, its sum is owed again, and its payee is told why. The account
 * isn't used any more where the bank named it wrong. Where a strike ended all of it, they are told that instead.
 */
export async function seeComingBack(
  tx: Tx,
  by: By,
  payout: Payout,
  { reason, isAccountWrong }: { reason: string; isAccountWrong: boolean },
): Promise<void> {
  if (payout.state === "failed") return;
  const { isStruck, ...failed } = await failPayout(tx, by, payout, { reason, isAccountWrong });
  if (!isStruck) await notifyFailed(tx, by, payout, { reason, ...failed });
}

/**
 * It wasn't this payout that came back, as two people say: it is sent or paid as before, and its payee is told. One
 * that people declared failed stays so. Throws "conflict" if the payout that took its place isn't waiting or due any
 * more.
 */
export async function unseeComingBack(tx: Tx, deps: NotifyDeps, payout: Payout, actorId: string): Promise<void> {
  if (payout.state !== "failed" || (await wasFailedByPeople(tx, payout))) return;
  await undoFailure(tx, payout, { actorId, at: deps.clock.now() });
  await notifyNotFailed(tx, deps, payout);
}

/** The sum of payouts, in kobo. */
export const sumOfPayouts = (some: readonly Payout[]): Kobo =>
  some.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);

/**
 * Returns why none of these payouts can have failed; null if they can have. The farm may have paid back more of its
 * release than the release's other payouts brought there.
 */
export async function findPaidBack(
  db: DbOrTx,
  failing: readonly Pick<Payout, "id" | "releaseId">[],
): Promise<string | null> {
  const releaseIds = failing.flatMap(({ releaseId }) => releaseId ?? []);
  if (releaseIds.length === 0) return null;
  const { releaseId, amountKobo } = lineMatches;
  const [found] = await db
    .select({ releaseId })
    .from(lineMatches)
    .where(and(inArray(releaseId, releaseIds), isNull(lineMatches.undoneAt)))
    .groupBy(releaseId)
    .having(
      sql`sum(${amountKobo}) > (select coalesce(sum(o.amount_kobo), 0) from payouts o where o.release_id = ${releaseId}
        and o.state in ('sent', 'paid') and o.id not in ${failing.map(({ id }) => id)})`,
    )
    .limit(1);
  return found ? payoutTexts.paidBack : null;
}
