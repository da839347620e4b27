import { placesOf, readMoney } from "#server/books/places.ts";
import type { Tx } from "#server/db/open.ts";
import type { Payment } from "#server/features/payments/service.ts";
import { unclaimHold } from "#server/features/projects/holds/arrivals.ts";

/** Money no longer keeps the lots of a pending payment if none of it is left. Says whether it is so. */
export async function unclaimIfNoneLeft(tx: Tx, payment: Payment, at: Date): Promise<boolean> {
  if (payment.status !== "pending") return false;
  const { unallocatedKobo } = placesOf(await readMoney(tx, payment));
  if (unallocatedKobo > 0n) return false;
  await unclaimHold(tx, payment.reference, at);
  return true;
}
