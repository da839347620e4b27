import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDateTime, formatWeekday } from "#shared/dates.ts";
import type { CostShare } from "#shared/harvests/arithmetic.ts";
import { daysBetween } from "#shared/lagos-time.ts";
import { formatNaira, type Kobo, wholeNaira } from "#shared/money.ts";
import { formatQuantity, formatRate, listed, type Unit, unitLabels } from "#shared/projects/terms-texts.ts";

/** Texts for a backer about their own part of a harvest. */

export type OwnHarvest = RouterOutputs["harvests"]["mine"][number];
export type OwnPart = NonNullable<OwnHarvest["mine"]>;

export const harvestName = ({ isInsurance, number }: Pick<OwnHarvest, "isInsurance" | "number">): string =>
  isInsurance ? "Insurance" : `Harvest ${number}`;

/** "Sunday 6 Dec 2026, 23:59 WAT; 3 days left". */
export function deadlineText(until: Date, now: Date): string {
  const days = daysBetween(now, until);
  const left = days === 0 ? "today is the last day" : days === 1 ? "1 day left" : `${days} days left`;
  return `${formatWeekday(until)} ${formatDateTime(until)}; ${left}`;
}

/** "kilo" in "₦2,750 a kilo". */
const priced = (unit: Unit): string => (unit === "kg" ? "kilo" : unitLabels[unit].one);

type Terms = Pick<OwnHarvest, "unit" | "feeRate" | "vatRate" | "whtRate" | "deductibleCosts" | "costShare">;

/** "the costs recorded so far, 38.7% of the sales". */
function costsText({ costsKobo, salesKobo, source }: CostShare): string {
  const rate = Number((costsKobo * 10_000n) / salesKobo);
  const share = `${formatRate(Math.round(rate / 10) * 10)} of the sales`;
  return source === "recorded" ? `the costs recorded so far, ${share}` : `costs as in the last harvest, ${share}`;
}

/** "You would get about ₦986,850 at ₦2,750 a kilo; the price may differ. Already taken off: our fee of 5%." */
export function estimateText(netKobo: Kobo, priceKobo: Kobo, terms: Terms): string {
  const { unit, feeRate, vatRate, whtRate, deductibleCosts, costShare } = terms;
  const off = [
    costShare !== null && costsText(costShare),
    feeRate > 0 && `our fee of ${formatRate(feeRate)}${vatRate > 0 ? " with its VAT" : ""}`,
    whtRate > 0 && `the tax withheld of ${formatRate(whtRate)}`,
  ].filter((part) => part !== false);
  const sentences = [
    `You would get about ${formatNaira(wholeNaira(netKobo))} at ${formatNaira(priceKobo)} a ${priced(unit)}; the price may differ.`,
    off.length > 0 && `Already taken off: ${off.length > 1 && costShare ? off.join("; ") : listed(off, "and")}.`,
    costShare === null &&
      deductibleCosts.length > 0 &&
      `Costs still come off the sales first: ${listed(deductibleCosts, "and")}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** "You take 200 kg, give away 10 kg, and 367.743 kg are sold for you." */
export function choiceText({ taken, given, sold }: Pick<OwnPart, "taken" | "given" | "sold">, unit: Unit): string {
  const parts = [
    taken > 0n && `you take ${formatQuantity(taken, unit)}`,
    given > 0n && `you give away ${formatQuantity(given, unit)}`,
    sold > 0n && `${formatQuantity(sold, unit)} ${sold === 1000n ? "is" : "are"} sold for you`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return "Your share comes to nothing.";
  const sentence = listed(parts, "and");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/**
 * Returns the quantity of a part that is sold in the end: what was chosen to be sold, and what nobody collected in
 * time.
 */
const finallySold = ({ sold, taken, collectedAt }: OwnPart): bigint => (collectedAt ? sold : sold + taken);

/** True if something of the reader's is sold and no settlement tells of it yet. */
export const isWaitingForSale = ({ mine, settlements, state }: OwnHarvest): boolean =>
  mine !== null && state === "allotted" && settlements.length === 0 && (mine.sold > 0n || mine.uncollectedAt !== null);

/**
 * Returns the text about a part that is neither to choose about nor to collect. "It is sold for you. We email you when
 * the money has come."
 */
export function soldText(harvest: OwnHarvest, mine: OwnPart): string {
  const { unit, state, settlements } = harvest;
  const sold = finallySold(mine);
  if (sold === 0n && mine.collectedAt) return `You collected ${formatQuantity(mine.taken, unit)}.`;
  if (sold === 0n || state === "done" || settlements.length > 0) return choiceText(mine, unit);
  const what =
    sold === mine.quantity ? "It is" : `${formatQuantity(sold, unit)} of it ${sold === 1000n ? "is" : "are"}`;
  return `${what} sold for you. We email you when the money has come.`;
}

/** Where a part of a harvest stands, for its card, its heading and its button. */
export type Standing =
  | "choose"
  | "chosen"
  | "closing"
  | "collect"
  | "selling"
  | "settled"
  | "done"
  | "lost"
  | "withdrawn";

export function standingOf({ state, choosesUntil, collectsUntil, now, mine }: OwnHarvest): Standing {
  if (state === "choosing") {
    if (choosesUntil !== null && choosesUntil < now) return "closing";
    return mine?.chosenAt ? "chosen" : "choose";
  }
  if (state === "lost" || state === "withdrawn") return state;
  if (mine && isToCollect(mine, collectsUntil, now)) return "collect";
  if (state === "allotted") return "selling";
  return state === "settled" ? "settled" : "done";
}

export const isToCollect = (mine: OwnPart, collectsUntil: Date | null, now: Date): boolean =>
  mine.code !== null &&
  mine.collectedAt === null &&
  mine.uncollectedAt === null &&
  !!collectsUntil &&
  collectsUntil >= now;
