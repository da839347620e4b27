import { z } from "zod";
import { cursor } from "#shared/pagination.ts";
import { paymentStatuses } from "#shared/payment-statuses.ts";
import { paymentLimits, paymentTexts } from "#shared/payment-texts.ts";
import { projectId, projectIdField, searchText } from "#shared/projects.ts";

/** Backing a project by bank transfer: inputs of both sides. */

const paymentId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const paymentIdInput = z.object({ paymentId });

export const listPaymentsInput = z.object({
  status: z.enum(paymentStatuses).nullish(),
  projectId: projectId.nullish(),
  /** A part of the backer's name or address, or of the reference, with or without its dashes. */
  search: searchText,
  /** Only payments for which the receipt file of this one was sent, itself among them. */
  sameReceiptAs: paymentId.nullish(),
  cursor,
});

/** The choices of the payments' filter by project; the chosen one is always among them. */
export const listPaymentProjectsInput = z.object({ search: searchText, selectedId: projectId.nullish() });

/** Status and receipt are those that the administrator saw: a payment that changed meanwhile is left alone. */
export const setPaymentStatusInput = z.object({
  paymentId,
  status: z.enum(paymentStatuses),
  seenStatus: z.enum(paymentStatuses),
  seenReceiptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** For the backer, kept and mailed with a rejection only. */
  reason: z.string().trim().max(paymentLimits.reasonLength, paymentTexts.reasonTooLong).optional(),
});

/** The text fields beside an uploaded receipt. The key is made once per chosen file, and kept when sending again. */
export const submitReceiptFields = z.object({
  projectId: projectIdField,
  idempotencyKey: z.uuid(),
});
