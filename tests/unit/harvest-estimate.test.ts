import { expect, test } from "vitest";
import { deadlineText, estimateText } from "#client/features/harvests/own/own-harvest-words.ts";
import { sliderStep } from "#client/features/harvests/own/slider-steps.ts";
import { estimateNet } from "#shared/harvests/arithmetic.ts";

/** The estimate that a backer reads before the sale: about what a part would bring, and how long there is to choose. */

test("the estimate takes off what a settlement would", () => {
  const sale = { quantity: 377_743n, priceKobo: 275_000n, costs: null };
  const proceeds = 103_879_325n;
  expect(estimateNet({ ...sale, rates: { fee: 0, vat: 0, wht: 0 } })).toBe(proceeds);
  // 5 % rounded down, 7.5 % of that rounded down, and 10 % of the whole rounded down.
  expect(estimateNet({ ...sale, rates: { fee: 500, vat: 750, wht: 0 } })).toBe(proceeds - 5_193_966n - 389_547n);
  expect(estimateNet({ ...sale, rates: { fee: 500, vat: 750, wht: 1000 } })).toBe(
    proceeds - 5_193_966n - 389_547n - 10_387_932n,
  );
  expect(estimateNet({ ...sale, quantity: 0n, rates: { fee: 500, vat: 0, wht: 0 } })).toBe(0n);
});

test("the estimate takes off as large a part for costs as the known sales had", () => {
  const costs = { costsKobo: 1_000_000n, salesKobo: 4_000_000n, source: "recorded" as const };
  const sale = { quantity: 100_000n, priceKobo: 100_000n, rates: { fee: 500, vat: 0, wht: 0 } };
  expect(estimateNet({ ...sale, costs })).toBe(7_500_000n - 375_000n);
  // More costs than sales leave nothing, not less.
  expect(estimateNet({ ...sale, costs: { ...costs, costsKobo: 9_000_000n } })).toBe(0n);
  const words = { ...terms, deductibleCosts: ["feed"] };
  expect(estimateText(7_125_000n, 100_000n, { ...words, costShare: costs })).toBe(
    "You would get about ₦71,250 at ₦1,000 a kilo; the price may differ. Already taken off: the costs recorded so far, 25% of the sales; our fee of 5%.",
  );
  const last = { costsKobo: 38_690n, salesKobo: 100_000n, source: "last_harvest" as const };
  expect(estimateText(7_125_000n, 100_000n, { ...words, feeRate: 0, costShare: last })).toBe(
    "You would get about ₦71,250 at ₦1,000 a kilo; the price may differ. Already taken off: costs as in the last harvest, 38.7% of the sales.",
  );
});

const terms = { unit: "kg" as const, feeRate: 500, vatRate: 0, whtRate: 0, deductibleCosts: [], costShare: null };

test("the estimate says its price, what is off already, and what comes off first", () => {
  expect(estimateText(98_685_359n, 275_000n, terms)).toBe(
    "You would get about ₦986,853 at ₦2,750 a kilo; the price may differ. Already taken off: our fee of 5%.",
  );
  expect(estimateText(10_000n, 5000n, { ...terms, unit: "bird", feeRate: 0 })).toBe(
    "You would get about ₦100 at ₦50 a bird; the price may differ.",
  );
  expect(
    estimateText(199n, 5000n, { ...terms, vatRate: 750, whtRate: 1000, deductibleCosts: ["transport", "labour"] }),
  ).toBe(
    "You would get about ₦1 at ₦50 a kilo; the price may differ. Already taken off: our fee of 5% with its VAT and the tax withheld of 10%. Costs still come off the sales first: transport and labour.",
  );
});

test.each([
  ["2026-12-03T10:00:00Z", "3 days left"],
  ["2026-12-05T22:59:59Z", "1 day left"],
  // Midnight in Lagos has passed.
  ["2026-12-05T23:00:00Z", "today is the last day"],
])("at %s there is: %s", (now, left) => {
  const until = new Date("2026-12-06T22:59:59Z");
  expect(deadlineText(until, new Date(now))).toBe(`Sunday 6 Dec 2026, 23:59 WAT; ${left}`);
});

test.each([
  [577_743n, "kg", 5000n],
  [500n, "kg", 5n],
  [12_000n, "bird", 1000n],
  [1500n, "crate", 1000n],
  [999_999_999_999n, "kg", 5_000_000_000n],
  [1n, "share", 1n],
] as const)("a slider over %s of a %s moves by %s", (quantity, unit, step) => {
  expect(sliderStep(quantity, unit)).toBe(step);
});
