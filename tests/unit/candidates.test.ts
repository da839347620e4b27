import { expect, test } from "vitest";
import { fitOf } from "#server/features/bank/matching/candidates/payments.ts";

test.each([
  [50_000_00n, 50_000_00n, "exact"],
  [49_950_00n, 50_000_00n, "stamp_duty"],
  [49_900_00n, 50_000_00n, "charges"],
  [49_999_99n, 50_000_00n, "charges"],
  [49_899_99n, 50_000_00n, "part"],
  [50_000_01n, 50_000_00n, "too_much"],
])("%d kobo of %d missing fit as %s", (arrived, missing, fit) => {
  expect(fitOf(arrived, missing)).toBe(fit);
});
