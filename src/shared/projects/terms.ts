import { z } from "zod";
import { isEqualParts } from "#shared/harvests/plan.ts";
import { parseNaira, sumOf } from "#shared/money.ts";
import { shortText } from "#shared/short-text.ts";
import { projectId } from "./inputs.ts";
import { releasePartLimits as partLimits } from "./release-parts.ts";
import { formatRate, harvestOptions, termsLimits as limits, quantityText, type Terms, units } from "./terms-texts.ts";

/** The form of a round's harvest terms. Empty fields of the plan are left open. */

export const termsFieldTexts = {
  quantity: "Please enter a quantity like 2,500 or 12.5",
  price: "Please enter an amount like 2,750",
  harvests: "Please enter a whole number from 1 to 60",
  eachHarvest: "Please enter the quantity of each planned harvest",
  harvestsSum: (sum: bigint, planned: bigint) =>
    `The harvests must add up to ${quantityText(planned)}. They add up to ${quantityText(sum)} now.`,
  date: "Please enter a date",
  farmPart: "The farm's part is 0 to 90 percent, with at most two decimals",
  fee: "The fee is 0 to 30 percent, with at most two decimals",
  costs: "At most 10 costs of at most 60 characters each",
  options: "At least one choice is needed",
  choiceDays: "Backers have 3 to 60 days to choose",
  collectionDays: "Collecting takes 1 to 30 days",
  place: "The place must be at most 200 characters",
  insurance: "Please name the insurer, the policy, and who is paid and for what",
  partLabel: "Please say in 3 to 80 characters what the part is for",
  partRate: "A part is 0.01 to 100 percent, with at most two decimals",
  partProof: "The proof must be at most 300 characters",
  partDays: "Please enter a whole number of days, at most 730",
  partOrder: "A part can't be due before the part above it",
  partsMany: "At most 6 parts",
  partsSum: (sum: string) => `The parts must add up to 100%. They add up to ${sum} now.`,
} as const;
const texts = termsFieldTexts;

/** A typed number with at most `decimals` places as a whole number of its smallest part; null if it isn't one. */
function parseDecimal(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(text.replace(/[,\s%]/g, ""));
  if (!match || (match[2] ?? "").length > decimals) return null;
  return BigInt(`${match[1]}${(match[2] ?? "").padEnd(decimals, "0")}`);
}

/** A typed quantity like "2,514.25" in thousandths of the unit; null if it isn't one. */
export const parseQuantity = (text: string): bigint | null => parseDecimal(text, 3);

/** A typed text as what `parse` reads in it; undefined is a fault. */
const typed = <Value>(message: string, parse: (text: string) => Value | undefined, max = 30) =>
  shortText(message)
    .max(max, message)
    .transform((text, ctx): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    });

const optional = <Value>(message: string, parse: (text: string) => Value | undefined) =>
  typed(message, (text) => (text === "" ? null : parse(text)));

const positive = (value: bigint | null) => (value !== null && value > 0n ? value : undefined);

const positiveQuantity = (text: string) => positive(parseQuantity(text));

/** A typed quantity, in thousandths of the unit; null where the field is empty. */
export const optionalQuantity = (message: string, least = 0n) =>
  optional(message, (text) => {
    const value = parseQuantity(text);
    return value !== null && value >= least ? value : undefined;
  });

/** A typed percentage as basis points. */
function rate(max: number, message: string) {
  const parse = (text: string) => {
    const value = parseDecimal(text, 2);
    return value !== null && value <= BigInt(max) ? Number(value) : undefined;
  };
  return typed(message, parse, 10);
}

const days = ({ min, max }: { min: number; max: number }, message: string) =>
  z.number(message).int(message).min(min, message).max(max, message);

/** One line, because a clause of the terms is one. */
const line = (max: number, message: string) =>
  shortText(message)
    .max(max, message)
    .regex(/^\P{C}*$/u, message);

const releasePart = z.object({
  label: line(partLimits.label.max, texts.partLabel).min(partLimits.label.min, texts.partLabel),
  rate: rate(10_000, texts.partRate).refine((basisPoints) => basisPoints > 0, texts.partRate),
  proof: line(partLimits.proof, texts.partProof),
  afterDays: days({ min: 0, max: partLimits.afterDays }, texts.partDays),
});

/** Parts that aren't whole yet are faulty by themselves: only whole ones are summed and ordered. */
const releaseParts = z
  .array(releasePart)
  .max(partLimits.parts, texts.partsMany)
  .superRefine((parts, ctx) => {
    const sum = parts.reduce((total, part) => total + part.rate, 0);
    if (parts.length > 0 && sum !== 10_000) ctx.addIssue({ code: "custom", message: texts.partsSum(formatRate(sum)) });
    parts.forEach(({ afterDays }, at) => {
      if (afterDays < (parts[at - 1]?.afterDays ?? 0))
        ctx.addIssue({ code: "custom", path: [at, "afterDays"], message: texts.partOrder });
    });
  });

const termsFields = z.object({
  unit: z.enum(units),
  plannedQuantity: optionalQuantity(texts.quantity, 1n),
  plannedPrice: optional(texts.price, (text) => positive(parseNaira(text))),
  plannedHarvests: days(limits.plannedHarvests, texts.harvests).nullable(),
  harvestPlan: z
    .array(typed(texts.quantity, positiveQuantity))
    .max(limits.plannedHarvests.max, texts.eachHarvest)
    .default([]),
  firstHarvestOn: z.iso.date(texts.date).nullable(),
  farmPart: rate(limits.farmPart, texts.farmPart),
  deductibleCosts: z
    .array(line(limits.costs.length, texts.costs).min(1, texts.costs), texts.costs)
    .max(limits.costs.max, texts.costs),
  fee: rate(limits.fee, texts.fee),
  options: z.array(z.enum(harvestOptions)).min(1, texts.options),
  collectionPlace: line(limits.place, texts.place),
  choiceDays: days(limits.choiceDays, texts.choiceDays),
  collectionDays: days(limits.collectionDays, texts.collectionDays),
  insurance: z
    .object({
      insurer: line(limits.insurance, texts.insurance).min(1, texts.insurance),
      policy: line(limits.insurance, texts.insurance).min(1, texts.insurance),
      covers: line(limits.insurance, texts.insurance).min(1, texts.insurance),
    })
    .nullable(),
  releaseParts,
});

/** A plan of each harvest has as many as are planned, and sums to what is planned in all. */
export const termsForm = termsFields.superRefine(({ plannedQuantity, plannedHarvests, harvestPlan }, ctx) => {
  if (harvestPlan.length === 0) return;
  const sum = sumOf(harvestPlan);
  const fault = (message: string) => ctx.addIssue({ code: "custom", path: ["harvestPlan"], message });
  if (harvestPlan.length !== plannedHarvests || plannedQuantity === null) fault(texts.eachHarvest);
  else if (sum !== plannedQuantity) fault(texts.harvestsSum(sum, plannedQuantity));
});
export type TermsFormInput = z.input<typeof termsForm>;

/** The terms that a form says. Equal parts are no plan of each harvest. */
export const termsOf = ({ plannedPrice, farmPart, fee, harvestPlan, ...rest }: z.output<typeof termsForm>): Terms => ({
  ...rest,
  harvestPlan: isEqualParts(harvestPlan) ? [] : harvestPlan,
  plannedPriceKobo: plannedPrice,
  farmPartRate: farmPart,
  feeRate: fee,
});

/** `seenVersion` is the version that filled the form: terms that have changed since aren't overwritten. */
export const updateTermsInput = termsForm.extend({ projectId, seenVersion: z.int().min(1).max(1_000_000) });
