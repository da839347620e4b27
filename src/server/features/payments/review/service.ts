import { eq } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owner-terms.ts";
import { postApproval, postReversal } from "#server/books/events/payments.ts";
import { placesOf, readMoney } from "#server/books/places.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { notify } from "#server/features/notifications/service.ts";
import { makeReceipts, makeRefundNotes, replacePapers } from "#server/features/papers/service.ts";
import {
  factsOf,
  lockPayment,
  type Payment,
  type Receipt,
  restoreReference,
  retireReference,
} from "#server/features/payments/service.ts";
import { hasRefundDue, hasUnnamedMoney } from "#server/features/payments/unallocated/queries.ts";
import { makeRefundDue } from "#server/features/payments/unallocated/service.ts";
import { supportByPayment, withdrawPaymentSupport } from "#server/features/projects/backings/service.ts";
import { extendByRejection } from "#server/features/projects/holds/arrivals.ts";
import { findOwnHold, type Hold, holdStands } from "#server/features/projects/holds/queries.ts";
import { consumeHold, settleHolds } from "#server/features/projects/holds/service.ts";
import { findHarvestRefusal, isWrittenOff } from "#server/features/projects/rounds/queries.ts";
import {
  countApprovedLots,
  freeLots,
  hasRoomFor,
  lockProject,
  lockRound,
  type Project,
  type Round,
  type RoundKey,
} from "#server/features/projects/rounds/service.ts";
import { closeProject } from "#server/features/projects/service.ts";
import { findRefundDays } from "#server/features/settings/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { setPaymentStatusInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentTexts, type RefundReason } from "#shared/payments/texts.ts";
import { writeOffTexts } from "#shared/second-person/texts.ts";
import { type Approval, type ConfirmedApproval, weighApproval } from "./approval.ts";
import { statusNotice, takenNotice } from "./emails.ts";
import { findApproverInRound, listOthersLeftOut } from "./queries.ts";

/**
 * Sets a payment's status, in any direction, in one transaction with all its effects: ledger, funding, backing,
 * closing, refunds, audit entry, notifications and queued mails. Setting the current status changes nothing.
 * Throws "not_found", "invalid" if the bank doesn't wholly show what is approved and no reason is given, or "conflict" if
 * status or receipt differ from what the administrator saw, too few lots of its round are free, a refund of it stands, a
 * second person is needed, the project is deleted, or the backer has another pending payment for it.
 */
export async function setPaymentStatus(ctx: ActorContext, input: z.output<typeof setPaymentStatusInput>) {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const { payment } = await lockPayment(tx, input.paymentId);
      await refuseOwnMoney(tx, ctx, { userId: payment.userId, hasReason: input.ownReason !== undefined });
      return changeStatus(tx, ctx, input);
    });
  } catch (error) {
    if (isUniqueViolation(error, "project_payments_one_pending_per_backer")) {
      throw new AppError("conflict", paymentTexts.otherPending, { cause: error });
    }
    throw error;
  }
}

type Seen = "seenStatus" | "seenReceiptSha256";

type StatusChange = z.output<typeof setPaymentStatusInput>;

/** Without what was seen where nobody looked at the payment's row: the statement speaks for it, or a second person. */
type InnerStatusChange = Omit<StatusChange, Seen> & Partial<Pick<StatusChange, Seen>>;

/** The same within somebody's transaction. `confirmed` is what a second person has confirmed. */
export async function changeStatus(tx: Tx, ctx: ActorContext, input: InnerStatusChange, confirmed?: ConfirmedApproval) {
  const { payment, project, round, receipt } = await lockPayment(tx, input.paymentId);
  const receiptSha256 = receipt?.sha256 ?? null;
  const from = payment.status;
  const to = input.status;
  const { seenStatus = from, seenReceiptSha256 = receiptSha256 } = input;
  if (from !== seenStatus || receiptSha256 !== seenReceiptSha256) throw new AppError("conflict", paymentTexts.changed);
  const result = { paymentId: payment.id, projectId: payment.projectId, status: to };
  if (from === to) return result;

  if (from === "approved" && (await isWrittenOff(tx, payment.id)))
    throw new AppError("conflict", writeOffTexts.writtenOff);
  if (from === "approved") await requireNoHarvest(tx, { approvedPaymentId: payment.id });
  const unseenReason = input.unseenReason ?? input.ownReason;
  const target = to === "approved" ? await requireRoom(tx, ctx, { payment, receipt, project, round }) : null;
  const approval = target && (await weighApproval(tx, ctx, { payment, unseenReason, confirmed }));
  const reason = to === "rejected" ? input.reason || null : null;
  const now = ctx.clock.now();
  const decision =
    to === "pending" ? { decidedBy: null, decidedAt: null } : { decidedBy: ctx.actor.id, decidedAt: now };
  await tx
    .update(projectPayments)
    .set({
      status: to,
      rejectionReason: reason,
      ...decision,
      updatedAt: now,
      // The administrator has refunded the payment or keeps it, so a closed account's address is no longer needed.
      refundEmail: null,
    })
    .where(eq(projectPayments.id, payment.id));
  const { userId, projectId } = payment;
  if (to === "rejected" && from === "pending") await extendByRejection(tx, payment.reference, now);
  const posting = { payment, actorId: ctx.actor.id, at: now };
  const isSoldOut = target && approval ? await approve(tx, { ...posting, ...target, approval }) : false;
  if (from === "approved") {
    await takeApprovalBack(tx, { ...posting, round });
    await restoreReference(tx, payment);
  }
  const { unallocatedKobo } = placesOf(await readMoney(tx, payment));
  const refundReason = refundReasonOf({ payment, round }, { to, isGivenBack: input.isGivenBack ?? false });
  // Where no line says whose money it is, it stays unallocated until two people give it back.
  const isKept = refundReason !== null && unallocatedKobo > 0n && !confirmed && (await hasUnnamedMoney(tx, payment.id));
  if (isKept && to === "rejected") throw new AppError("conflict", paymentTexts.unnamedRejected);
  const refundKobo = refundReason && unallocatedKobo > 0n && !isKept ? unallocatedKobo : null;
  const refund =
    refundReason && refundKobo
      ? await makeRefundDue(tx, {
          ...posting,
          amountKobo: refundKobo,
          reason: refundReason,
          requestId: confirmed?.requestId,
        })
      : null;
  const auditId = await recordAudit(tx, ctx, "update_payment_status", {
    paymentId: payment.id,
    before: from,
    after: to,
    amountKobo: payment.amountKobo.toString(),
    lots: payment.lots,
    projectId,
    projectTitle: payment.projectTitle,
    backerId: userId,
    reference: payment.reference,
    round: payment.round,
    receiptSha256,
    reason,
    ...(input.ownReason !== undefined && { ownReason: input.ownReason }),
    ...approval?.audit,
    ...(from === "approved" && { arrivedKobo: unallocatedKobo.toString() }),
    ...(refundKobo && { refundKobo: refundKobo.toString() }),
  });
  if (target) {
    await notifyWaitingBackers(tx, ctx, { payment, ...target, auditId });
    const isCurrent = target.project.round === payment.round;
    if (isSoldOut && isCurrent && !target.project.isClosed) {
      await closeProject(tx, ctx, {
        project: target.project,
        at: now,
        exceptUserId: userId,
        occasion: String(auditId),
      });
    }
  }
  if (project && round) await offerFreed(tx, ctx, project.id, round);
  // The counters of papers are the last locks, and the backer reads the numbers.
  const [paper] = to === "approved" ? await makeReceipts(tx, [payment.id], now) : [];
  const [note] = refund ? await makeRefundNotes(tx, [refund.id], now) : [];
  await notify(tx, ctx, {
    ...statusNotice(factsOf(ctx, payment, project), {
      to,
      wasApproved: from === "approved",
      reason,
      refund: refund && { ...refund, note },
      receipt: paper,
    }),
    userIds: [userId],
    kind: "payment_status",
    projectId,
    eventKey: `payment:${payment.id}:${to}:${auditId}`,
  });
  return result;
}

/**
 * Why what is unallocated of a payment after a decision is owed to the backer; null if it stays so. After an approval only a
 * surplus is.
 */
function refundReasonOf(
  { payment, round }: { payment: Payment; round: Round | undefined },
  { to, isGivenBack }: { to: PaymentStatus; isGivenBack: boolean },
): RefundReason | null {
  if (to === "approved") return "surplus";
  if (to !== "rejected" || !isGivenBack) return null;
  if (payment.status !== "pending" || !round) return "not_approved";
  if (round.outcome === "not_funded") return "not_funded";
  return hasRoomFor({ ...round, heldLots: 0 }, payment.lots) ? "not_approved" : "lots_gone";
}

/** Lots that a decision left free go to the waiting list. */
async function offerFreed(tx: Tx, ctx: ActorContext, projectId: number, round: RoundKey): Promise<void> {
  const project = await lockProject(tx, projectId);
  await settleHolds(tx, ctx, { project, round: await lockRound(tx, round) });
}

/** `hold` is what the payment was made under, or what is offered to its payer. */
type Target = { project: Project; round: Round; hold: Hold | undefined };

/**
 * Whether a payment uses a hold up: an offer to its payer, or the hold that its receipt is for. After a rejection the
 * payer may hold other lots under the same reference.
 */
const isUsedBy = (hold: Hold, payment: Payment, receipt: Receipt | null): boolean =>
  hold.reference === null ||
  (hold.reference === payment.reference &&
    hold.lots === payment.lots &&
    hold.createdAt <= (receipt ?? payment).createdAt);

/** What backings count is frozen once the first harvest of the round opened. Throws "conflict" then. */
async function requireNoHarvest(tx: Tx, asked: Parameters<typeof findHarvestRefusal>[1]): Promise<void> {
  const refusal = await findHarvestRefusal(tx, asked);
  if (refusal !== null) throw new AppError("conflict", refusal);
}

/** A payment is approved in its own round only, if that many lots are free and no refund of it stands. */
export async function requireRoom(
  tx: Tx,
  ctx: ActorContext,
  { payment, receipt, project, round }: Awaited<ReturnType<typeof lockPayment>>,
): Promise<Target> {
  if (!project || !round) throw new AppError("conflict", paymentTexts.removedNotApprovable);
  if (round.outcome === "not_funded") throw new AppError("conflict", paymentTexts.notFunded);
  if (round.outcome === "written_off") throw new AppError("conflict", writeOffTexts.writtenOff);
  await requireNoHarvest(tx, round);
  if (await hasRefundDue(tx, payment.id)) throw new AppError("conflict", paymentTexts.refundStands);
  if (payment.termsVersion !== round.termsVersion) throw new AppError("conflict", paymentTexts.otherTerms);
  const settled = await settleHolds(tx, ctx, { project, round });
  const own = await findOwnHold(tx, settled, payment.userId);
  const hold = own && isUsedBy(own, payment, receipt) ? own : undefined;
  const forThem = { ...settled, heldLots: settled.heldLots - (hold?.lots ?? 0) };
  if (hasRoomFor(forThem, payment.lots)) return { project, round: settled, hold };
  const isWhole = round.lots === 1 && round.approvedLots === 1 && payment.lots === 1;
  if (!isWhole) throw new AppError("conflict", paymentTexts.lotsNotFree(freeLots(forThem), payment.lots));
  const approvedBy = await findApproverInRound(tx, round);
  throw new AppError("conflict", paymentTexts.roundTaken(approvedBy ?? "Unknown"));
}

type Decided = { payment: Payment; actorId: string; at: Date };

/** What an approval moves besides the status. Returns whether the round is sold out now. */
async function approve(
  tx: Tx,
  { payment, project, round: locked, hold, approval, actorId, at }: Decided & Target & { approval: Approval },
): Promise<boolean> {
  const round = hold ? await consumeHold(tx, locked, hold, at) : locked;
  await supportByPayment(tx, { projectId: project.id, userId: payment.userId, at });
  await postApproval(tx, { payment, project, writtenOffKobo: approval.writtenOffKobo, actorId, at });
  if (!(await holdStands(tx, payment.reference, at))) await retireReference(tx, payment.reference, at);
  return countApprovedLots(tx, round, payment.lots, at);
}

/**
 * Undoes what the approval moved. What has arrived is unallocated again. A detached payment has no round and no backing any
 * more.
 */
export async function takeApprovalBack(
  tx: Tx,
  { payment, round, actorId, at }: Decided & { round: Round | undefined },
): Promise<void> {
  await postReversal(tx, { payment, actorId, at });
  await replacePapers(tx, { paymentId: payment.id }, at);
  if (!round) return;
  const { projectId } = round;
  await withdrawPaymentSupport(tx, { projectId, userId: payment.userId });
  await countApprovedLots(tx, round, -payment.lots, at);
}

/** Notifies the backers whose pending payments no longer fit into the round. */
async function notifyWaitingBackers(
  tx: Tx,
  ctx: ActorContext,
  { payment, project, round, auditId }: Pick<Target, "project" | "round"> & { payment: Payment; auditId: number },
): Promise<void> {
  const free = round.lots - round.approvedLots - payment.lots;
  const userIds = await listOthersLeftOut(tx, payment, free);
  if (userIds.length === 0) return;
  const facts = { publicUrl: ctx.env.publicUrl, projectTitle: project.title, lots: round.lots };
  await notify(tx, ctx, {
    ...takenNotice({ ...facts, refundDays: await findRefundDays(tx) }),
    userIds,
    kind: "payment_status",
    projectId: project.id,
    eventKey: `payment:${payment.id}:taken:${auditId}`,
  });
}
