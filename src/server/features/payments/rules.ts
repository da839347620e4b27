import { randomInt } from "node:crypto";
import type { PaymentStatus } from "#shared/payment-statuses.ts";
import type { RefundDue } from "#shared/payment-texts.ts";

// Without the characters that are mistaken for one another on paper: 0 O, 1 I L, U V.
const alphabet = "23456789ABCDEFGHJKMNPQRSTWXYZ";

/** What a backer writes on the transfer, e.g. GONA-7K3P-9Q2M: short enough to type on a phone. */
export function newReference(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `GONA-${group()}-${group()}`;
}

const SHORTEST_PART = 3;

/**
 * What was typed as a part of a reference, as references are kept but for their dashes; null where it can't be one.
 * Fewer than three characters say nothing: every other reference has them.
 */
export function readReferencePart(typed: string): string | null {
  const bare = typed.replace(/[\s\p{Dash}]+/gu, "").toUpperCase();
  return bare.length >= SHORTEST_PART && /^[A-Z0-9]+$/.test(bare) ? bare : null;
}

/**
 * Whether the money of a payment that still waits has to go back: its project was removed, or another payment of the
 * project's current round is approved (Product decision). Null for decided payments.
 */
export function refundDueOf(payment: {
  status: PaymentStatus;
  projectId: number | null;
  isProjectTaken: boolean;
}): RefundDue | null {
  if (payment.status !== "pending") return null;
  if (payment.projectId === null) return "project_removed";
  return payment.isProjectTaken ? "project_taken" : null;
}

/**
 * Why the caller can't send a receipt now; null if they can. Whoever holds a reference may have paid already, so they
 * may send one after the project closed too (Product decision).
 */
export function sendingBlockedBy(page: {
  isClosed: boolean;
  reference: string | null;
  hasBankDetails: boolean;
}): "closed" | "no_bank_details" | null {
  if (page.isClosed && page.reference === null) return "closed";
  return page.hasBankDetails ? null : "no_bank_details";
}
