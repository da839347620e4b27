import superjson from "superjson";
import { runMoneyChecks } from "#server/features/payments/checks.ts";
import type { Deps } from "#server/platform/deps.ts";
import { receiptHashOf } from "./pending-payments.ts";

/** Where an approval is sent, and what. */
export function approvalOf(payment: number): { path: string; body: string } {
  const seen = { seenStatus: "pending", seenReceiptSha256: receiptHashOf(payment) };
  const input = superjson.serialize({ paymentId: payment, status: "approved", ...seen });
  return { path: "/trpc/payments.setStatus?batch=1", body: JSON.stringify({ 0: input }) };
}

/** Throws where the books don't hold. */
export async function requireSoundBooks({ db }: Deps): Promise<void> {
  const broken = (await runMoneyChecks(db)).filter(({ violations }) => violations.length > 0);
  if (broken.length > 0) throw new Error(`the books don't hold: ${JSON.stringify(broken)}`);
}
