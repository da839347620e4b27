import { and, eq, isNull } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { lockProjectIfThere, lockRound, type Project } from "#server/features/projects/rounds/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { findHolidays } from "#server/platform/holidays.ts";
import { endOfWorkingDay } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { PaymentFacts } from "./notices.ts";

/**
 * The order of locks is always project, round, reference, payment. Sending a receipt locks the project in share mode;
 * deciding on a payment locks it exclusively.
 */

export type Payment = typeof projectPayments.$inferSelect;

/**
 * Locks the project, then the payment's round, then the payment, and reads the facts for the decision. Under the
 * project's lock no receipt can be sent and no other payment approved. If the project was deleted, the payment is
 * detached and has no round.
 */
export async function lockPayment(tx: Tx, paymentId: number) {
  const isIt = eq(projectPayments.id, paymentId);
  const projectOfIt = tx.select({ id: projectPayments.projectId }).from(projectPayments).where(isIt);
  const project = await lockProjectIfThere(tx, projectOfIt, "no key update");
  // A payment's round never changes.
  const [sold] = await tx.select({ round: projectPayments.round }).from(projectPayments).where(isIt);
  const round = project && sold ? await lockRound(tx, { projectId: project.id, round: sold.round }) : undefined;
  const [payment] = await tx.select().from(projectPayments).where(isIt).for("update");
  if (!payment) throw new AppError("not_found", paymentTexts.gone);
  return { payment, project, round, receipt: await findCurrentReceipt(tx, payment) };
}

export type LockedPayment = Awaited<ReturnType<typeof lockPayment>>;

export type Receipt = { sha256: string; createdAt: Date };

/** Null for a payment that the bank's statement showed before a receipt came. */
async function findCurrentReceipt(tx: Tx, { id, currentReceiptId }: Payment): Promise<Receipt | null> {
  if (currentReceiptId === null) return null;
  const [receipt] = await tx
    .select({ sha256: paymentReceipts.sha256, createdAt: paymentReceipts.createdAt })
    .from(paymentReceipts)
    .where(eq(paymentReceipts.id, currentReceiptId));
  if (!receipt) throw new Error(`payment ${id} has no receipt`);
  return receipt;
}

/** The project's current title, or the one stored with the payment. */
export function factsOf(ctx: ActorContext, payment: Payment, project: Project | undefined): PaymentFacts {
  const { projectId, amountKobo, lots, reference } = payment;
  const projectTitle = project?.title ?? payment.projectTitle;
  return { site: ctx.site.current(), projectId, projectTitle, amountKobo, lots, reference };
}

type NewPayment = Pick<
  Payment,
  "userId" | "round" | "lots" | "termsVersion" | "siteTerms" | "agreedAt" | "reference"
> & {
  project: { id: number; title: string };
  lotPriceKobo: Kobo;
  receiptId: string | null;
  /** Null where all that is known is that something came. */
  reviewBy: Date | null;
  at: Date;
};

/** The end of the day by which we promise an answer, to whoever sends a receipt, or whose money came, at this moment. */
export async function findReviewDeadline(db: DbOrTx, { site }: Pick<Deps, "site">, at: Date): Promise<Date> {
  return endOfWorkingDay(at, site.current().reviewDays, await findHolidays(db));
}

/** Records by when we promise an answer to a payment that has wholly arrived. An earlier promise stays. */
export async function promiseReview(tx: Tx, deps: Pick<Deps, "site">, { id }: Payment, at: Date): Promise<void> {
  const reviewBy = await findReviewDeadline(tx, deps, at);
  await tx
    .update(projectPayments)
    .set({ reviewBy })
    .where(and(eq(projectPayments.id, id), isNull(projectPayments.reviewBy)));
}

/** Writes the row of a pending payment. */
export async function writePayment(
  tx: Tx,
  { project, lotPriceKobo, receiptId, at, ...purchase }: NewPayment,
): Promise<Payment> {
  const [row] = await tx
    .insert(projectPayments)
    .values({
      ...purchase,
      projectId: project.id,
      projectTitle: project.title,
      amountKobo: lotPriceKobo * BigInt(purchase.lots),
      currentReceiptId: receiptId,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the payment was not written");
  return row;
}

/** Retires the reference of an approved payment. */
export async function retireReference(tx: Tx, reference: string, at: Date): Promise<void> {
  await tx
    .update(paymentReferences)
    .set({ retiredAt: at })
    .where(and(eq(paymentReferences.reference, reference), isNull(paymentReferences.retiredAt)));
}

/** Puts the reference of a payment that is no longer approved back in use, unless its backer has begun a new purchase. */
export async function restoreReference(tx: Tx, { projectId, userId, reference }: Payment): Promise<void> {
  if (projectId === null) return;
  const isOfBuyer = and(eq(paymentReferences.projectId, projectId), eq(paymentReferences.userId, userId));
  const inUse = await tx
    .select({ id: paymentReferences.id })
    .from(paymentReferences)
    .where(and(isOfBuyer, isNull(paymentReferences.retiredAt)));
  if (inUse.length > 0) return;
  // After a change of holder it is somebody else's, who may have begun another purchase.
  await tx
    .update(paymentReferences)
    .set({ retiredAt: null })
    .where(and(eq(paymentReferences.reference, reference), eq(paymentReferences.userId, userId)));
}
