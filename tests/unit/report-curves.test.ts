import { describe, expect, test } from "vitest";
import { planAt, shareOfPlan, underPlan } from "#shared/reports/curves.ts";
import type { PlannedFigure } from "#shared/reports/plans-texts.ts";

const birds: PlannedFigure = {
  key: "alive",
  label: "Birds alive",
  unit: "",
  kind: "stock",
  isRequired: true,
  curve: [
    [0, 1000],
    [10, 900],
  ],
};
const eggs: PlannedFigure = { ...birds, key: "eggs", label: "Eggs laid", kind: "eggs" };

describe("a figure beside its plan", () => {
  test.each([
    ["between two points of the curve, linear", 5, 0n, { low: 760, planned: 950, high: 1140 }],
    ["on the last point", 10, 0n, { low: 720, planned: 900, high: 1080 }],
    ["after sales, less the animals that left", 5, 300_000n, { low: 460, planned: 650, high: 840 }],
    ["after all were sold, never below none", 5, 1_000_000n, { low: 0, planned: 0, high: 140 }],
    ["after the curve, nothing", 10.1, 0n, null],
  ])("is planned %s", (_, week, gone, plan) => {
    expect(planAt(birds, { week, gone })).toEqual(plan);
  });

  test("has its share of the plan, in which living animals and those that left count alike", () => {
    const at = { week: 5, gone: 0n };
    expect(shareOfPlan(birds, 760_000n, at)).toBe(0.8);
    expect(shareOfPlan(birds, 460_000n, { ...at, gone: 300_000n })).toBe(0.8);
    expect(shareOfPlan(eggs, 760_000n, { ...at, gone: 300_000n })).toBe(0.8);
    expect(shareOfPlan({ ...birds, curve: null }, 760_000n, at)).toBeNull();
    expect(shareOfPlan({ ...birds, kind: "money" }, 760_000n, at)).toBeNull();
  });

  test.each([
    ["four fifths are reached", 760_000n, 0n, []],
    ["they aren't", 759_000n, 0n, ["alive"]],
    ["they are with the animals that were sold", 459_000n, 301_000n, []],
    ["they aren't with the animals that were sold", 459_000n, 300_000n, ["alive"]],
  ])("is under it unless four fifths are reached: %s", (_, alive, gone, keys) => {
    const values = new Map([["alive", alive]]);
    expect(underPlan({ figures: [birds], values, week: 5, gone }).map(({ key }) => key)).toEqual(keys);
  });
});
