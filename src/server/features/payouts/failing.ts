import { and, eq, inArray, isNull } from "drizzle-orm";
import { postPayouts } from "#server/books/events/payouts.ts";
import type { Tx } from "#server/db/open.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import {
  closeRun,
  followAccount,
  idsOf,
  insertPayouts,
  lockOpenPayouts,
  lockPayee,
  type Payout,
  payeeOf,
  promiseFor,
  promisesFor,
  runsOf,
} from "./service.ts";

/** Payouts that came back, never left, or that the bank refused: what they owe goes on to others. */

/**
 * A payout came back, or never left: it is failed for good. Its sum is owed again, and a payout with a new reference takes it
 * over. The account that it went to is not used any more, so that its owner looks at it again. The caller has locked the
 * payout, for a farm its project, and checked that it was sent.
 */
export async function failPayout(
  tx: Tx,
  payout: Payout,
  { reason, actorId, at }: { reason: string; actorId: string; at: Date },
): Promise<void> {
  if (payout.runId === null) throw new Error("a payout was sent without a run");
  const { id } = payout;
  const failed = { state: "failed" as const, failedAt: at, failedReason: reason };
  await tx.update(payouts).set(failed).where(eq(payouts.id, id));
  await postPayouts(tx, "payout_failed", { payoutIds: [id], actorId, at });
  const payee = payeeOf(payout);
  await lockOpenPayouts(tx, payee);
  await lockPayee(tx, payee, "share");
  const paidTo = tx
    .select({ id: payoutRunLines.payeeAccountId })
    .from(payoutRunLines)
    .where(and(eq(payoutRunLines.payoutId, id), eq(payoutRunLines.runId, payout.runId)));
  await tx
    .update(payeeAccounts)
    .set({ replacedAt: at })
    .where(and(inArray(payeeAccounts.id, paidTo), isNull(payeeAccounts.replacedAt)));
  await insertPayouts(tx, [{ ...successorOf(payout), ...(await promiseFor(tx, payee, at)), createdAt: at }]);
  await followAccount(tx, payee, at);
  await closeRun(tx, payout, at);
}

/** What the payout has that takes the place of a failed one. */
const successorOf = (payout: Payout) => {
  const { id, kind, userId, refundId, releaseId, settlementId, returnId } = payout;
  const { paymentId, projectId, projectTitle, round, amountKobo, part, parts } = payout;
  const source = { kind, userId, refundId, releaseId, settlementId, returnId, paymentId };
  return { ...source, projectId, projectTitle, round, amountKobo, part, parts, replacesId: id };
};

/**
 * The bank refused payouts of a run: nothing of them left, so they are failed for good, and payouts with new references take their
 * place, due as these were promised. Their accounts stay in use. The caller has locked them, for farms the projects, and checked that
 * they were sent.
 */
export async function refusePayouts(
  tx: Tx,
  refused: readonly Payout[],
  { reason, requestId, actorId, at }: { reason: string; requestId: number; actorId: string; at: Date },
): Promise<void> {
  const payoutIds = idsOf(refused);
  await tx
    .update(payouts)
    .set({ state: "failed", failedAt: at, failedReason: reason, refusalRequestId: requestId })
    .where(inArray(payouts.id, payoutIds));
  await postPayouts(tx, "payout_failed", { payoutIds, actorId, at });
  const promiseOf = await promisesFor(
    tx,
    refused.map((payout) => ({ payee: payeeOf(payout), at })),
  );
  const successors = refused.map((payout) => {
    const { dueAt, promisedBy } = payout;
    const promise = promiseOf(payeeOf(payout), at);
    const stays = promise.state === "due" && { dueAt, promisedBy };
    return { ...successorOf(payout), ...promise, ...stays, createdAt: at };
  });
  await insertPayouts(tx, successors);
  for (const runId of runsOf(refused)) await closeRun(tx, { runId }, at);
}
