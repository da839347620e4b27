import { z } from "zod";
import { cleanLines } from "#shared/free-text.ts";
import { positiveInt, rowId } from "#shared/ids.ts";
import { MAX_AMOUNT_KOBO, MAX_SALE_KOBO, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { projectId } from "#shared/projects/inputs.ts";
import { parseQuantity } from "#shared/projects/terms.ts";
import { reason } from "#shared/second-person/reason.ts";
import { shortText } from "#shared/short-text.ts";
import {
  costPayers,
  harvestLosses,
  harvestPartsShown,
  harvestPools,
  harvestLimits as limits,
  harvestTexts as texts,
} from "./texts.ts";

/** The inputs of harvests. Quantities are typed in units with at most three decimals, amounts in naira. */

export const harvestIdInput = z.object({ harvestId: rowId });

const typed = <Value>(message: string, parse: (text: string) => Value | null, fits: (value: Value) => boolean) =>
  shortText(message)
    .max(30, message)
    .transform((text, ctx): Value => {
      const value = parse(text);
      if (value !== null && fits(value)) return value;
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    });
const quantity = (message: string) => typed(message, parseQuantity, () => true);
const amount = (message: string, maxKobo = MAX_AMOUNT_KOBO) =>
  typed(
    message,
    (text) => parseNaira(text, maxKobo),
    (kobo) => kobo > 0n,
  );
const line = (max: number, message: string) =>
  shortText(message)
    .min(1, message)
    .max(max, message)
    .regex(/^\P{C}*$/u, message);
const note = z.string(texts.noteMissing).transform(cleanLines).pipe(z.string().max(limits.noteMax, texts.noteTooLong));

/** A page of those who have a part in a harvest, by name and by what is still to come of them. */
export const listPartsInput = z.object({
  harvestId: rowId,
  search: shortText().max(100).default(""),
  shown: z.enum(harvestPartsShown).default("all"),
  cursor,
});

/** The fields of a harvest's form. The note is needed below 90 % of the plan, and where all is lost. */
export const harvestForm = z.object({
  quantity: quantity(texts.quantityMissing),
  lostQuantity: quantity(texts.quantityMissing),
  referencePrice: amount(texts.priceMissing),
  note,
});
export const createHarvestInput = harvestForm.extend({ projectId, round: positiveInt });
/** `seenAt` is when the draft was last changed, as the caller saw it. */
export const seenDraftInput = z.object({ harvestId: rowId, seenAt: z.date() });
export const updateHarvestInput = harvestForm.extend(seenDraftInput.shape);
/** An insurer's sum for a round. */
export const createInsuranceInput = z.object({ projectId, round: positiveInt, note });

export const lowerQuantityInput = z.object({ harvestId: rowId, quantity: quantity(texts.quantityMissing), reason });
export const withdrawHarvestInput = z.object({ harvestId: rowId, reason });

/** A backer's choice; the rest of their part is sold. */
export const chooseInput = z.object({
  harvestId: rowId,
  taken: quantity(texts.choiceMissing),
  given: quantity(texts.choiceMissing),
});

export const collectInput = z.object({
  harvestId: rowId,
  code: shortText(texts.codeShape)
    .transform((text) => text.replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{6}$/, texts.codeShape)),
});

/** A file that was uploaded as evidence. */
const fileId = z.uuid(texts.evidenceFirst);
/** With a sale it is evidence of that one. */
export const addHarvestFileInput = z.object({ harvestId: rowId, saleId: rowId.optional(), fileId });
export const addDraftFileInput = addHarvestFileInput.omit({ saleId: true });

export const costForm = z.object({
  label: line(60, texts.costUnknown),
  amount: amount("Please enter an amount like 185,000"),
  paidBy: z.enum(costPayers),
  fileId,
});
export const addCostInput = costForm.extend({ harvestId: rowId });
/** For a keeper: it is always the farm that paid. */
export const addFarmCostInput = addCostInput.omit({ paidBy: true });
export const costIdInput = z.object({ costId: rowId });

export const saleForm = z.object({
  buyer: line(limits.buyer, "Please say who bought it, in at most 120 characters"),
  /** Empty for an insurer's sum. */
  quantity: shortText(texts.quantityMissing)
    .max(30, texts.quantityMissing)
    .transform((text, ctx): bigint | null => {
      if (text === "") return null;
      const value = parseQuantity(text);
      if (value !== null && value > 0n) return value;
      ctx.addIssue({ code: "custom", message: texts.quantityMissing });
      return z.NEVER;
    }),
  amount: amount(texts.saleAmount, MAX_SALE_KOBO),
});
export const saleAmountForm = z.object({ amount: amount(texts.saleAmount, MAX_SALE_KOBO) });
export const addSaleInput = saleForm.extend({
  harvestId: rowId,
  pool: z.enum(harvestPools),
  /** True for an advance before a harvest is allotted, and for a further payment for what was sold. */
  isWithoutQuantity: z.boolean().optional(),
});
/** How much an advance turned out to be for. */
export const saleQuantityForm = z.object({
  quantity: typed(texts.quantityMissing, parseQuantity, (value) => value > 0n),
});
export const saleQuantityInput = saleQuantityForm.extend({ saleId: rowId });

export const previewSettlementInput = z.object({ harvestId: rowId, pool: z.enum(harvestPools) });
const taxRate = z.int().min(0).max(10_000);
/**
 * `amount` is typed by the owner: what is settled, as the preview's sum row shows it. It may be of many sales. The
 * taxes are those of the preview, in basis points: others that count since aren't taken unseen.
 */
export const settleInput = previewSettlementInput.extend({
  amount: amount(texts.wrongAmount, MAX_STATEMENT_KOBO),
  vatRate: taxRate.optional(),
  whtRate: taxRate.optional(),
});
export const reverseSettlementInput = z.object({ settlementId: rowId, reason });

/** Kobo as a text of digits, as the log and a request's details keep them. */
const someKobo = z.string().regex(/^[1-9]\d{0,15}$/);
const anyKobo = z.string().regex(/^\d{1,16}$/);

/** Two owners' declaration about a sale: that the money of it that no line shows came, or that it didn't after all. */
export const declareSaleDetails = z.object({ saleId: rowId, amountKobo: someKobo });
/** Another amount of a sale; `seenKobo` is what stood there when it was asked for. */
export const changeSaleDetails = z.object({ saleId: rowId, amountKobo: someKobo, seenKobo: someKobo });
/** The loss of a harvest; `lostKobo` is booked with it as a loss, as the asking owner saw it. */
export const loseDetails = z.object({ what: z.enum(harvestLosses), harvestId: rowId, lostKobo: anyKobo.default("0") });
/** A cost that the farm is said to have paid: its evidence stands beside it. */
export const costDetails = z.object({ costId: rowId, amountKobo: someKobo });
const someQuantity = z.string().regex(/^[1-9]\d{0,17}$/);
/** The draft and what the bank doesn't show of the round's payments, as the asking owner saw them. */
export const openHarvestDetails = z.object({ harvestId: rowId, seenAt: z.iso.datetime(), unseenKobo: someKobo });
/** Thousandths, as digits; `seenQuantity` is what stood there when it was asked for. */
export const lowerHarvestDetails = z.object({ harvestId: rowId, quantity: someQuantity, seenQuantity: someQuantity });
/** The settlement of a pool with its taxes, in basis points, as the asking owner saw it. */
export const settleHarvestDetails = z.object({
  harvestId: rowId,
  pool: z.enum(harvestPools),
  amountKobo: someKobo,
  vatRate: taxRate,
  whtRate: taxRate,
});
