import { sumOf } from "#shared/money.ts";
import type { Terms } from "#shared/projects/terms-texts.ts";
import { byLargestRemainder } from "./arithmetic.ts";
import { harvestLimits as limits } from "./texts.ts";

/**
 * The harvests that a round's terms plan: in all, and each by itself where they aren't equal parts. In thousandths of
 * the unit.
 */
export type QuantityPlan = Pick<Terms, "plannedQuantity" | "plannedHarvests" | "harvestPlan">;

/** A quantity in equal parts, the first of them a thousandth larger where it doesn't divide. */
export const equalParts = (quantity: bigint, harvests: number): bigint[] =>
  byLargestRemainder(quantity, Array<bigint>(harvests).fill(1n));

/** True if parts are the {@link equalParts} of their sum. */
export const isEqualParts = (parts: readonly bigint[]): boolean =>
  String(parts) === String(equalParts(sumOf(parts), parts.length));

/**
 * Returns the quantity planned for a harvest by its place (1…) in its round. Null where the terms plan no quantity, and
 * for harvests beyond those they plan.
 */
export function plannedAt(
  { plannedQuantity, plannedHarvests, harvestPlan }: QuantityPlan,
  place: number,
): bigint | null {
  if (plannedQuantity === null) return null;
  const parts = harvestPlan.length > 0 ? harvestPlan : equalParts(plannedQuantity, plannedHarvests ?? 1);
  return parts[place - 1] || null;
}

/** The whole percent of its plan that a harvest reached, rounded down; null where nothing is planned of it. */
export const percentOfPlan = (quantity: bigint, planned: bigint | null): number | null =>
  planned === null ? null : Number((quantity * 100n) / planned);

/** Below 90 % of its plan people read why a harvest is less, and see it. */
export const isShort = (quantity: bigint, planned: bigint | null): boolean =>
  planned !== null && quantity * 10_000n < planned * BigInt(limits.shortRate);
