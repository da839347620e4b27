import { formatDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { ReleasePart } from "./release-parts.ts";

/** The terms that a round's backers agree to before they pay: names, limits and their text. No schema is here. */

export const units = ["share", "kg", "piece", "crate", "bag", "litre", "bird"] as const;
export type Unit = (typeof units)[number];
export const unitLabels: Record<Unit, { one: string; many: string }> = {
  share: { one: "share", many: "shares" },
  kg: { one: "kg", many: "kg" },
  piece: { one: "piece", many: "pieces" },
  crate: { one: "crate", many: "crates" },
  bag: { one: "bag", many: "bags" },
  litre: { one: "litre", many: "litres" },
  bird: { one: "bird", many: "birds" },
};

/** A backer's options for their part of a harvest. */
export const harvestOptions = ["produce", "sale", "give_away"] as const;
export type HarvestOption = (typeof harvestOptions)[number];
export const harvestOptionLabels: Record<HarvestOption, string> = {
  produce: "Take the produce",
  sale: "Have it sold",
  give_away: "Donate it",
};

export const termsLimits = {
  plannedHarvests: { min: 1, max: 60 },
  /** In basis points: 90 % of the quantity, 30 % of the sales. */
  farmPart: 9000,
  fee: 3000,
  choiceDays: { min: 3, max: 60 },
  collectionDays: { min: 1, max: 30 },
  costs: { max: 10, length: 60 },
  place: 200,
  insurance: 500,
} as const;

export type Insurance = { insurer: string; policy: string; covers: string };

/** Quantities are thousandths of the unit, rates basis points, amounts kobo. */
export type Terms = {
  unit: Unit;
  plannedQuantity: bigint | null;
  plannedPriceKobo: Kobo | null;
  plannedHarvests: number | null;
  /** The quantity of each harvest, which sum to the planned one; none: equal parts. */
  harvestPlan: bigint[];
  /** YYYY-MM-DD. */
  firstHarvestOn: string | null;
  farmPartRate: number;
  deductibleCosts: string[];
  feeRate: number;
  options: HarvestOption[];
  collectionPlace: string;
  choiceDays: number;
  collectionDays: number;
  insurance: Insurance | null;
  /** In which parts the farm gets what was raised; none: all of it once the round is funded. */
  releaseParts: ReleasePart[];
};

/** The default terms; the fee is the setting's. */
export const defaultTerms = (feeRate: number): Terms => ({
  unit: "share",
  plannedQuantity: null,
  plannedPriceKobo: null,
  plannedHarvests: null,
  harvestPlan: [],
  firstHarvestOn: null,
  farmPartRate: 0,
  deductibleCosts: [],
  feeRate,
  options: [...harvestOptions],
  collectionPlace: "",
  choiceDays: 14,
  collectionDays: 7,
  insurance: null,
  releaseParts: [],
});

export const termsTexts = {
  tick: "I have read the terms. I may lose what I pay; nobody guarantees a return.",
  /** Below the clauses, of which it is none: how the product does what they say. */
  afterwards:
    "You choose on this farm's page for backers, and we email you when you can. To collect it, show your code. Money of a sale is paid to your bank account once the buyers have paid.",
  tickMissing: "Please read the terms and tick the box first.",
  frozen: {
    paid: "Harvest terms can't be changed while a payment of this round is pending or approved.",
    decided: "This round is decided. Reopen the project to change its harvest terms.",
    held: "Harvest terms can't be changed while lots are held.",
  },
  changed: "The terms of this project were changed while you were looking at them. Please read them again.",
  /** Above the clauses, where they are written. */
  preview: "Backers will agree to this:",
  unreadable: "The words appear here once every field above is filled in correctly.",
  defaultsFailed: "Failed to load the harvest terms",
  saved: "Harvest terms saved",
  saveFailed: "Failed to save the harvest terms",
} as const;

/** "12.5" of a rate in basis points, as its field reads it. */
export const rateText = (rate: number): string => String(rate / 100);

/** "12.5%" of a rate in basis points. */
export const formatRate = (rate: number): string => `${rateText(rate)}%`;

/** "2,514.25" of thousandths of a unit, as its field reads it. */
export function quantityText(thousandths: bigint): string {
  const whole = (thousandths / 1000n).toLocaleString("en-NG");
  const rest = (thousandths % 1000n)
    .toString()
    .padStart(3, "0")
    .replace(/0{1,3}$/, "");
  return rest ? `${whole}.${rest}` : whole;
}

/** "2,514.25 kg" of thousandths of a unit. */
export const formatQuantity = (thousandths: bigint, unit: Unit): string =>
  `${quantityText(thousandths)} ${thousandths === 1000n ? unitLabels[unit].one : unitLabels[unit].many}`;

type Clause = { title: string; text: string };

const optionPhrases: Record<HarvestOption, string> = {
  produce: "take it as produce",
  sale: "have it sold",
  give_away: "donate it",
};

export const listed = (words: readonly string[], last: "and" | "or") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

const eachOf = (plan: readonly bigint[], unit: Unit): string =>
  plan.length === 0
    ? ""
    : `, harvest by harvest ${listed(
        plan.map((quantity) => formatQuantity(quantity, unit)),
        "and",
      )}`;

function planOf(terms: Terms): string {
  const { plannedQuantity, plannedPriceKobo, unit, plannedHarvests, harvestPlan, firstHarvestOn } = terms;
  const harvests =
    plannedHarvests === null ? null : plannedHarvests === 1 ? "one harvest" : `${plannedHarvests} harvests`;
  const first = firstHarvestOn && `around ${formatDay(firstHarvestOn)}`;
  const parts = [
    harvests && `The farm plans ${harvests}${first ? `, the first ${first}` : ""}.`,
    !harvests && first && `The first harvest is planned ${first}.`,
    plannedQuantity !== null &&
      `It expects ${formatQuantity(plannedQuantity, unit)} in all${eachOf(harvestPlan, unit)}.`,
    plannedPriceKobo !== null && `It expects ${formatNaira(plannedPriceKobo)} per ${unitLabels[unit].one}.`,
  ].filter(Boolean);
  return parts.length > 0
    ? `${parts.join(" ")} A plan is not a promise.`
    : "The farm has not stated how much it expects to harvest, or when.";
}

/** "40% for “Chicks and feed” (receipt and photo), 28 days after the funding at the earliest" */
const releasePhrase = ({ label, rate, proof, afterDays }: ReleasePart): string =>
  `${formatRate(rate)} for “${label}”${proof ? ` (${proof})` : ""}${
    afterDays > 0 ? `, at the earliest ${afterDays} ${afterDays === 1 ? "day" : "days"} after the funding` : ""
  }`;

const releaseText = (parts: readonly ReleasePart[]): string =>
  parts.length === 0
    ? "All that is raised goes to the farm once the round is funded."
    : `The farm gets what is raised in ${parts.length === 1 ? "one part" : `${parts.length} parts, one after the other`}: ${parts
        .map(releasePhrase)
        .join(
          "; ",
        )}. The farm asks for each part; one of us checks it, and another releases it. Money that isn't released can be returned to you.`;

/** The terms in words, clause by clause: what a payer reads above the bank details, and what the tick is for. */
export function termsClauses(terms: Terms): Clause[] {
  const { farmPartRate, deductibleCosts, feeRate, options, collectionPlace, choiceDays, collectionDays } = terms;
  const { insurance, releaseParts } = terms;
  const choices = listed(
    options.map((option) => optionPhrases[option]),
    "or",
  );
  return [
    {
      title: "Risk",
      text: "A harvest can be smaller than planned, be sold for less, or be lost. You may lose what you pay. Nobody guarantees a return.",
    },
    { title: "Plan", text: planOf(terms) },
    {
      title: "Your share",
      text: `${farmPartRate === 0 ? "The whole harvest" : `${formatRate(farmPartRate)} of each harvest is the farm's. The rest`} is shared among the backers by what they paid.`,
    },
    {
      title: "Your choice",
      text: `When a harvest is ready you have ${choiceDays} days to choose: ${choices}. What you don't choose is sold.${
        options.includes("produce")
          ? ` Produce is collected within ${collectionDays} ${collectionDays === 1 ? "day" : "days"}${collectionPlace ? ` at ${collectionPlace}` : ""}; what isn't collected is sold.`
          : ""
      }`,
    },
    {
      title: "Costs and fee",
      text: `${
        deductibleCosts.length === 0
          ? "No costs are taken from the sales."
          : `From the sales these costs are taken first, with evidence: ${listed(deductibleCosts, "and")}. Any other cost is the farm's.`
      } The platform's fee is ${formatRate(feeRate)} of your sales.`,
    },
    {
      title: "Insurance",
      text:
        insurance === null
          ? "The harvest is not insured."
          : `Insured with ${insurance.insurer}, policy ${insurance.policy}. ${insurance.covers}`,
    },
    { title: "Money to the farm", text: releaseText(releaseParts) },
  ];
}

/** The whole text, as it is hashed and kept: a line for each clause, and the tick's. */
export const termsText = (terms: Terms): string =>
  [...termsClauses(terms).map(({ title, text }) => `${title}: ${text}`), termsTexts.tick].join("\n");

/** The clauses of a kept text. */
export const clausesOf = (text: string): Clause[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [title = "", ...rest] = line.split(": ");
      return { title, text: rest.join(": ") };
    });
