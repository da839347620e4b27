import { and, eq, isNull } from "drizzle-orm";
import { postRefundDue } from "#server/books/events/payments.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import type { projectPayments } from "#server/db/schema/payments.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { makePayouts } from "#server/features/payouts/service.ts";
import type { Kobo } from "#shared/money.ts";

/** Money of a payment that is given back. */

/** A refund that stands: nobody has taken it back. */
export const isStandingRefund = isNull(refunds.takenBackAt);

/** Whether a refund of the payment stands; the payment can't be approved meanwhile. */
export async function hasRefundDue(db: DbOrTx, paymentId: number): Promise<boolean> {
  const found = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), isStandingRefund))
    .limit(1);
  return found.length > 0;
}

/**
 * Whether the bank's lines don't say that some of the payment's money is its payer's, and only one person did. Then it takes
 * two to give any of it back: else one owner could send an unknown sender's money to whom they please.
 */
export async function hasUnnamedMoney(db: DbOrTx, paymentId: number): Promise<boolean> {
  const isOfIt = and(eq(lineMatches.paymentId, paymentId), eq(lineMatches.kind, "payment"));
  const isUnnamed = and(isNull(lineMatches.undoneAt), eq(lineMatches.isNamed, false));
  return (await db.$count(lineMatches, and(isOfIt, isUnnamed))) > 0;
}

type NewRefund = {
  payment: typeof projectPayments.$inferSelect;
  amountKobo: Kobo;
  reason: typeof refunds.$inferInsert.reason;
  /** What two people said of it. */
  requestId?: number | undefined;
  actorId: string;
  at: Date;
};

/** A refund that was just made, as its backer is told of it. */
export type MadeRefund = { id: number; amountKobo: Kobo; isAccountKnown: boolean };

/**
 * Makes a refund of money that is held of the payment, owes it to the backer, and makes its payouts. Gives whether it is known
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
