import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { MAX_STATEMENT_KOBO } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { searchText } from "#shared/projects/inputs.ts";
import { shortText } from "#shared/short-text.ts";
import { lineTabs } from "./line-tabs.ts";
import { bankLimits, bankTexts } from "./texts.ts";

/** The inputs of looking at a statement's lines and of explaining them. */

const part = z.bigint().min(1n).max(MAX_STATEMENT_KOBO);
const reason = shortText(bankTexts.reasonMissing)
  .min(1, bankTexts.reasonMissing)
  .max(bankLimits.reasonLength, bankTexts.reasonTooLong);

/** Kobo as digits. */
const koboText = z.string().regex(/^\d{1,16}$/);

/** The bank's reason for sending money back, which its payee reads; it may be empty. */
const returnReason = shortText().max(bankLimits.returnReasonLength, bankTexts.returnReasonTooLong);

/** The form that asks for it. */
export const returnReasonInput = z.object({ reason: returnReason });

/** The form that asks for a reason. */
export const lineReasonInput = z.object({ reason });

export const listLinesInput = z.object({
  accountId: rowId,
  tab: z.enum(lineTabs),
  /** A part of what the bank wrote, of our reference, or an amount. */
  search: searchText,
  cursor,
});
/** The files that were imported for an account. */
export const listImportsInput = z.object({ accountId: rowId, cursor });
export const lineIdInput = z.object({ lineId: rowId });
/** Payouts that a line may show, found by a part of their reference, their payee or their project. */
export const linePayoutsInput = z.object({ lineId: rowId, search: searchText });

/** Credits that a debit may have taken back, found by a part of their payment's reference, their payer or their narration. */
export const lineCreditsInput = z.object({ lineId: rowId, search: searchText });

/** Sales or harvests that a line may be money of, found by a part of their buyer or their project. */
export const lineHarvestsInput = z.object({ lineId: rowId, search: searchText });

/** Purchases that a line may pay, found by a part of their buyer's name, their reference or their project. */
export const linePurchasesInput = z.object({ lineId: rowId, search: searchText });

/** Releases that a farm may have paid back, found by a part of their project's title. */
export const lineReleasesInput = z.object({ lineId: rowId, search: searchText });

/** One part of a line, and what explains it. Amounts are positive, in kobo. */
const partSchema = <Amount extends z.ZodType>(amountKobo: Amount) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("payment"), amountKobo, paymentId: rowId }),
    /** For a reference of somebody who agreed to buy: it makes their payment, without a receipt. */
    z.object({ kind: z.literal("purchase"), amountKobo, reference: shortText().min(1).max(40) }),
    /** Money that came for a payment, and the match of the credit that brought it. */
    z.object({ kind: z.literal("taken_back"), amountKobo, paymentId: rowId, creditMatchId: rowId }),
    z.object({ kind: z.literal("own_transfer"), amountKobo, counterLineId: rowId }),
    z.object({ kind: z.literal("bank_charges"), amountKobo }),
    /**
     * A payout that left, and all of a run that left in one debit: each for its whole sum. One that came back, perhaps
     * less charges.
     */
    z.object({ kind: z.literal("payout"), amountKobo, payoutId: rowId }),
    z.object({ kind: z.literal("payout_run"), amountKobo, runId: rowId }),
    z.object({
      kind: z.literal("returned"),
      amountKobo,
      payoutId: rowId,
      reason: returnReason.optional(),
      /** True where the bank named the account wrong: it isn't used any more. */
      isAccountWrong: z.boolean().optional(),
    }),
    /** Money of a harvest's sale, at most what is missing of it, and a cost of a harvest that the platform paid. */
    /** With `isRaised` the sale's amount rises by what is more than missing. */
    z.object({ kind: z.literal("sale"), amountKobo, saleId: rowId, isRaised: z.boolean().optional() }),
    /** Money that came for a sale, and the match of the credit that brought it. */
    z.object({ kind: z.literal("sale_taken_back"), amountKobo, saleId: rowId, creditMatchId: rowId }),
    z.object({ kind: z.literal("harvest_cost"), amountKobo, harvestId: rowId }),
    /** Tax that is passed on to the state. */
    z.object({ kind: z.literal("vat"), amountKobo }),
    z.object({ kind: z.literal("wht"), amountKobo }),
    /** Money of a release that the farm paid back. */
    z.object({ kind: z.literal("farm_paid_back"), amountKobo, releaseId: rowId }),
    /** Money of nobody here, which goes back to whoever sent it. */
    z.object({ kind: z.literal("sent_back"), amountKobo, reason }),
    z.object({ kind: z.literal("operator"), amountKobo, reason }),
  ]);
const linePart = partSchema(part);
export type LinePart = z.infer<typeof linePart>;

/** The same as a request for a second person keeps it: JSON has no bigint. */
const keptPart = partSchema(koboText.regex(/[1-9]/));

/**
 * Explains a line, or parts of it. `seenMatchedKobo` is what was explained of it already when the owner looked: a line that
 * changed since isn't touched.
 */
export const matchLineInput = z.object({
  lineId: rowId,
  seenMatchedKobo: z.bigint().min(0n).max(MAX_STATEMENT_KOBO),
  parts: z.array(linePart).min(1).max(bankLimits.parts),
});
export type MatchLine = z.output<typeof matchLineInput>;
export type KeptMatch = z.output<typeof matchLineDetails>;

export const undoMatchInput = z.object({ matchId: rowId, reason });

/** The same parts, and the undoing, as two people say them. The reason is the request's. */
export const matchLineDetails = z.object({
  lineId: rowId,
  seenMatchedKobo: koboText,
  parts: z.array(keptPart).min(1).max(bankLimits.parts),
});
export const undoMatchDetails = z.object({ matchId: rowId });

/** A match as it is kept for a second person. */
export const keptMatch = ({ lineId, seenMatchedKobo, parts }: MatchLine): KeptMatch => ({
  lineId,
  seenMatchedKobo: seenMatchedKobo.toString(),
  parts: parts.map((one) => ({ ...one, amountKobo: one.amountKobo.toString() })),
});

/** The match that was kept. */
export const readKeptMatch = ({ lineId, seenMatchedKobo, parts }: KeptMatch): MatchLine => ({
  lineId,
  seenMatchedKobo: BigInt(seenMatchedKobo),
  parts: parts.map((one) => ({ ...one, amountKobo: BigInt(one.amountKobo) })),
});

export const statementIdInput = z.object({ statementId: rowId });
export const accountIdInput = z.object({ accountId: rowId });
/** The charges that the owner saw; each is matched in its own transaction. */
export const matchChargesInput = z.object({ lineIds: z.array(rowId).min(1).max(bankLimits.chargesAtOnce) });

const chargeText = shortText(bankTexts.chargeTextLength)
  .min(bankLimits.chargeTextMin, bankTexts.chargeTextLength)
  .max(bankLimits.chargeTextMax, bankTexts.chargeTextLength);
/** The texts by which an account's charges are known, each once; none switches the rule off. */
const chargeTexts = z
  .array(chargeText)
  .max(bankLimits.chargeTexts, bankTexts.chargeTextsMany)
  .transform((texts) => [...new Set(texts)]);
export const changeChargeTextsInput = z.object({ accountId: rowId, texts: chargeTexts });
/** The form of them: a text a line. */
export const chargeTextsForm = z.object({
  texts: z
    .string()
    .transform((typed) =>
      typed
        .split("\n")
        .map((text) => text.trim())
        .filter((text) => text !== ""),
    )
    .pipe(chargeTexts),
});

/** The payments that the owner saw to be wholly in the bank; each is approved in its own transaction. */
export const confirmSurePaymentsInput = z.object({ paymentIds: z.array(rowId).min(1).max(bankLimits.sureAtOnce) });
