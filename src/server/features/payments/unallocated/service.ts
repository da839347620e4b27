import { and, eq, isNull, sum } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owners/who-may-confirm.ts";
import { postRefundDue, postRefundTakenBack } from "#server/books/events/payments.ts";
import { placesOf, readMoney } from "#server/books/places.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { notify } from "#server/features/notifications/service.ts";
import { makeRefundNotes, replacePapers } from "#server/features/papers/service.ts";
import { isStandingRefund } from "#server/features/payments/queries.ts";
import { factsOf, lockPayment, type Payment } from "#server/features/payments/service.ts";
import { cancelPayouts, makePayouts, owedBy } from "#server/features/payouts/service.ts";
import type { Project } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { Kobo } from "#shared/money.ts";
import type { giveUnallocatedBackInput, takeRefundBackInput } from "#shared/payments/inputs.ts";
import { paymentTexts, type RefundReason } from "#shared/payments/texts.ts";
import { refundDueNotice, refundTakenBackNotice } from "./emails.ts";
import { hasUnnamedMoney } from "./queries.ts";

/** Refunds, and what an owner does with the unallocated money of a payment apart from deciding on it. */

type NewRefund = {
  payment: typeof projectPayments.$inferSelect;
  amountKobo: Kobo;
  reason: typeof refunds.$inferInsert.reason;
  /** The request that a second person confirmed. */
  requestId?: number | undefined;
  actorId: string;
  at: Date;
};

/** A refund that was just made, as its backer is told of it. */
export type MadeRefund = { id: number; amountKobo: Kobo; isAccountKnown: boolean };

/**
 * Makes a refund of unallocated money of the payment, owes it to the backer, and makes its payouts. Gives whether it is known
 * where to pay to.
 */
export async function makeRefundDue(tx: Tx, refund: NewRefund): Promise<MadeRefund> {
  const { payment, amountKobo, reason, requestId, actorId, at } = refund;
  const { id: paymentId, userId } = payment;
  const [made] = await tx
    .insert(refunds)
    .values({ paymentId, userId, amountKobo, reason, requestId, madeBy: actorId, createdAt: at })
    .returning({ id: refunds.id });
  if (!made) throw new Error("the refund was not written");
  await postRefundDue(tx, { payment, amountKobo, actorId, at });
  const { projectId, projectTitle, round } = payment;
  const kind = reason === "surplus" ? "surplus" : "refund";
  const about = { refundId: made.id, paymentId, projectId, projectTitle, round };
  const { isAccountKnown } = await makePayouts(tx, [{ kind, userId, ...about, amountKobo, at }]);
  return { id: made.id, amountKobo, isAccountKnown };
}

type GivingBack = z.output<typeof giveUnallocatedBackInput>;

/**
 * Owes what is unallocated of a payment to its backer. Throws what {@link lockUnallocated} does, and "conflict" with
 * the need of a second person where no line says whose money it is.
 */
export async function giveUnallocatedBack(ctx: ActorContext, input: GivingBack): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockUnallocated(tx, input);
    const { id, userId } = locked.payment;
    // The decision that left it unallocated has its reason.
    await refuseOwnMoney(tx, ctx, { userId, hasReason: true });
    if (await hasUnnamedMoney(tx, id)) {
      throw new AppError("conflict", paymentTexts.unnamed, { details: { needs: "second_person" } });
    }
    await oweUnallocated(tx, ctx, locked);
  });
}

/**
 * Locks a payment, and gives what is unallocated of it: all of a rejected one, the surplus of an approved one. Throws
 * "not_found", or "conflict" if the payment waits for a decision, nothing is unallocated, or it is another sum than the
 * owner saw.
 */
export async function lockUnallocated(tx: Tx, { paymentId, seenUnallocatedKobo }: GivingBack): Promise<Unallocated> {
  const { payment, project } = await lockPayment(tx, paymentId);
  if (payment.status === "pending") throw new AppError("conflict", paymentTexts.rejectFirst);
  const { unallocatedKobo: amountKobo } = placesOf(await readMoney(tx, payment));
  if (amountKobo === 0n) throw new AppError("conflict", paymentTexts.nothingUnallocated);
  if (amountKobo !== seenUnallocatedKobo) throw new AppError("conflict", paymentTexts.unallocatedChanged);
  return { payment, project, amountKobo, reason: payment.status === "approved" ? "surplus" : "not_approved" };
}

type Unallocated = {
  payment: Payment;
  project: Project | undefined;
  amountKobo: Kobo;
  reason: RefundReason;
  /** The request that a second person confirmed. */
  requestId?: number;
};

/** Makes a refund of what is unallocated of a payment without a decision on it, and tells its backer. */
export async function oweUnallocated(
  tx: Tx,
  ctx: ActorContext,
  { payment, project, amountKobo, reason, requestId }: Unallocated,
): Promise<void> {
  const at = ctx.clock.now();
  const refund = await makeRefundDue(tx, { payment, amountKobo, reason, requestId, actorId: ctx.actor.id, at });
  const refundId = refund.id;
  await recordAudit(tx, ctx, "make_refund_due", {
    refundId,
    paymentId: payment.id,
    amountKobo: amountKobo.toString(),
    reason,
    projectId: payment.projectId,
    backerId: payment.userId,
    ...(requestId !== undefined && { requestId }),
  });
  const [note] = await makeRefundNotes(tx, [refundId], at);
  await notify(tx, ctx, {
    ...refundDueNotice(factsOf(ctx, payment, project), { ...refund, note, reason }),
    userIds: [payment.userId],
    kind: "payment_status",
    projectId: payment.projectId,
    eventKey: `refund:${refundId}:due`,
  });
}

/**
 * Takes back that a refund is due: its money is the payment's again. Throws "not_found" if it isn't due any more, or
 * "conflict" if it is on its way already.
 */
export async function takeRefundBack(ctx: ActorContext, input: z.output<typeof takeRefundBackInput>): Promise<void> {
  const { refundId, reason } = input;
  await inTransaction(ctx.db, async (tx) => {
    const isIt = and(eq(refunds.id, refundId), isStandingRefund);
    const [found] = await tx.select().from(refunds).where(isIt);
    if (!found) throw new AppError("not_found", paymentTexts.refundGone);
    const { payment, project } = await lockPayment(tx, found.paymentId);
    await refuseOwnMoney(tx, ctx, { userId: payment.userId, hasReason: true });
    const amountKobo = await takeBack(tx, ctx, { payment, refundId, reason });
    await notify(tx, ctx, {
      ...refundTakenBackNotice(factsOf(ctx, payment, project), { amountKobo, reason }),
      userIds: [payment.userId],
      kind: "payment_status",
      projectId: payment.projectId,
      eventKey: `refund:${refundId}:taken_back`,
    });
  });
}

/**
 * Takes back that a refund of a locked payment is due, without telling its backer. Gives its sum. Throws what {@link
 * takeRefundBack} does.
 */
export async function takeBack(
  tx: Tx,
  ctx: ActorContext,
  { payment, refundId, reason }: { payment: Payment; refundId: number; reason: string },
): Promise<Kobo> {
  const at = ctx.clock.now();
  const isIt = and(eq(refunds.id, refundId), isStandingRefund);
  const takenBack = { takenBackAt: at, takenBackBy: ctx.actor.id, takenBackReason: reason };
  // Under the payment's lock nobody else takes it back, but somebody may have done so before.
  const [refund] = await tx.update(refunds).set(takenBack).where(isIt).returning();
  if (!refund) throw new AppError("not_found", paymentTexts.refundGone);
  const { amountKobo } = refund;
  await requireNotLost(tx, payment.id);
  const owed = owedBy(await cancelPayouts(tx, { refundId, at }));
  await replacePapers(tx, { refundId }, at);
  await postRefundTakenBack(tx, { payment, owed, actorId: ctx.actor.id, at });
  await recordAudit(tx, ctx, "take_refund_back", {
    refundId,
    paymentId: payment.id,
    amountKobo: amountKobo.toString(),
    reason,
    projectId: payment.projectId,
    backerId: payment.userId,
  });
  return amountKobo;
}

/**
 * Throws "conflict" for money that was given back and then taken by the bank: it is lost, and can't be allocated again.
 */
async function requireNotLost(tx: Tx, paymentId: number): Promise<void> {
  const isOfPayment = and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "loss"));
  const [lost] = await tx
    .select({ kobo: sum(lineMatches.amountKobo).mapWith(BigInt) })
    .from(lineMatches)
    .where(and(isOfPayment, isNull(lineMatches.undoneAt)));
  const [due] = await tx
    .select({ kobo: sum(refunds.amountKobo).mapWith(BigInt) })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), isStandingRefund));
  if ((lost?.kobo ?? 0n) > (due?.kobo ?? 0n)) throw new AppError("conflict", paymentTexts.refundLost);
}
