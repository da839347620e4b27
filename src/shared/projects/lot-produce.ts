import { formatDay } from "#shared/dates.ts";
import { formatQuantity, type Terms, type Unit } from "./terms-texts.ts";

/** The harvest that a round's terms plan. */
export type HarvestPlan = Pick<
  Terms,
  "unit" | "plannedQuantity" | "plannedHarvests" | "firstHarvestOn" | "farmPartRate"
>;

const divisible: readonly Unit[] = ["kg", "litre"];

/**
 * Thousandths rounded down to what a plan can say: whole from 100 on, tenths from 10 on, else hundredths; no tenth of a
 * bird.
 */
export function roundDown(thousandths: bigint, unit: Unit): bigint {
  const isWhole = thousandths >= 100_000n || (thousandths >= 10_000n && !divisible.includes(unit));
  const step = isWhole ? 1000n : thousandths >= 10_000n ? 100n : 10n;
  return thousandths - (thousandths % step);
}

/**
 * Describes the produce of a round's lots, in words, if the plan holds: the whole plan less the farm's part, by lots.
 * Null where the terms plan no quantity, or too little to name. It names no money: a lot promises no price.
 */
export function lotProduceText(
  { unit, plannedQuantity, plannedHarvests, firstHarvestOn, farmPartRate }: HarvestPlan,
  { lots, roundLots }: { lots: number; roundLots: number },
): string | null {
  if (plannedQuantity === null) return null;
  const farmPart = (plannedQuantity * BigInt(farmPartRate)) / 10_000n;
  const produce = roundDown(((plannedQuantity - farmPart) * BigInt(lots)) / BigInt(roundLots), unit);
  if (produce === 0n) return null;
  const what = lots > 1 ? `${lots} lots are` : roundLots > 1 ? "a lot is" : "the lot is";
  const day = firstHarvestOn && `around ${formatDay(firstHarvestOn)}`;
  const harvests = (plannedHarvests ?? 1) > 1 ? ` in ${plannedHarvests} harvests${day ? ", the first" : ""}` : "";
  return `If the plan holds, ${what} about ${formatQuantity(produce, unit)}${harvests}${day ? ` ${day}` : ""}. It may be less, or nothing.`;
}
