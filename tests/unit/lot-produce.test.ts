import { expect, test } from "vitest";
import { lotProduceText } from "#shared/projects/lot-produce.ts";
import { defaultTerms, type Terms } from "#shared/projects/terms-texts.ts";

/** The produce that a lot may bring, as project and payment pages say it. */

const said = (terms: Partial<Terms>, lots = 1, roundLots = 49) =>
  lotProduceText({ ...defaultTerms(500), ...terms }, { lots, roundLots });

test("A lot's part of the plan is said with its day", () => {
  const terms = { unit: "kg", plannedQuantity: 2_500_000n, farmPartRate: 1000, firstHarvestOn: "2027-05-05" } as const;
  expect(said(terms)).toBe("If the plan holds, a lot is about 45.9 kg around 5 May 2027. It may be less, or nothing.");
  expect(said(terms, 2)).toBe(
    "If the plan holds, 2 lots are about 91.8 kg around 5 May 2027. It may be less, or nothing.",
  );
  expect(said({ ...terms, plannedHarvests: 3 })).toContain(
    "a lot is about 45.9 kg in 3 harvests, the first around 5 May 2027.",
  );
});

test("Where no quantity is planned nothing is said", () => {
  expect(said({})).toBeNull();
  expect(said({ firstHarvestOn: "2027-05-05" })).toBeNull();
  expect(said({ plannedQuantity: 1n })).toBeNull();
});

test("A plan without a day or for one lot is said without", () => {
  expect(said({ unit: "bird", plannedQuantity: 490_500n }, 1, 1)).toBe(
    "If the plan holds, the lot is about 490 birds. It may be less, or nothing.",
  );
  expect(said({ unit: "bird", plannedQuantity: 490_500n }, 1, 20)).toContain("about 24 birds");
});

test("Figures are rounded down, exactly, however large they are", () => {
  expect(said({ unit: "kg", plannedQuantity: 999_999_999_999n }, 1, 1)).toContain("about 999,999,999 kg");
  expect(said({ unit: "kg", plannedQuantity: 9_999n }, 1, 1)).toContain("about 9.99 kg");
});
