import { z } from "zod";
import { MAX_STATEMENT_KOBO } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { searchText } from "#shared/projects.ts";
import { bankLimits, bankTexts, lineTabs } from "./bank-texts.ts";

/** The inputs of looking at a statement's lines and of explaining them. */

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const part = z.bigint().min(1n).max(MAX_STATEMENT_KOBO);
const reason = z
  .string(bankTexts.reasonMissing)
  .trim()
  .min(1, bankTexts.reasonMissing)
  .max(bankLimits.reasonLength, bankTexts.reasonTooLong);

/** Why the bank sent money back, which its payee reads; it may say nothing. */
const returnReason = z.string().trim().max(bankLimits.returnReasonLength, bankTexts.returnReasonTooLong);

/** The form that asks for it. */
export const returnReasonInput = z.object({ reason: returnReason });

/** The form that asks for a reason. */
export const lineReasonInput = z.object({ reason });

export const listLinesInput = z.object({
  accountId: id,
  tab: z.enum(lineTabs),
  /** A part of what the bank wrote, of our reference, or an amount. */
  search: searchText,
  cursor,
});
export const lineIdInput = z.object({ lineId: id });
/** Payouts that a line may show, found by a part of their reference, their payee or their project. */
export const linePayoutsInput = z.object({ lineId: id, search: searchText });

/** Sales or harvests that a line may be money of, found by a part of their buyer or their project. */
export const lineHarvestsInput = z.object({ lineId: id, search: searchText });

/** One part of a line, and what explains it. Amounts are positive, in kobo. */
const linePart = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("payment"), amountKobo: part, paymentId: id }),
  /** For a reference of somebody who agreed to buy: it makes their payment, without a receipt. */
  z.object({ kind: z.literal("purchase"), amountKobo: part, reference: z.string().trim().min(1).max(40) }),
  z.object({ kind: z.literal("taken_back"), amountKobo: part, paymentId: id }),
  z.object({ kind: z.literal("own_transfer"), amountKobo: part, counterLineId: id }),
  z.object({ kind: z.literal("bank_charges"), amountKobo: part }),
  /** A payout that left, all of a run that left in one debit, and one that came back: each for its whole sum. */
  z.object({ kind: z.literal("payout"), amountKobo: part, payoutId: id }),
  z.object({ kind: z.literal("payout_run"), amountKobo: part, runId: id }),
  z.object({ kind: z.literal("returned"), amountKobo: part, payoutId: id, reason: returnReason.optional() }),
  /** Money of a harvest's sale, at most what is missing of it, and a cost of a harvest that the platform paid. */
  z.object({ kind: z.literal("sale"), amountKobo: part, saleId: id }),
  z.object({ kind: z.literal("harvest_cost"), amountKobo: part, harvestId: id }),
  /** Tax that is passed on to the state. */
  z.object({ kind: z.literal("vat"), amountKobo: part }),
  z.object({ kind: z.literal("wht"), amountKobo: part }),
  z.object({ kind: z.literal("operator"), amountKobo: part, reason }),
]);
export type LinePart = z.infer<typeof linePart>;

/**
 * Explains a line, or parts of it. `seenMatchedKobo` is what was explained of it already when the owner looked: a line that
 * changed since isn't touched.
 */
export const matchLineInput = z.object({
  lineId: id,
  seenMatchedKobo: z.bigint().min(0n).max(MAX_STATEMENT_KOBO),
  parts: z.array(linePart).min(1).max(bankLimits.parts),
});

export const undoMatchInput = z.object({ matchId: id, reason });

/** The payments that the owner saw to be wholly in the bank; each is approved in its own transaction. */
export const confirmSureInput = z.object({ paymentIds: z.array(id).min(1).max(bankLimits.sureAtOnce) });
