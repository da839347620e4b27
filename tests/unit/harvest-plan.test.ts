import { expect, test } from "vitest";
import { equalParts, isEqualParts, isShort, percentOfPlan, plannedAt } from "#shared/harvests/plan.ts";

/** The plan of each harvest in a round's terms, and when a harvest is short of it. */

const equal = { plannedQuantity: 100_000n, plannedHarvests: 3, harvestPlan: [] };

test("harvests are planned as equal parts that sum to the whole, unless the terms say otherwise", () => {
  expect([1, 2, 3].map((place) => plannedAt(equal, place))).toEqual([33_334n, 33_333n, 33_333n]);
  const falling = { ...equal, harvestPlan: [60_000n, 30_000n, 10_000n] };
  expect([1, 2, 3].map((place) => plannedAt(falling, place))).toEqual(falling.harvestPlan);
  expect([equalParts(100_000n, 3), falling.harvestPlan].map(isEqualParts)).toEqual([true, false]);
});

test("nothing is planned where the terms plan no quantity, or fewer harvests, or less than a thousandth", () => {
  expect(plannedAt({ ...equal, plannedQuantity: null }, 1)).toBeNull();
  expect(plannedAt(equal, 4)).toBeNull();
  expect(plannedAt({ ...equal, plannedHarvests: null }, 2)).toBeNull();
  expect(plannedAt({ ...equal, plannedQuantity: 2n }, 3)).toBeNull();
});

test("a harvest is short below nine tenths of its plan", () => {
  expect([isShort(9_000n, 10_000n), isShort(8_999n, 10_000n), isShort(0n, null)]).toEqual([false, true, false]);
  expect([percentOfPlan(8_999n, 10_000n), percentOfPlan(1n, null)]).toEqual([89, null]);
});
