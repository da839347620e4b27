import { readPositiveInt, readWords } from "#client/lib/addresses.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { type BankState, bankStates, type PaymentStatus, paymentStatuses } from "#shared/payments/statuses.ts";
import { readProjectId } from "#shared/projects/project-id.ts";

type PaymentsPage = RouterOutputs["payments"]["list"];
export type AdminPayment = PaymentsPage["items"][number];
/** The limit of what one owner may approve unseen, and how much of it the viewer has used; null for a single owner. */
export type UnseenLimit = PaymentsPage["unseenLimit"];

/** The search parameters of /admin/payments. Without a status it opens on the payments that wait. */
export type PaymentsSearch = {
  status?: PaymentStatus | "all" | "late" | undefined;
  project?: number | undefined;
  /** The payment's state by the bank's statements. */
  bank?: BankState | undefined;
  search?: string | undefined;
  /** Those that share a receipt's file with this payment. */
  sameReceipt?: number | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readPaymentsSearch(input: Record<string, unknown>): PaymentsSearch {
  return {
    status: ([...paymentStatuses, "all", "late"] as const).find((status) => status === input.status),
    bank: bankStates.find((state) => state === input.bank),
    project: readProjectId(String(input.project)) ?? undefined,
    search: readWords(input.search),
    sameReceipt: readPositiveInt(input.sameReceipt),
  };
}
