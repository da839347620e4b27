import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { isForeignKeyViolation, isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { supportByPayment, withdrawPaymentSupport } from "#server/features/backings/service.ts";
import { notify } from "#server/features/notifications/service.ts";
import { closeProject, lockProjectIfThere, type Project } from "#server/features/projects/service.ts";
import { findBankDetails } from "#server/features/settings/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { setPaymentStatusInput } from "#shared/payments.ts";
import { paymentTexts } from "#shared/payments-texts.ts";
import { type PaymentFacts, statusNotice, takenNotice } from "./emails.ts";
import { postApproval, postReversal } from "./ledger.ts";
import { findApprovedInRound, findOwnPayment, findReviewState, listOthersWaiting } from "./queries.ts";
import { newReference, sendingBlockedBy } from "./rules.ts";

/**
 * The order of locks is always project, reference, payment. Sending a receipt locks the project in share mode; deciding
 * on a payment locks it exclusively.
 */

export type Payment = typeof projectPayments.$inferSelect;

/**
 * The data of /back-project. Reserves the caller's reference on the first visit of an open project; with a reference a
 * receipt may be sent even after the project has closed. Throws "not_found".
 */
export async function openPaymentPage(ctx: ActorContext, { projectId }: { projectId: number }) {
  try {
    return await inTransaction(ctx.db, (tx) => readPaymentPage(tx, ctx, projectId));
  } catch (error) {
    // The project was deleted while its reference was reserved.
    if (!isForeignKeyViolation(error, "payment_references_project_id_projects_id_fk")) throw error;
    throw new AppError("not_found", paymentTexts.projectNotFound, { cause: error });
  }
}

/** It doesn't lock the project, because share locks of continuous visits would block an approval for ever. */
async function readPaymentPage(tx: Tx, ctx: ActorContext, projectId: number) {
  const [project] = await tx.select().from(projects).where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", paymentTexts.projectNotFound);
  const reference = await holdReference(tx, ctx, project);
  const bankDetails = await findBankDetails(tx);
  const ownPayment = await findOwnPayment(tx, projectId, ctx.actor.id);
  const { id, title, imageUrl, imageAlt, isClosed } = project;
  return {
    project: { id, title, imageUrl, imageAlt, isClosed },
    amountKobo: ownPayment?.status === "pending" ? ownPayment.amountKobo : project.fundingGoalKobo,
    reference,
    bankDetails: reference === null ? null : bankDetails,
    ownPayment,
    ...(await findReviewState(tx, project, ctx.actor.id)),
    blockedBy: sendingBlockedBy({ isClosed, reference, hasBankDetails: bankDetails !== null }),
  };
}

/**
 * The caller's reference, reserved now if the project is open. It is locked, so that the caller's submissions run one
 * by one.
 */
export async function holdReference(tx: Tx, ctx: ActorContext, project: Project): Promise<string | null> {
  const owner = { projectId: project.id, userId: ctx.actor.id };
  const find = () =>
    tx
      .select({ reference: paymentReferences.reference })
      .from(paymentReferences)
      .where(and(eq(paymentReferences.projectId, owner.projectId), eq(paymentReferences.userId, owner.userId)))
      .for("update");
  for (;;) {
    const [held] = await find();
    if (held) return held.reference;
    if (project.isClosed) return null;
    // Nothing is inserted if another visit was faster or the reference is taken, so the loop looks again.
    await tx
      .insert(paymentReferences)
      .values({ ...owner, reference: newReference(), createdAt: ctx.clock.now() })
      .onConflictDoNothing();
  }
}

/**
 * Sets a payment's status, in any direction, in one transaction with all its effects: ledger, funding, backing,
 * closing, audit entry, notifications and queued mails. Setting the current status changes nothing.
 * Throws "not_found", or "conflict" if status or receipt differ from what the administrator saw, the round is taken,
 * the project is deleted, or the backer has another pending payment for it.
 */
export async function setPaymentStatus(ctx: ActorContext, input: z.output<typeof setPaymentStatusInput>) {
  try {
    return await inTransaction(ctx.db, (tx) => changeStatus(tx, ctx, input));
  } catch (error) {
    if (isUniqueViolation(error, "project_payments_one_pending_per_backer")) {
      throw new AppError("conflict", paymentTexts.otherPending, { cause: error });
    }
    throw error;
  }
}

async function changeStatus(tx: Tx, ctx: ActorContext, input: z.output<typeof setPaymentStatusInput>) {
  const { payment, project, taken, receiptSha256 } = await lockPayment(tx, input.paymentId);
  const from = payment.status;
  const to = input.status;
  if (from !== input.seenStatus || receiptSha256 !== input.seenReceiptSha256) {
    throw new AppError("conflict", paymentTexts.changed);
  }
  const result = { paymentId: payment.id, projectId: payment.projectId, status: to };
  if (from === to) return result;

  const target = to === "approved" ? requireFreeRound(project, taken) : null;
  const reason = to === "rejected" ? input.reason || null : null;
  const now = ctx.clock.now();
  const decision =
    to === "pending" ? { decidedBy: null, decidedAt: null } : { decidedBy: ctx.actor.id, decidedAt: now };
  await tx
    .update(projectPayments)
    .set({
      status: to,
      round: target?.round ?? null,
      rejectionReason: reason,
      ...decision,
      updatedAt: now,
      // The administrator has refunded the payment or keeps it, so a closed account's address is no longer needed.
      refundEmail: null,
    })
    .where(eq(projectPayments.id, payment.id));
  const { userId, projectId } = payment;
  const posting = { payment, actorId: ctx.actor.id, at: now };
  if (target) {
    await supportByPayment(tx, { projectId: target.id, userId, at: now });
    await postApproval(tx, { ...posting, project: target });
  }
  if (from === "approved") {
    await postReversal(tx, posting);
    if (projectId !== null) await withdrawPaymentSupport(tx, { projectId, userId });
  }
  const auditId = await recordAudit(tx, ctx, "update_payment_status", {
    paymentId: payment.id,
    before: from,
    after: to,
    amountKobo: payment.amountKobo.toString(),
    projectId,
    projectTitle: payment.projectTitle,
    backerId: userId,
    reference: payment.reference,
    round: target?.round ?? payment.round,
    receiptSha256,
    reason,
  });
  await notify(tx, ctx, {
    ...statusNotice(factsOf(ctx, payment, project), { to, wasApproved: from === "approved", reason }),
    userIds: [userId],
    kind: "payment_status",
    projectId,
    eventKey: `payment:${payment.id}:${to}:${auditId}`,
  });
  if (target) {
    await notifyWaitingBackers(tx, ctx, { payment, project: target, auditId });
    if (!target.isClosed) {
      await closeProject(tx, ctx, { project: target, at: now, exceptUserId: userId, occasion: String(auditId) });
    }
  }
  return result;
}

/**
 * Locks the project, then its payment, and reads the facts for the decision. Under the project's lock no receipt can be
 * sent and no other payment approved. If the project is being deleted, the payment is detached.
 */
async function lockPayment(tx: Tx, paymentId: number) {
  const isIt = eq(projectPayments.id, paymentId);
  const projectOfIt = tx.select({ id: projectPayments.projectId }).from(projectPayments).where(isIt);
  const project = await lockProjectIfThere(tx, projectOfIt, "no key update");
  const [payment] = await tx.select().from(projectPayments).where(isIt).for("update");
  if (!payment) throw new AppError("not_found", paymentTexts.gone);
  const [receipt] = await tx
    .select({ sha256: paymentReceipts.sha256 })
    .from(paymentReceipts)
    .where(eq(paymentReceipts.id, payment.currentReceiptId));
  if (!receipt) throw new Error(`payment ${paymentId} has no receipt`);
  const taken = project ? await findApprovedInRound(tx, project) : undefined;
  return { payment, project, taken, receiptSha256: receipt.sha256 };
}

/** One approved payment per project and round: first come, first served. */
function requireFreeRound(
  project: Project | undefined,
  taken: Awaited<ReturnType<typeof findApprovedInRound>>,
): Project {
  if (!project) throw new AppError("conflict", paymentTexts.removedNotApprovable);
  if (taken) throw new AppError("conflict", paymentTexts.roundTaken(taken.decidedByName ?? "Unknown"));
  return project;
}

/** Notifies the backers with pending payments that another one was approved. */
async function notifyWaitingBackers(
  tx: Tx,
  ctx: ActorContext,
  { payment, project, auditId }: { payment: Payment; project: Project; auditId: number },
): Promise<void> {
  await notify(tx, ctx, {
    ...takenNotice({ publicUrl: ctx.env.publicUrl, projectTitle: project.title }),
    userIds: await listOthersWaiting(tx, project.id, payment.userId),
    kind: "payment_status",
    projectId: project.id,
    eventKey: `payment:${payment.id}:taken:${auditId}`,
  });
}

/** The project's current title, or the one stored with the payment. */
export function factsOf(ctx: ActorContext, payment: Payment, project: Project | undefined): PaymentFacts {
  const { projectId, amountKobo, reference } = payment;
  const projectTitle = project?.title ?? payment.projectTitle;
  return { publicUrl: ctx.env.publicUrl, projectId, projectTitle, amountKobo, reference };
}
