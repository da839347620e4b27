import { eq } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { paymentStrikes } from "#server/db/schema/strikes.ts";

/** Returns true if a payment was struck. */
export async function isStruck(db: DbOrTx, paymentId: number): Promise<boolean> {
  return (await db.$count(paymentStrikes, eq(paymentStrikes.paymentId, paymentId))) > 0;
}
