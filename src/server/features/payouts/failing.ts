import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import { postPayouts } from "#server/books/events/payouts.ts";
import type { Tx } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { isCurrentOf, lockPayee, payeeOf, promiseFor, promisesFor } from "#server/features/payouts/payees/service.ts";
import { closeRun, reopenRuns } from "#server/features/payouts/runs/close.ts";
import { AppError } from "#server/platform/errors.ts";
import { startOfDay } from "#shared/dates.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { cancelAll, followAccount, idsOf, insertPayouts, lockOpenPayouts, type Payout, runsOf } from "./service.ts";
import { type By, lockStruckPayouts, readWithheldByStrike, takeOutStruckPayouts } from "./strikes.ts";

/**
 * Payouts that came back, never left, or that the bank refused: what they owe goes on to others. One that didn't fail
 * after all.
 */

type Failing = { reason: string; isAccountWrong?: boolean };

/**
 * A payout came back, or never left. Its sum is owed again, and a payout with a new reference takes it over. With
 * `isAccountWrong` the account that it went to is not used any more, so that its owner looks at it again. The caller
 * has locked the payout, for a sender their line, and checked that it was sent. Says whether the other one is due,
 * whether it is withheld because of a strike, and whether a strike ended all of it.
 */
export async function failPayout(
  tx: Tx,
  by: By,
  payout: Payout,
  { reason, isAccountWrong = false }: Failing,
): Promise<{ isDue: boolean; isWithheld: boolean; isStruck: boolean }> {
  const at = by.clock.now();
  if (payout.runId === null) throw new Error("a payout was sent without a run");
  const { id } = payout;
  const failed = { state: "failed" as const, failedAt: at, failedReason: reason };
  await tx.update(payouts).set(failed).where(eq(payouts.id, id));
  await postPayouts(tx, "payout_failed", { payoutIds: [id], actorId: by.actor.id, at });
  const payee = payeeOf(payout);
  await lockOpenPayouts(tx, payee);
  const struck = await lockStruckPayouts(tx, [payout]);
  await lockPayee(tx, payee, "share");
  if (isAccountWrong) {
    await tx
      .update(payeeAccounts)
      .set({ replacedAt: at })
      .where(and(inArray(payeeAccounts.id, accountOf(tx, payout)), isNull(payeeAccounts.replacedAt)));
  }
  const promise = await promiseFor(tx, payee, at);
  const withheld = (await readWithheldByStrike(tx, [payout], at)).get(id);
  await insertPayouts(tx, [{ ...successorOf(payout), ...promise, ...withheld, createdAt: at }]);
  if (isAccountWrong) await followAccount(tx, payee, at);
  await closeRun(tx, payout, at);
  const takenKobo = (await takeOutStruckPayouts(tx, by, struck)).get(payout.settlementId ?? 0) ?? 0n;
  return {
    isDue: promise.state === "due",
    isWithheld: withheld !== undefined,
    isStruck: takenKobo >= payout.amountKobo,
  };
}

/** The account that a payout went to, by its run. */
const accountOf = (tx: Tx, { id, runId }: Payout) =>
  tx
    .select({ id: payoutRunLines.payeeAccountId })
    .from(payoutRunLines)
    .where(and(eq(payoutRunLines.payoutId, id), eq(payoutRunLines.runId, runId ?? 0)));

/** True if people said that a failed payout never left, or that the bank refused it: no line failed it. */
export async function wasFailedByPeople(tx: Tx, { id, refusalRequestId }: Payout): Promise<boolean> {
  if (refusalRequestId !== null) return true;
  const { kind, subject, decision } = secondPersonRequests;
  const isSaid = and(eq(kind, "fail_payout"), eq(subject, String(id)), eq(decision, "confirmed"));
  return (await tx.$count(secondPersonRequests, isSaid)) > 0;
}

/** A standing debit of a payout, other than a second one: the day of its line. */
async function findDayLeft(tx: Tx, { id }: Payout): Promise<string | null> {
  const { payoutId, kind, reason, undoneAt, lineId } = lineMatches;
  const [left] = await tx
    .select({ day: statementLines.date })
    .from(lineMatches)
    .innerJoin(statementLines, eq(statementLines.id, lineId))
    .where(and(eq(payoutId, id), eq(kind, "payout"), isNull(reason), isNull(undoneAt)));
  return left?.day ?? null;
}

/**
 * A payout didn't come back: it is sent or paid as before, the payout that took its place is cancelled, and an account
 * that was forgotten with it is used again if no other was given. Throws "conflict" if the other one is in a run, was
 * sent, or was taken back. The caller has locked the payout, for a sender their line, and undone the match by which it
 * came back.
 */
export async function undoFailure(
  tx: Tx,
  payout: Payout,
  { actorId, at }: { actorId: string; at: Date },
): Promise<void> {
  const { id, paidAt, paidBy, failedAt } = payout;
  const [next] = await tx
    .select()
    .from(payouts)
    .where(and(eq(payouts.replacesId, id), ne(payouts.state, "cancelled")))
    .for("update");
  if (next?.state !== "waiting" && next?.state !== "due") throw new AppError("conflict", payoutTexts.replacedSince);
  // After a change of holder it is owed to somebody else.
  if (next.userId !== payout.userId) throw new AppError("conflict", payoutTexts.replacedSince);
  const payee = payeeOf(payout);
  await lockOpenPayouts(tx, payee);
  await cancelAll(tx, [next], at);
  const day = await findDayLeft(tx, payout);
  const before =
    paidBy !== null
      ? { state: "paid" as const, paidAt }
      : day !== null
        ? { state: "paid" as const, paidAt: startOfDay(day) }
        : { state: "sent" as const, paidAt: null };
  await tx
    .update(payouts)
    .set({ ...before, failedAt: null, failedReason: null })
    .where(eq(payouts.id, id));
  await postPayouts(tx, "payout_failure_undone", { payoutIds: [id], actorId, at });
  await lockPayee(tx, payee, "no key update");
  const [current] = await tx.select({ id: payeeAccounts.id }).from(payeeAccounts).where(isCurrentOf(payee));
  if (!current && failedAt) {
    await tx
      .update(payeeAccounts)
      .set({ replacedAt: null })
      .where(and(inArray(payeeAccounts.id, accountOf(tx, payout)), eq(payeeAccounts.replacedAt, failedAt)));
    await followAccount(tx, payee, at);
  }
  if (before.state === "sent") await reopenRuns(tx, runsOf([payout]));
}

/** The values of the payout that takes the place of a failed one. */
const successorOf = (payout: Payout) => {
  const { id, kind, userId, formerUserId, farmId, refundId, releaseId, settlementId, returnId, lineId } = payout;
  const { paymentId, projectId, projectTitle, round, amountKobo, part, parts } = payout;
  const source = { kind, userId, formerUserId, farmId, refundId, releaseId, settlementId, returnId, lineId, paymentId };
  return { ...source, projectId, projectTitle, round, amountKobo, part, parts, replacesId: id };
};

/**
 * The bank refused payouts of a run: nothing of them left, so they are failed for good, and payouts with new references
 * take their place, due as these were promised. Their accounts stay in use. The caller has locked them, for senders the
 * lines, and checked that they were sent.
 */
export async function refusePayouts(
  tx: Tx,
  by: By,
  refused: readonly Payout[],
  { reason, requestId }: { reason: string; requestId: number },
): Promise<void> {
  const at = by.clock.now();
  const payoutIds = idsOf(refused);
  await tx
    .update(payouts)
    .set({ state: "failed", failedAt: at, failedReason: reason, refusalRequestId: requestId })
    .where(inArray(payouts.id, payoutIds));
  await postPayouts(tx, "payout_failed", { payoutIds, actorId: by.actor.id, at });
  const struck = await lockStruckPayouts(tx, refused);
  const promiseOf = await promisesFor(
    tx,
    refused.map((payout) => ({ payee: payeeOf(payout), at })),
  );
  const withheld = await readWithheldByStrike(tx, refused, at);
  const successors = refused.map((payout) => {
    const { dueAt, promisedBy } = payout;
    const promise = promiseOf(payeeOf(payout), at);
    const stays = promise.state === "due" && { dueAt, promisedBy };
    return { ...successorOf(payout), ...promise, ...stays, ...withheld.get(payout.id), createdAt: at };
  });
  await insertPayouts(tx, successors);
  for (const runId of runsOf(refused)) await closeRun(tx, { runId }, at);
  await takeOutStruckPayouts(tx, by, struck);
}
