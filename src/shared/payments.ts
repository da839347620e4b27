import { z } from "zod";
import { cursor } from "#shared/pagination.ts";
import { projectId } from "#shared/projects.ts";

/** Backing a project by bank transfer: statuses, inputs and texts of both sides. */

export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};

/** Why a pending payment can't be taken any more: another one took the project, or the project is gone. */
export type RefundDue = "project_taken" | "project_removed";
export const refundDueLabels: Record<RefundDue, string> = {
  project_taken: "Project taken, refund due",
  project_removed: "Project removed, refund due",
};

export const paymentLimits = { pageSize: 50, reasonLength: 500, backingsPage: 100 } as const;

const paymentId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const paymentIdInput = z.object({ paymentId });

export const listPaymentsInput = z.object({
  status: z.enum(paymentStatuses).nullish(),
  projectId: projectId.nullish(),
  cursor,
});

/** Status and receipt are those that the administrator saw: a payment that changed meanwhile is left alone. */
export const setPaymentStatusInput = z.object({
  paymentId,
  status: z.enum(paymentStatuses),
  seenStatus: z.enum(paymentStatuses),
  seenReceiptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** For the backer, kept and mailed with a rejection only. */
  reason: z
    .string()
    .trim()
    .max(paymentLimits.reasonLength, `Reason cannot exceed ${paymentLimits.reasonLength} characters`)
    .optional(),
});

/** The text fields beside an uploaded receipt. The key is made once per chosen file, and kept when sending again. */
export const submitReceiptFields = z.object({
  projectId: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(projectId),
  idempotencyKey: z.uuid(),
});

export const paymentTexts = {
  noBankDetails: "Payment details are not available yet. Please contact us.",
  projectNotFound: "Project not found",
  projectClosed: "Project is closed",
  taken: "Another payment for this project was approved first. If you have paid, a refund is due to you.",
  removed: "This project was removed. If you have paid, a refund is due to you.",
  inReview: "We have your receipt. We review receipts within one working day and email you.",
  uploadFailed: "Failed to upload payment receipt",
  uploaded: "Payment receipt uploaded successfully. We'll review your payment shortly.",
  fetchFailed: "Failed to fetch payments",
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
