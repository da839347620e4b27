import { randomUUID } from "node:crypto";
import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify } from "#server/features/notifications/service.ts";
import { factsOf, findReviewDeadline, type Payment, writePayment } from "#server/features/payments/service.ts";
import { extendByReceipt } from "#server/features/projects/holds/arrivals.ts";
import { countLotsHeld, holdStands } from "#server/features/projects/holds/queries.ts";
import { findRound, lockProject, type Project, type Round } from "#server/features/projects/rounds/service.ts";
import { findBankDetails, findHoldHours } from "#server/features/settings/queries.ts";
import { signLink } from "#server/files/signed-links.ts";
import { discardUpload } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { SIGNED_LINK_SECONDS } from "#shared/files.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdLimits } from "#shared/projects/holds-texts.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { receiptNotice } from "./emails.ts";
import { findReference, hasAgreedTo, type Purchase } from "./references.ts";
import { findMostLots } from "./service.ts";

type SubmittedReceipt = {
  projectId: number;
  /** Counts for a new payment only. */
  lots: number;
  idempotencyKey: string;
  /** Already stored under its key. It is removed if the submission is refused or a repetition. */
  file: { key: string; sha256: string; bytes: number; contentType: string; originalName: string };
};

/**
 * Stores a receipt: for a new payment of so many lots of the project's round, or replacing the receipt of the caller's
 * pending payment. Repeated requests with the same key get the same reply and make one row, whenever they arrive.
 * Throws "not_found", "conflict" (closed without a reference, too few lots left, no bank details, key used for another
 * project, two others under review).
 */
export async function submitReceipt(ctx: ActorContext, input: SubmittedReceipt): Promise<SubmitReply> {
  try {
    const { reply, isReplay } = await inTransaction(ctx.db, (tx) => keepReceipt(tx, ctx, input));
    if (isReplay) await discardUpload(ctx, input.file.key);
    return reply;
  } catch (caught) {
    const isKeyTaken = isUniqueViolation(caught, "payment_receipts_idempotency_key");
    const error = isKeyTaken ? new AppError("conflict", paymentTexts.keyUsedElsewhere, { cause: caught }) : caught;
    // Only a refusal guarantees a rollback. After another failure an orphaned file is swept later.
    if (error instanceof AppError) await discardUpload(ctx, input.file.key);
    throw error;
  }
}

async function keepReceipt(
  tx: Tx,
  ctx: ActorContext,
  input: SubmittedReceipt,
): Promise<{ reply: SubmitReply; isReplay: boolean }> {
  const { projectId, idempotencyKey, file } = input;
  const earlier = await findReply(tx, ctx, input);
  if (earlier) return { reply: earlier, isReplay: true };
  const project = await lockProject(tx, projectId, "share");
  // Their receipts elsewhere are counted, too.
  await requireOpenAccount(tx, ctx.actor, "no key update");
  const purchase = await findReference(tx, ctx, project);
  if (!purchase) throw new AppError("conflict", project.isClosed ? paymentTexts.projectClosed : termsTexts.tickMissing);
  const meanwhile = await findReply(tx, ctx, input);
  if (meanwhile) return { reply: meanwhile, isReplay: true };
  if (!(await findBankDetails(tx))) throw new AppError("conflict", paymentTexts.noBankDetails);
  await requireFewUnderReview(tx, ctx.actor.id, projectId);

  const userId = ctx.actor.id;
  const now = ctx.clock.now();
  const receiptId = randomUUID();
  const reviewBy = await findReviewDeadline(tx, ctx, now);
  const { key: storageKey, ...described } = file;
  const [stored] = await tx
    .insert(storedFiles)
    .values({ kind: "receipt", storageKey, ...described, uploadedBy: userId, createdAt: now })
    .returning({ id: storedFiles.id });
  const [replaced] = await tx
    .update(projectPayments)
    // A better picture moves no promise.
    .set({
      currentReceiptId: receiptId,
      reviewBy: sql`coalesce(${projectPayments.reviewBy}, ${reviewBy.toISOString()}::timestamptz)`,
      updatedAt: now,
    })
    .where(
      and(
        eq(projectPayments.projectId, projectId),
        eq(projectPayments.userId, userId),
        eq(projectPayments.status, "pending"),
      ),
    )
    .returning();
  await extendByReceipt(tx, purchase.reference, now);
  const payment =
    replaced ?? (await insertPayment(tx, ctx, { project, lots: input.lots, purchase, receiptId, reviewBy, now }));
  if (!stored) throw new Error("the receipt's file was not written");
  await tx.insert(paymentReceipts).values({
    id: receiptId,
    paymentId: payment.id,
    userId,
    fileId: stored.id,
    sha256: file.sha256,
    idempotencyKey,
    createdAt: now,
  });
  await notify(tx, ctx, {
    ...receiptNotice({
      ...factsOf(ctx, payment, project),
      backerName: ctx.actor.fullName,
      isReplacement: replaced !== undefined,
    }),
    userIds: await administratorsWith(tx, "payments:view"),
    kind: "receipt_submitted",
    projectId,
    aboutUserId: userId,
    eventKey: `receipt:${receiptId}`,
  });
  const { id: paymentId, amountKobo } = payment;
  return {
    reply: { paymentId, receiptId, reference: payment.reference, amountKobo, submittedAt: now },
    isReplay: false,
  };
}

/**
 * Throws "conflict" if two receipts of theirs for other projects are under review, unless the bank has shown a transfer of
 * theirs, or an owner approved a payment: so pictures keep farms from nobody for long. A better picture may always come.
 */
async function requireFewUnderReview(tx: Tx, userId: string, projectId: number): Promise<void> {
  const isMine = eq(projectPayments.userId, userId);
  const isMatched = exists(
    tx
      .select({ id: lineMatches.id })
      .from(lineMatches)
      .where(
        and(
          eq(lineMatches.paymentId, projectPayments.id),
          eq(lineMatches.kind, "payment"),
          isNull(lineMatches.undoneAt),
        ),
      ),
  );
  const hasPaid = or(eq(projectPayments.status, "approved"), isMatched);
  if ((await tx.$count(projectPayments, and(isMine, hasPaid))) > 0) return;
  const isUnderReview = and(eq(projectPayments.status, "pending"), isNotNull(projectPayments.currentReceiptId));
  const underReview = await tx
    .select({ projectId: projectPayments.projectId, title: projectPayments.projectTitle })
    .from(projectPayments)
    .where(and(isMine, isUnderReview))
    .orderBy(projectPayments.id);
  if (underReview.length < holdLimits.receipts || underReview.some((it) => it.projectId === projectId)) return;
  throw new AppError("conflict", paymentTexts.stillLooking(underReview.map(({ title }) => title)));
}

/** The reply of an earlier submission with this key. */
async function findReply(tx: Tx, ctx: ActorContext, input: SubmittedReceipt): Promise<SubmitReply | undefined> {
  const found = await findSubmit(tx, ctx.actor.id, input.idempotencyKey);
  if (found && found.projectId !== null && found.projectId !== input.projectId) {
    throw new AppError("conflict", paymentTexts.keyUsedElsewhere);
  }
  return found?.reply;
}

async function insertPayment(
  tx: Tx,
  ctx: ActorContext,
  payment: { project: Project; lots: number; purchase: Purchase; receiptId: string; reviewBy: Date; now: Date },
): Promise<Payment> {
  const { project, lots: wanted, purchase, receiptId, reviewBy, now } = payment;
  const current = await findRound(tx, { projectId: project.id, round: project.round });
  const lots = await countBoughtLots(tx, ctx, { project, current, purchase, wanted });
  return writePayment(tx, {
    project,
    userId: ctx.actor.id,
    // Whoever was given a reference may have paid by what they agreed to then, so nobody is asked to agree again.
    round: purchase.round,
    lots,
    lotPriceKobo: purchase.lotPriceKobo,
    termsVersion: purchase.termsVersion,
    siteTerms: purchase.siteTerms,
    agreedAt: purchase.agreedAt,
    reference: purchase.reference,
    receiptId,
    reviewBy,
    at: now,
  });
}

type Bought = { project: Project; current: Round; purchase: Purchase; wanted: number };

/**
 * The lots that a receipt is for: those of the purchase. Only where nothing is held and the purchase is still to be had
 * may the backer say another number. What is left doesn't matter to who may have paid already: an owner decides. Throws
 * "conflict" if there were never so many.
 */
async function countBoughtLots(tx: Tx, ctx: ActorContext, bought: Bought): Promise<number> {
  const { project, current, purchase, wanted } = bought;
  const now = ctx.clock.now();
  const isOpen = !project.isClosed && hasAgreedTo(purchase, current) && (await findHoldHours(tx)) === 0;
  const isFixed = !isOpen || (await holdStands(tx, purchase.reference, now));
  if (isFixed) return purchase.lots;
  const heldLots = await countLotsHeld(tx, current, now, ctx.actor.id);
  const most = await findMostLots(tx, ctx, { ...current, heldLots });
  if (wanted > Math.max(most, purchase.lots)) throw new AppError("conflict", paymentTexts.lotsLeft(most));
  return wanted;
}

export type SubmitReply = {
  paymentId: number;
  receiptId: string;
  reference: string;
  amountKobo: Kobo;
  submittedAt: Date;
};

/** The person's submission with this key: its project (null if deleted) and its reply. */
async function findSubmit(
  db: DbOrTx,
  userId: string,
  idempotencyKey: string,
): Promise<{ projectId: number | null; reply: SubmitReply } | undefined> {
  const [found] = await db
    .select({
      projectId: projectPayments.projectId,
      reply: {
        paymentId: projectPayments.id,
        receiptId: paymentReceipts.id,
        reference: projectPayments.reference,
        amountKobo: projectPayments.amountKobo,
        submittedAt: paymentReceipts.createdAt,
      },
    })
    .from(paymentReceipts)
    .innerJoin(projectPayments, eq(projectPayments.id, paymentReceipts.paymentId))
    .where(and(eq(paymentReceipts.userId, userId), eq(paymentReceipts.idempotencyKey, idempotencyKey)));
  return found;
}

/** Allows the caller's own receipts, or all of them with the permission to view payments. */
function mayRead({ actor }: ActorContext): SQL | undefined {
  return actor.permissions.includes("payments:view") ? undefined : eq(paymentReceipts.userId, actor.id);
}

export const receiptPath = (receiptId: string) => `/files/receipts/${receiptId}`;

/**
 * A link to a payment's current receipt, valid for 3600 s in the caller's session only.
 * Throws "not_found" ('No receipt available for this payment'), also for another person's payment.
 */
export async function findReceiptLink(ctx: ActorContext, { paymentId }: { paymentId: number }) {
  const [receipt] = await ctx.db
    .select({
      id: paymentReceipts.id,
      sha256: paymentReceipts.sha256,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(projectPayments)
    .innerJoin(paymentReceipts, eq(paymentReceipts.id, projectPayments.currentReceiptId))
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(and(eq(projectPayments.id, paymentId), mayRead(ctx)));
  if (!receipt) throw new AppError("not_found", paymentTexts.noReceipt);
  const expiresAt = new Date(ctx.clock.now().getTime() + SIGNED_LINK_SECONDS * 1000);
  const claim = { secret: ctx.appSecret, path: receiptPath(receipt.id), subject: ctx.actor.session.idHash };
  return { ...receipt, url: signLink({ ...claim, expiresAt }), expiresAt };
}

/** The stored file of a receipt, if the caller may read it. Throws "not_found". */
export async function findReceiptFile(ctx: ActorContext, receiptId: string) {
  const [file] = await ctx.db
    .select({
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(paymentReceipts)
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(and(eq(paymentReceipts.id, receiptId), mayRead(ctx)));
  if (!file) throw new AppError("not_found", paymentTexts.receiptUnavailable);
  return file;
}
