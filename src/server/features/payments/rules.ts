import type { PaymentStatus } from "#shared/payments/statuses.ts";
import type { RefundDue, RefundReason } from "#shared/payments/texts.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";

const SHORTEST_PART = 3;

/**
 * Converts a typed part of a reference to its stored form without dashes; null if it can't be one. Fewer than three
 * characters would match every other reference.
 */
export function readReferencePart(typed: string): string | null {
  const bare = typed.replace(/[\s\p{Dash}]+/gu, "").toUpperCase();
  return bare.length >= SHORTEST_PART && /^[A-Z0-9]+$/.test(bare) ? bare : null;
}

/**
 * Why money of a payment is to be given back: a refund stands, or the payment is pending and its project was deleted, its
 * round was given back or written off, or its lots are taken (product decision). Null otherwise. A surplus is only a part of
 * the money, so that whatever concerns the whole comes first.
 */
export function refundDueOf(payment: {
  status: PaymentStatus;
  projectId: number | null;
  isProjectTaken: boolean;
  roundOutcome: RoundOutcome;
  refundReason: RefundReason | null;
}): RefundDue | null {
  const { refundReason } = payment;
  if (refundReason !== null && refundReason !== "surplus") return refundReason;
  if (payment.status !== "pending") return refundReason;
  if (payment.projectId === null) return "project_removed";
  if (payment.roundOutcome === "not_funded") return "not_funded";
  if (payment.roundOutcome === "written_off") return "not_approved";
  return payment.isProjectTaken ? "project_taken" : refundReason;
}

/**
 * Why the caller can't send a receipt now; null if they can. A person with a reference may already have paid, so they
 * may send one even after the project has closed (Product decision).
 */
export function sendingBlockedBy(page: {
  isClosed: boolean;
  hasReference: boolean;
  hasBankDetails: boolean;
  maySeeAccount: boolean;
}): "closed" | "no_bank_details" | "terms" | null {
  if (page.isClosed && !page.hasReference) return "closed";
  if (!page.hasBankDetails) return "no_bank_details";
  return page.maySeeAccount || page.isClosed ? null : "terms";
}
