import { eq } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import type { projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import type { Kobo } from "#shared/money.ts";
import { postRefundDue } from "./ledger.ts";

/** Money of a payment that is given back. */

/** Whether a refund of the payment stands; the payment can't be approved meanwhile. */
export async function hasRefundDue(db: DbOrTx, paymentId: number): Promise<boolean> {
  const found = await db.select({ id: refunds.id }).from(refunds).where(eq(refunds.paymentId, paymentId)).limit(1);
  return found.length > 0;
}

type NewRefund = {
  payment: typeof projectPayments.$inferSelect;
  projectId: number;
  amountKobo: Kobo;
  reason: typeof refunds.$inferInsert.reason;
  actorId: string;
  at: Date;
};

/** Makes a refund of money that is held of the payment, and owes it to the backer. */
export async function makeRefundDue(tx: Tx, refund: NewRefund): Promise<void> {
  const { payment, projectId, amountKobo, reason, actorId, at } = refund;
  const { id: paymentId, userId, round, projectTitle } = payment;
  await tx.insert(refunds).values({ paymentId, userId, amountKobo, reason, madeBy: actorId, createdAt: at });
  await postRefundDue(tx, { payment, round, projectId, projectTitle, amountKobo, actorId, at });
}
