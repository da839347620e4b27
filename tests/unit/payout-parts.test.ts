import { expect, test } from "vitest";
import { inParts } from "#server/features/payouts/service.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";

/** The parts of a sum that is too large for one transfer. */

const max = 5_000_000_00n;
const told = (amountKobo: Kobo) =>
  inParts(amountKobo, max).map((one) => `${one.part}/${one.parts} ${formatNairaExact(one.amountKobo)}`);

test.each<[Kobo, string[]]>([
  [50n, ["1/1 ₦0.50"]],
  [max, ["1/1 ₦5,000,000.00"]],
  [max + 1n, ["1/2 ₦4,999,900.01", "2/2 ₦100.00"]],
  [max + 99_99n, ["1/2 ₦4,999,999.99", "2/2 ₦100.00"]],
  [max + 100_00n, ["1/2 ₦5,000,000.00", "2/2 ₦100.00"]],
  [max * 2n + 53_75n, ["1/3 ₦5,000,000.00", "2/3 ₦4,999,953.75", "3/3 ₦100.00"]],
])("%d kobo are %j", (amountKobo, parts) => {
  expect(told(amountKobo)).toEqual(parts);
});
