import { eq } from "drizzle-orm";
import { placesOf, readMoneyOf } from "#server/books/places.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";

/** The parts that the kinds of requests about a payment share. */

export const subjectOf = ({ paymentId }: { paymentId: number }): string => String(paymentId);

/** A payment in words, with where its money stands; undefined if it is gone. */
export async function findInWords(db: DbOrTx, paymentId: number) {
  const [payment] = await db
    .select({
      projectTitle: projectPayments.projectTitle,
      projectId: projectPayments.projectId,
      amountKobo: projectPayments.amountKobo,
      lots: projectPayments.lots,
      round: projectPayments.round,
      reference: projectPayments.reference,
      status: projectPayments.status,
      backerName: users.fullName,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(eq(projectPayments.id, paymentId));
  const money = (await readMoneyOf(db, [paymentId])).get(paymentId);
  return payment && money && { ...payment, money, ...placesOf(money) };
}

/** Finds the payer of a payment. */
export async function payerIdOf(db: DbOrTx, { paymentId }: { paymentId: number }): Promise<string[]> {
  const isIt = eq(projectPayments.id, paymentId);
  return (await db.select({ id: projectPayments.userId }).from(projectPayments).where(isIt)).map(({ id }) => id);
}

/** The first line of what a request says. */
export const whose = ({ backerName, reference }: { backerName: string; reference: string }): string =>
  `The payment is ${backerName || "a backer"}'s, with the reference ${reference}.`;
