import type { RouterOutputs } from "#client/lib/trpc.ts";
import { type PaymentStatus, paymentStatuses } from "#shared/payment-statuses.ts";

export type AdminPayment = RouterOutputs["payments"]["list"]["items"][number];

/** What the address of /admin/payments says; without a status all payments are shown. */
export type PaymentsSearch = { status?: PaymentStatus | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readPaymentsSearch(input: Record<string, unknown>): PaymentsSearch {
  return { status: paymentStatuses.find((status) => status === input.status) };
}
