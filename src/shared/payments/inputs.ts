import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { MAX_AMOUNT_KOBO } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { projectId, projectIdField, searchText } from "#shared/projects/inputs.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { reason } from "#shared/second-person/reason.ts";
import { shortText } from "#shared/short-text.ts";
import { textHash } from "#shared/site/consents.ts";
import { bankStates, paymentStatuses } from "./statuses.ts";
import { paymentLimits, paymentTexts } from "./texts.ts";

/** The inputs of backing a project by bank transfer. */

export const paymentIdInput = z.object({ paymentId: rowId });

export const listPaymentsInput = z.object({
  status: z.enum(paymentStatuses).nullish(),
  projectId: projectId.nullish(),
  /** The payment's state by the bank's statements. */
  bank: z.enum(bankStates).nullish(),
  /** Only what waits for longer than it should, the longest first. */
  late: z.boolean().nullish(),
  /** A part of the backer's name or address, or of the reference, with or without its dashes. */
  search: searchText,
  /** Only payments that used this payment's receipt file, including itself. */
  sameReceiptAs: rowId.nullish(),
  cursor,
});

/**
 * The counts of every status, whichever is chosen. What the bank shows is computed for each payment, so they aren't made
 * where the list is filtered by it.
 */
export const countPaymentsInput = listPaymentsInput.omit({ status: true, bank: true, late: true, cursor: true });

/** The next page of those who say that they paid. */
export const listSaidPaidInput = z.object({ cursor });

/** The choices of the payments' project filter; the selected project is always among them. */
export const listPaymentProjectsInput = z.object({ search: searchText, selectedId: projectId.nullish() });

/** A payment as an administrator saw it. The receipt is null for a payment without one. */
export const seenPayment = {
  seenStatus: z.enum(paymentStatuses),
  seenReceiptSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
};

/**
 * `seenStatus` and `seenReceiptSha256` are what the administrator saw: a payment that has changed since isn't touched.
 */
export const setPaymentStatusInput = z.object({
  paymentId: rowId,
  status: z.enum(paymentStatuses),
  ...seenPayment,
  /** For the backer; stored and mailed only with a rejection. */
  reason: shortText().max(paymentLimits.reasonLength, paymentTexts.reasonTooLong).optional(),
  /** The reason for approving a payment that the bank's statements don't wholly show; kept in the audit log. */
  unseenReason: shortText().max(paymentLimits.reasonLength, paymentTexts.reasonTooLong).optional(),
  /** True if a rejection owes what has arrived to the backer. */
  isGivenBack: z.boolean().optional(),
  /** The reason why the only owner decides on their own payment; kept in the audit log. */
  ownReason: reason.optional(),
});

/** Gives back what is unallocated of a payment, if it is still as much as the owner saw. */
export const giveUnallocatedBackInput = z.object({
  paymentId: rowId,
  seenUnallocatedKobo: z.bigint().min(1n).max(MAX_AMOUNT_KOBO),
});

/** Takes back that a refund is due. The form has the reason alone. */
export const takenBackReasonInput = z.object({
  reason: shortText(paymentTexts.reasonMissing)
    .min(1, paymentTexts.reasonMissing)
    .max(paymentLimits.reasonLength, paymentTexts.reasonTooLong),
});
export const takeRefundBackInput = takenBackReasonInput.extend({
  refundId: rowId,
});

/** `lots` is what the backer saw to be paid by what has arrived. */
export const reduceToArrivedInput = paymentIdInput.extend({ lots: z.int().min(1).max(1000) });

/** The tick above the bank details, for the version of the terms that was read. */
export const beginPurchaseInput = z.object({
  projectId,
  lots: z.int().min(1).max(1000),
  termsVersion: z.int().min(1).max(1_000_000),
  /** The site's terms that were shown, by their hash. */
  siteTerms: textHash,
  hasReadTerms: z.literal(true, termsTexts.tickMissing),
});

/** `lots` is what the backer saw to be paid by what came beyond the payment's amount. */
export const useSurplusInput = beginPurchaseInput.omit({ projectId: true }).extend({ paymentId: rowId });

/** An owner's decision on the ended round; a round that has changed since they looked isn't touched. */
export const decideRoundInput = z.object({
  projectId,
  outcome: z.enum(["funded", "not_funded"]),
  seenApprovedLots: z.int().min(1).max(1000),
});

/** A number of lots in a form with a file, whose fields are texts. */
const lotsField = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(1000))
  .default(1);

/** The text fields beside an uploaded receipt. The key is generated once per chosen file, and kept for a retry. */
export const submitReceiptFields = z.object({
  projectId: projectIdField,
  lots: lotsField,
  idempotencyKey: z.uuid(),
});
