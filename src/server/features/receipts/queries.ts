import { and, eq, type SQL } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { AppError } from "#server/core/errors.ts";
import { signLink } from "#server/core/signed-links.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { SIGNED_LINK_SECONDS } from "#shared/files.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payment-texts.ts";

export type SubmitReply = {
  paymentId: number;
  receiptId: string;
  reference: string;
  amountKobo: Kobo;
  submittedAt: Date;
};

/** The person's submit with this key: its project (null where that was removed), and the reply it got. */
export async function findSubmit(
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

/** Own receipts, or anybody's with the right to view payments. */
function mayRead({ actor }: ActorContext): SQL | undefined {
  return actor.permissions.includes("payments:view") ? undefined : eq(paymentReceipts.userId, actor.id);
}

export const receiptPath = (receiptId: string) => `/files/receipts/${receiptId}`;

/**
 * A link to a payment's current receipt that works for 3600 s, in the caller's session only.
 * Throws "not_found" ('No receipt available for this payment'), for a stranger's payment too.
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

/** The stored file of a receipt that the caller may read. Throws "not_found". */
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
