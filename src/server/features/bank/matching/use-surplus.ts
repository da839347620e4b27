import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { type PaymentMoney, placesOf, readMoney } from "#server/books/places.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { listSurpluses, type Surplus } from "#server/features/payments/buying/queries.ts";
import { beginPaidPurchase, lockForPurchase } from "#server/features/payments/buying/service.ts";
import { surplusUsedNotice } from "#server/features/payments/notices.ts";
import { listTwoPersonReasons } from "#server/features/payments/review/arrivals.ts";
import { factsOf, type Payment } from "#server/features/payments/service.ts";
import { oweUnallocated, takeBack } from "#server/features/payments/unallocated/service.ts";
import type { Round } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { useSurplusInput } from "#shared/payments/inputs.ts";
import { surplusTexts as texts } from "#shared/payments/surplus-texts.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { matchParts } from "./match-line.ts";
import { refreshAround } from "./suggestions.ts";
import { lockForUndoing, undoOne } from "./undo-match.ts";

/** Money that came beyond an approved payment's amount pays for another lot, because its backer wants so. */

type Using = z.output<typeof useSurplusInput>;

/**
 * Makes a purchase of lots of the round that a payment of the caller is of, and pays for it with what came beyond the
 * payment's amount: the line that brought it is matched anew, with both. The new payment waits for an owner. Throws
 * "not_found", or "conflict" if the caller can't buy the lots, or the money isn't there, not in one line, or takes two
 * people to be taken out.
 */
export async function useSurplus(ctx: ActorContext, input: Using): Promise<void> {
  const lineId = await inTransaction(ctx.db, (tx) => payBySurplus(tx, ctx, input));
  await refreshAround(ctx.db, [lineId]);
}

/** The same in the caller's transaction. Gives the line. */
export async function payBySurplus(tx: Tx, ctx: ActorContext, { paymentId, ...agreed }: Using): Promise<number> {
  const { lots } = agreed;
  const isOwn = and(eq(projectPayments.id, paymentId), eq(projectPayments.userId, ctx.actor.id));
  const [found] = await tx.select({ projectId: projectPayments.projectId }).from(projectPayments).where(isOwn);
  if (!found) throw new AppError("not_found", paymentTexts.gone);
  if (found.projectId === null) throw new AppError("conflict", texts.otherRound);
  const { project, round } = await lockForPurchase(tx, ctx, found.projectId);
  const amountKobo = round.lotPriceKobo * BigInt(lots);
  await requireUsable(tx, ctx, { paymentId, round });
  // Under the project's lock no other decides on the payment, gives money back or matches a line with it.
  const surplus = (await listSurpluses(tx, round, ctx.actor.id)).find((one) => one.paymentId === paymentId);
  if (!surplus || surplus.surplusKobo < amountKobo) throw new AppError("conflict", texts.tooLittle);
  const transfer = surplus.transfers.find((one) => one.amountKobo >= amountKobo);
  if (!transfer) throw new AppError("conflict", texts.noTransfer);
  const reference = await beginPaidPurchase(tx, ctx, { project, round, ...agreed });

  const { locked, lines } = await lockForUndoing(tx, { matchId: transfer.matchId });
  const [payment, line] = [locked.payments.get(paymentId), lines.get(transfer.lineId)];
  if (!payment || !line) throw new AppError("conflict", texts.tooLittle);
  const wasOwed = await takeEnoughBack(tx, ctx, { payment, surplus, amountKobo });
  const before = await readMoney(tx, payment);
  const without = { ...before, arrivedKobo: before.arrivedKobo - transfer.amountKobo };
  if ((await listTwoPersonReasons(tx, payment, { before, after: without })).length > 0) {
    throw new AppError("conflict", texts.needsTwo);
  }
  await undoOne(tx, ctx, { matchId: transfer.matchId, reason: texts.reason, isMoved: true });
  const restKobo = transfer.amountKobo - amountKobo;
  await matchParts(tx, ctx, {
    lineId: line.id,
    seenMatchedKobo: line.matchedKobo - transfer.amountKobo,
    parts: [
      ...(restKobo > 0n ? [{ kind: "payment" as const, paymentId, amountKobo: restKobo }] : []),
      { kind: "purchase", reference, amountKobo },
    ],
    isMoved: true,
  });
  const after = await readMoney(tx, payment);
  requireOnlySurplusLeft(before, after);
  const leftKobo = placesOf(after).unallocatedKobo;
  if (wasOwed && leftKobo > 0n) {
    await oweUnallocated(tx, ctx, { payment, project, amountKobo: leftKobo, reason: "surplus" });
  }

  const isNew = and(eq(projectPayments.reference, reference), eq(projectPayments.status, "pending"));
  const [made] = await tx.select().from(projectPayments).where(isNew);
  if (!made) throw new Error(`no payment was made of ${reference}`);
  await recordAudit(tx, ctx, "use_surplus", {
    paymentId: made.id,
    ofPaymentId: paymentId,
    projectId: project.id,
    projectTitle: project.title,
    lots,
    amountKobo: amountKobo.toString(),
    lineId: line.id,
  });
  await notify(tx, ctx, {
    ...surplusUsedNotice({ ...factsOf(ctx, made, project), backerName: ctx.actor.fullName }),
    userIds: await administratorsWith(tx, "payments:view"),
    kind: "receipt_submitted",
    projectId: project.id,
    aboutUserId: ctx.actor.id,
    eventKey: `payment:${made.id}:by_surplus`,
  });
  return line.id;
}

/**
 * Throws "conflict" if the payment isn't an approved one of the round that is sold, or another of theirs waits for a
 * decision.
 */
async function requireUsable(
  tx: Tx,
  ctx: ActorContext,
  { paymentId, round: { projectId, round, outcome } }: { paymentId: number; round: Round },
): Promise<void> {
  const isTheirs = and(eq(projectPayments.projectId, projectId), eq(projectPayments.userId, ctx.actor.id));
  const theirs = await tx
    .select({ id: projectPayments.id, status: projectPayments.status, round: projectPayments.round })
    .from(projectPayments)
    .where(isTheirs);
  const payment = theirs.find(({ id }) => id === paymentId);
  if (!payment || payment.round !== round || outcome !== null) throw new AppError("conflict", texts.otherRound);
  if (payment.status !== "approved") throw new AppError("conflict", texts.notApproved);
  if (theirs.some(({ status }) => status === "pending")) throw new AppError("conflict", texts.otherPending);
}

/**
 * Takes as many refunds of a surplus back as the sum needs. Says whether there was one. Throws "conflict" if one is on
 * its way.
 */
async function takeEnoughBack(
  tx: Tx,
  ctx: ActorContext,
  { payment, surplus, amountKobo }: { payment: Payment; surplus: Surplus; amountKobo: bigint },
): Promise<boolean> {
  let { unallocatedKobo } = surplus;
  for (const { refundId } of surplus.refunds) {
    if (unallocatedKobo >= amountKobo) break;
    unallocatedKobo += await takeBack(tx, ctx, { payment, refundId, reason: texts.reason });
  }
  return unallocatedKobo > surplus.unallocatedKobo;
}

/** The payment is as paid as before: what its line shows of it again takes no place of what people said. */
function requireOnlySurplusLeft(before: PaymentMoney, after: PaymentMoney): void {
  const isAsPaid = placesOf(after).missingKobo === placesOf(before).missingKobo && after.saidKobo === before.saidKobo;
  if (!isAsPaid) throw new AppError("conflict", texts.needsTwo);
}
