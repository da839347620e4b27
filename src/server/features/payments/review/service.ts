import { eq } from "drizzle-orm";
import type { z } from "zod";
import { refuseOwnMoney } from "#server/accounts/owners/who-may-confirm.ts";
import { postApproval, postReversal } from "#server/books/events/payments.ts";
import { type PaymentMoney, placesOf, readMoney } from "#server/books/places.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import type { NoticeText } from "#server/features/notifications/service.ts";
import { notify } from "#server/features/notifications/service.ts";
import { makeReceipts, makeRefundNotes, replacePapers } from "#server/features/papers/service.ts";
import {
  factsOf,
  findReviewDeadline,
  type LockedPayment,
  lockPayment,
  type Payment,
  restoreReference,
  retireReference,
} from "#server/features/payments/service.ts";
import { isStruck } from "#server/features/payments/strikes/queries.ts";
import { hasUnnamedMoney } from "#server/features/payments/unallocated/queries.ts";
import { type MadeRefund, makeRefundDue } from "#server/features/payments/unallocated/service.ts";
import { supportByPayment, withdrawPaymentSupport } from "#server/features/projects/backings/service.ts";
import { restoreEndAfterRejection } from "#server/features/projects/holds/arrivals.ts";
import { holdStands } from "#server/features/projects/holds/queries.ts";
import { consumeHold, endLapsedHolds } from "#server/features/projects/holds/service.ts";
import { isWrittenOff } from "#server/features/projects/rounds/queries.ts";
import {
  countApprovedLots,
  hasRoomFor,
  lockProject,
  lockRound,
  type Round,
} from "#server/features/projects/rounds/service.ts";
import { closeProject } from "#server/features/projects/service.ts";
import { findRefundDays } from "#server/features/settings/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { Kobo } from "#shared/money.ts";
import type { setPaymentStatusInput } from "#shared/payments/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";
import { paymentTexts, type RefundReason } from "#shared/payments/texts.ts";
import { writeOffTexts } from "#shared/second-person/texts.ts";
import { type Approval, type ConfirmedApproval, weighApproval } from "./approval.ts";
import { approvedNotice, pendingAgainNotice, rejectedNotice, takenNotice } from "./emails.ts";
import { listOthersLeftOut } from "./queries.ts";
import { requireNoHarvest, requireRoom, type Target } from "./room.ts";

/**
 * The four decisions on a payment: approve, reject, take the approval back, and reopen what was rejected. Each runs in a
 * transaction that has locked the payment, and makes all its effects there.
 */

/**
 * Sets a payment's status by one of the four decisions. Setting the current status changes nothing. Throws "not_found", or
 * "conflict" if status or receipt differ from what the administrator saw, or the backer has another pending payment for the
 * project; and what the decision itself throws.
 */
export async function setPaymentStatus(ctx: ActorContext, input: z.output<typeof setPaymentStatusInput>) {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const locked = await lockPayment(tx, input.paymentId);
      const { id: paymentId, userId, projectId } = locked.payment;
      await refuseOwnMoney(tx, ctx, { userId, hasReason: input.ownReason !== undefined });
      requireAsSeen(locked, input);
      await decide(tx, ctx, locked, input);
      return { paymentId, projectId, status: input.status };
    });
  } catch (error) {
    if (isUniqueViolation(error, "project_payments_one_pending_per_backer")) {
      throw new AppError("conflict", paymentTexts.otherPending, { cause: error });
    }
    throw error;
  }
}

async function decide(
  tx: Tx,
  ctx: ActorContext,
  locked: LockedPayment,
  input: z.output<typeof setPaymentStatusInput>,
): Promise<void> {
  if (input.status === locked.payment.status) return;
  if (input.status === "approved") await approvePayment(tx, ctx, locked, input);
  else if (input.status === "rejected") await rejectPayment(tx, ctx, locked, input);
  else if (locked.payment.status === "approved") await takeApprovalBack(tx, ctx, locked, input);
  else await reopenPayment(tx, ctx, locked, input);
}

type Seen = Pick<z.output<typeof setPaymentStatusInput>, "seenStatus" | "seenReceiptSha256">;

/** Throws "conflict" if the payment or its receipt has changed since an administrator looked at it. */
export function requireAsSeen({ payment, receipt }: LockedPayment, { seenStatus, seenReceiptSha256 }: Seen): void {
  const isAsSeen = payment.status === seenStatus && (receipt?.sha256 ?? null) === seenReceiptSha256;
  if (!isAsSeen) throw new AppError("conflict", paymentTexts.changed);
}

/** The reason why an only owner decides on their own payment. */
type OwnReason = { ownReason?: string | undefined };
/** `confirmed` is what a second person has confirmed. */
type Approving = OwnReason & { unseenReason?: string | undefined; confirmed?: ConfirmedApproval };

/**
 * Approves a payment that isn't approved. Its backer backs the project, the amount is posted, and a surplus is due
 * back, unless it is so small that it is kept. The last lot closes the project. Throws what {@link requireRoom} and
 * {@link weighApproval} throw.
 */
export async function approvePayment(
  tx: Tx,
  ctx: ActorContext,
  locked: LockedPayment,
  { ownReason, unseenReason, confirmed }: Approving,
): Promise<void> {
  const { payment } = locked;
  const at = ctx.clock.now();
  const actorId = ctx.actor.id;
  const target = await requireRoom(tx, ctx, locked);
  const approval = await weighApproval(tx, ctx, { payment, unseenReason: unseenReason ?? ownReason, confirmed });
  await writeStatus(tx, ctx, payment, { status: "approved", decidedBy: actorId, decidedAt: at });
  const { isSoldOut, money } = await moveApproval(tx, { payment, ...target, approval, actorId, at });
  // Where no line says whose money a surplus is, it stays unallocated until two people give it back.
  const { unallocatedKobo: surplusKobo } = placesOf(money);
  const isKept = surplusKobo > 0n && !confirmed && (await hasUnnamedMoney(tx, payment.id));
  const due = { amountKobo: surplusKobo, reason: "surplus" as const, requestId: confirmed?.requestId };
  const refund = isKept ? null : await owe(tx, ctx, payment, due);
  const auditId = await auditDecision(tx, ctx, locked, { after: "approved", ownReason, refund, more: approval.audit });
  await notifyWaitingBackers(tx, ctx, { payment, ...target, auditId });
  const { project } = target;
  if (isSoldOut && project.round === payment.round && !project.isClosed) {
    await closeProject(tx, ctx, { project, at, exceptUserId: payment.userId, occasion: String(auditId) });
  }
  await offerLotsLeft(tx, ctx, locked);
  // The counters of papers are the last locks, and the backer reads the numbers.
  const [receipt] = await makeReceipts(tx, [payment.id], at);
  const notice = approvedNotice(factsOf(ctx, payment, project), {
    refund: await withNote(tx, refund, at),
    keptKobo: approval.keptKobo,
    receipt,
  });
  await notifyBacker(tx, ctx, payment, { to: "approved", notice, auditId });
}

type Rejecting = OwnReason & {
  /** For the backer. */
  reason?: string | undefined;
  /** Owes what has arrived to the backer. */
  isGivenBack?: boolean | undefined;
  /** The request that a second person has confirmed. */
  requestId?: number;
};

/**
 * Rejects a payment, and takes its approval back if it had one. Throws "conflict" if what has arrived is to be given back and
 * no line says whose it is, and what {@link requireMayTakeBack} throws.
 */
export async function rejectPayment(
  tx: Tx,
  ctx: ActorContext,
  locked: LockedPayment,
  { ownReason, reason = "", isGivenBack = false, requestId }: Rejecting,
): Promise<void> {
  const { payment, project, round } = locked;
  const at = ctx.clock.now();
  const wasApproved = payment.status === "approved";
  const rejectionReason = reason || null;
  if (wasApproved) await requireMayTakeBack(tx, payment);
  await writeStatus(tx, ctx, payment, { status: "rejected", rejectionReason, decidedBy: ctx.actor.id, decidedAt: at });
  if (payment.status === "pending") await restoreEndAfterRejection(tx, payment.reference, at);
  if (wasApproved) await moveApprovalBack(tx, ctx, locked);
  const arrivedKobo = await readUnallocated(tx, payment);
  if (isGivenBack && arrivedKobo > 0n && requestId === undefined && (await hasUnnamedMoney(tx, payment.id))) {
    throw new AppError("conflict", paymentTexts.unnamedRejected);
  }
  const due = { amountKobo: arrivedKobo, reason: refundReasonOf(payment, round), requestId };
  const refund = isGivenBack ? await owe(tx, ctx, payment, due) : null;
  const more = { reason: rejectionReason, ...(wasApproved && { arrivedKobo: arrivedKobo.toString() }) };
  const auditId = await auditDecision(tx, ctx, locked, { after: "rejected", ownReason, refund, more });
  await offerLotsLeft(tx, ctx, locked);
  const told = { wasApproved, reason: rejectionReason, refund: await withNote(tx, refund, at) };
  const notice = rejectedNotice(factsOf(ctx, payment, project), told);
  await notifyBacker(tx, ctx, payment, { to: "rejected", notice, auditId });
}

/**
 * Sets an approved payment back to pending; what has arrived of it is unallocated. Throws what {@link
 * requireMayTakeBack} does.
 */
async function takeApprovalBack(tx: Tx, ctx: ActorContext, locked: LockedPayment, { ownReason }: OwnReason) {
  const { payment, project } = locked;
  await requireMayTakeBack(tx, payment);
  await writeStatus(tx, ctx, payment, await pendingAgain(tx, ctx));
  await moveApprovalBack(tx, ctx, locked);
  const more = { arrivedKobo: (await readUnallocated(tx, payment)).toString() };
  const auditId = await auditDecision(tx, ctx, locked, { after: "pending", ownReason, more });
  await offerLotsLeft(tx, ctx, locked);
  const notice = pendingAgainNotice(factsOf(ctx, payment, project), { wasApproved: true });
  await notifyBacker(tx, ctx, payment, { to: "pending", notice, auditId });
}

/**
 * Sets a rejected payment back to pending. Breaks a unique index if the backer has another pending payment for the
 * project.
 */
async function reopenPayment(tx: Tx, ctx: ActorContext, locked: LockedPayment, { ownReason }: OwnReason) {
  const { payment, project } = locked;
  await writeStatus(tx, ctx, payment, await pendingAgain(tx, ctx));
  const auditId = await auditDecision(tx, ctx, locked, { after: "pending", ownReason });
  await offerLotsLeft(tx, ctx, locked);
  const notice = pendingAgainNotice(factsOf(ctx, payment, project), { wasApproved: false });
  await notifyBacker(tx, ctx, payment, { to: "pending", notice, auditId });
}

/** A payment that is reviewed again has a new promise. */
const pendingAgain = async (tx: Tx, ctx: ActorContext) => ({
  status: "pending" as const,
  decidedBy: null,
  decidedAt: null,
  reviewBy: await findReviewDeadline(tx, ctx, ctx.clock.now()),
});

/** Throws "conflict" if an approved payment was struck, its round was written off, or one of its harvests has opened. */
async function requireMayTakeBack(tx: Tx, { id }: Payment): Promise<void> {
  if (await isWrittenOff(tx, id)) throw new AppError("conflict", writeOffTexts.writtenOff);
  if (await isStruck(tx, id)) throw new AppError("conflict", strikeTexts.struckAlready);
  await requireNoHarvest(tx, { approvedPaymentId: id });
}

type StatusColumns = Pick<Payment, "status" | "decidedBy" | "decidedAt"> & {
  rejectionReason?: string | null;
  reviewBy?: Date;
};

async function writeStatus(
  tx: Tx,
  { clock }: ActorContext,
  { id }: Payment,
  { rejectionReason = null, ...columns }: StatusColumns,
): Promise<void> {
  await tx
    .update(projectPayments)
    // The administrator has refunded the payment or keeps it, so a closed account's address is no longer needed.
    .set({ ...columns, rejectionReason, updatedAt: clock.now(), refundEmail: null })
    .where(eq(projectPayments.id, id));
}

const readUnallocated = async (tx: Tx, payment: Payment) => placesOf(await readMoney(tx, payment)).unallocatedKobo;

/** Makes a refund with a decision; null for an amount of nothing. */
async function owe(
  tx: Tx,
  ctx: ActorContext,
  payment: Payment,
  due: { amountKobo: Kobo; reason: RefundReason; requestId: number | undefined },
): Promise<MadeRefund | null> {
  if (due.amountKobo === 0n) return null;
  return makeRefundDue(tx, { payment, ...due, actorId: ctx.actor.id, at: ctx.clock.now() });
}

/** The reason for which a rejection gives money back. */
function refundReasonOf(payment: Payment, round: Round | undefined): RefundReason {
  if (payment.status !== "pending" || !round) return "not_approved";
  if (round.outcome === "not_funded") return "not_funded";
  return hasRoomFor({ ...round, heldLots: 0 }, payment.lots) ? "not_approved" : "lots_gone";
}

/** Adds the number of the refund's note, which is made last. */
async function withNote(tx: Tx, refund: MadeRefund | null, at: Date) {
  if (refund === null) return null;
  const [note] = await makeRefundNotes(tx, [refund.id], at);
  return { ...refund, note };
}

type AuditedDecision = OwnReason & {
  after: PaymentStatus;
  refund?: MadeRefund | null;
  more?: Record<string, string | number | null>;
};

/**
 * Records a decision in the audit log, and gives the entry's id: with it the notice of each decision has a key of its
 * own.
 */
async function auditDecision(
  tx: Tx,
  ctx: ActorContext,
  { payment, receipt }: LockedPayment,
  { after, ownReason, refund, more }: AuditedDecision,
): Promise<number> {
  return recordAudit(tx, ctx, "update_payment_status", {
    paymentId: payment.id,
    before: payment.status,
    after,
    amountKobo: payment.amountKobo.toString(),
    lots: payment.lots,
    projectId: payment.projectId,
    projectTitle: payment.projectTitle,
    backerId: payment.userId,
    reference: payment.reference,
    round: payment.round,
    receiptSha256: receipt?.sha256 ?? null,
    reason: null,
    ...(ownReason !== undefined && { ownReason }),
    ...more,
    ...(refund && { refundKobo: refund.amountKobo.toString() }),
  });
}

async function notifyBacker(
  tx: Tx,
  ctx: ActorContext,
  { id, userId, projectId }: Payment,
  { to, notice, auditId }: { to: PaymentStatus; notice: NoticeText; auditId: number },
): Promise<void> {
  const eventKey = `payment:${id}:${to}:${auditId}`;
  await notify(tx, ctx, { ...notice, userIds: [userId], kind: "payment_status", projectId, eventKey });
}

/** Offers lots that a decision left free to the waiting list, after ending lapsed holds. */
async function offerLotsLeft(tx: Tx, ctx: ActorContext, { project, round }: LockedPayment): Promise<void> {
  if (!project || !round) return;
  // The decision has changed both since they were locked.
  const current = await lockProject(tx, project.id);
  await endLapsedHolds(tx, ctx, { project: current, round: await lockRound(tx, round) });
}

type Decided = { payment: Payment; actorId: string; at: Date };

/** Moves the backing, the money and the lots of an approval. Gives its money, and whether the round is sold out now. */
async function moveApproval(
  tx: Tx,
  { payment, project, round: locked, hold, approval, actorId, at }: Decided & Target & { approval: Approval },
): Promise<{ isSoldOut: boolean; money: PaymentMoney }> {
  const round = hold ? await consumeHold(tx, locked, hold, at) : locked;
  await supportByPayment(tx, { projectId: project.id, userId: payment.userId, at });
  const { money: before, writtenOffKobo } = approval;
  const money = await postApproval(tx, { payment, project, before, writtenOffKobo, actorId, at });
  if (!(await holdStands(tx, payment.reference, at))) await retireReference(tx, payment.reference, at);
  return { isSoldOut: await countApprovedLots(tx, round, payment.lots, at), money };
}

async function moveApprovalBack(tx: Tx, ctx: ActorContext, { payment, round }: LockedPayment): Promise<void> {
  await reverseApproval(tx, { payment, round, actorId: ctx.actor.id, at: ctx.clock.now() });
  await restoreReference(tx, payment);
}

/**
 * Reverses the posting, the papers, the backing and the lots of an approval: what has arrived is unallocated again. A
 * payment of a deleted project has no round and no backing any more.
 */
export async function reverseApproval(
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
  const facts = { site: ctx.site.current(), projectTitle: project.title, lots: round.lots };
  await notify(tx, ctx, {
    ...takenNotice({ ...facts, refundDays: await findRefundDays(tx) }),
    userIds,
    kind: "payment_status",
    projectId: project.id,
    eventKey: `payment:${payment.id}:taken:${auditId}`,
  });
}
