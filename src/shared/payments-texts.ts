/** Backing by bank transfer: labels and texts. No schema is here, as in projects-texts.ts. */

import { formatNaira, type Kobo } from "./money.ts";
import type { PaymentStatus } from "./payment-statuses.ts";
import { countLots } from "./projects-texts.ts";

/** Why a refund was made: the round didn't reach its minimum, or an approval was taken back after the money came. */
export type RefundReason = "not_funded" | "not_approved";

/** Why money is to be given back. A pending payment can't be approved any more: its lots or its project are gone. */
export type RefundDue = RefundReason | "project_taken" | "project_removed";
const refundDueLabels: Record<RefundDue, string> = {
  project_taken: "Project taken, refund due",
  project_removed: "Project removed, refund due",
  not_funded: "Not funded, refund due",
  not_approved: "Refund due",
};

/** The mark of a payment. `roundLots`: of how many lots its round is; null if the project was deleted. */
export const refundDueLabel = (refundDue: RefundDue, roundLots: number | null): string =>
  refundDue === "project_taken" && roundLots !== null && roundLots > 1
    ? "Lots taken, refund due"
    : refundDueLabels[refundDue];

export const paymentLimits = { pageSize: 50, reasonLength: 500, backingsPage: 100, purchases: 100 } as const;

export const paymentTexts = {
  reasonTooLong: "Reason cannot exceed 500 characters",
  noBankDetails: "Payment details are not available yet. Please contact us.",
  projectNotFound: "Project not found",
  projectClosed: "Project is closed",
  taken: "Another payment for this project was approved first. If you have paid, a refund is due to you.",
  lotsTaken:
    "Other payments for this project were approved first, and fewer lots are left than you paid for. If you have paid, a refund is due to you.",
  removed: "This project was removed. If you have paid, a refund is due to you.",
  pendingNotFunded: "The round was not funded. If you have paid, a refund is due to you.",
  pendingNotApproved: "Your payment can't be approved any more. If you have paid, a refund is due to you.",
  inReview: "We have your receipt. We review receipts within one working day and email you.",
  uploadFailed: "Failed to upload payment receipt",
  uploaded: "Payment receipt uploaded successfully. We'll review your payment shortly.",
  fetchFailed: "Failed to fetch payments",
  projectsFailed: "Failed to fetch projects",
  sharedFile: "Payments that share a receipt's file",
  updateFailed: "Failed to update payment status",
  gone: "This payment no longer exists.",
  changed: "This payment changed while you were looking at it. Please review it again.",
  otherPending:
    "This backer already has a pending payment for this project. Please decide on that one before setting this one back.",
  roundTaken: (approvedBy: string) =>
    `Another payment for this project was already approved by ${approvedBy}. The project is taken, so a refund is due for this one.`,
  lotsNotFree: (free: number, wanted: number) =>
    `${countLots(free)} of this round ${free === 1 ? "is" : "are"} free, and this payment is for ${countLots(wanted)}. A refund is due for it unless lots come free.`,
  notFunded: "This round was not funded, and its money is given back. A refund is due for this payment.",
  otherTerms:
    "The harvest terms of this round are not those that this payment was made under, so it can't be approved. Reject it: then the backer can agree to the terms of now and send the receipt again.",
  refundStands: "A refund of this payment is due, so it can't be approved.",
  arrivedTooMuch: "At most the payment's amount can have arrived.",
  lotsLeft: (most: number) =>
    most === 0 ? "You can't buy more lots of this farm." : `You can buy at most ${countLots(most)} now.`,
  dueBack: (amount: string) =>
    `Too few lots were sold, so the farm does not start. ${amount} will be returned to you, and there is nothing you need to do.`,
  returned: (amount: string) => `${amount} will be returned to you, and there is nothing you need to do.`,
  newTransfer: "Paying again is a new transfer.",
  roundNotFunded: "The round did not reach its minimum.",
  roundFunded: "Round declared funded",
  roundGivenBack: "Everything is given back: the refunds are due",
  decideFailed: "Failed to decide on the round",
  arrivedUnreadable: "Please enter an amount like 1,250,000, or leave it empty",
  lotsHeld: "Lots of this round are still held. Wait for the holds to end, or end them, before you decide.",
  roundOpen: "This project is still open. Close it before you decide on its round.",
  roundDecided: "This round was decided already.",
  roundChanged: "This round changed while you were looking at it. Please review it again.",
  minimumReached: "This round reached its minimum, so it is funded.",
  minimumMissed: "This round did not reach its minimum, so it can't be funded.",
  paymentsWait: (waiting: number) =>
    waiting === 1
      ? "A payment waits that could still be approved. Please decide on it first."
      : `${waiting} payments wait that could still be approved. Please decide on them first.`,
  removedNotApprovable: "The project of this payment was removed, so it can't be approved. A refund is due.",
  keyUsedElsewhere: "This receipt was already sent for another project. Please choose the file again.",
  noReceipt: "No receipt available for this payment",
  receiptUnavailable: "Could not access receipt image",
  linkExpired: "This link has expired. Please open the receipt again.",
  receiptNotLoaded: "Could not load receipt image",
  downloadFailed: "Download Failed",
  imageError: "Image Error",
} as const;

type OwedPayment = { status: PaymentStatus; refundDue: RefundDue; amountKobo: Kobo; roundLots: number | null };

/** What a backer reads of money that is to be given back. Of a pending payment nobody has seen yet whether it arrived. */
export function refundDueText({ status, refundDue, amountKobo, roundLots }: OwedPayment): string {
  if (refundDue === "project_removed") return paymentTexts.removed;
  if (refundDue === "project_taken") return roundLots === 1 ? paymentTexts.taken : paymentTexts.lotsTaken;
  if (status === "pending") {
    return refundDue === "not_funded" ? paymentTexts.pendingNotFunded : paymentTexts.pendingNotApproved;
  }
  const amount = formatNaira(amountKobo);
  return refundDue === "not_funded" ? paymentTexts.dueBack(amount) : paymentTexts.returned(amount);
}

export const paymentStatusUpdated = (status: PaymentStatus) => `Payment status updated to ${status}`;
