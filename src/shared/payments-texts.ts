/** Backing by bank transfer: labels and texts. No schema is here, as in projects-texts.ts. */

import type { PaymentStatus } from "./payment-statuses.ts";

/** Why a pending payment can't be approved any more: another payment took the project, or the project is deleted. */
export type RefundDue = "project_taken" | "project_removed";
export const refundDueLabels: Record<RefundDue, string> = {
  project_taken: "Project taken, refund due",
  project_removed: "Project removed, refund due",
};

export const paymentLimits = { pageSize: 50, reasonLength: 500, backingsPage: 100 } as const;

export const paymentTexts = {
  reasonTooLong: "Reason cannot exceed 500 characters",
  noBankDetails: "Payment details are not available yet. Please contact us.",
  projectNotFound: "Project not found",
  projectClosed: "Project is closed",
  taken: "Another payment for this project was approved first. If you have paid, a refund is due to you.",
  removed: "This project was removed. If you have paid, a refund is due to you.",
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
  removedNotApprovable: "The project of this payment was removed, so it can't be approved. A refund is due.",
  keyUsedElsewhere: "This receipt was already sent for another project. Please choose the file again.",
  noReceipt: "No receipt available for this payment",
  receiptUnavailable: "Could not access receipt image",
  linkExpired: "This link has expired. Please open the receipt again.",
  receiptNotLoaded: "Could not load receipt image",
  downloadFailed: "Download Failed",
  imageError: "Image Error",
} as const;

export const paymentStatusUpdated = (status: PaymentStatus) => `Payment status updated to ${status}`;
