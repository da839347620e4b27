import { expect, test } from "vitest";
import {
  formatNaira,
  fundingPercent,
  koboToNairaText,
  MAX_AMOUNT_KOBO,
  MAX_STATEMENT_KOBO,
  nairaToKobo,
  parseNaira,
} from "#shared/money.ts";

test.each([
  ["1,250,000", 125_000_000n],
  ["₦1 250.5", 125_050n],
  ["0.07", 7n],
  ["1000000000", MAX_AMOUNT_KOBO],
])("reads %s", (text, kobo) => {
  expect(parseNaira(text)).toBe(kobo);
});

test.each(["", "-5", "1.234", "1e6", "abc", "1000000000.01", "12345678901", "١٢", "."])("refuses %s", (text) => {
  expect(parseNaira(text)).toBeNull();
});

test("writes naira with thousands separators, kobo only where there are some", () => {
  expect(formatNaira(125_000_000n)).toBe("₦1,250,000");
  expect(formatNaira(125_005n)).toBe("₦1,250.05");
  expect(formatNaira(-100n)).toBe("-₦1");
  expect(formatNaira(nairaToKobo(0))).toBe("₦0");
});

test("the percentage is rounded and capped at 100", () => {
  expect(fundingPercent(0n, 100n)).toBe(0);
  expect(fundingPercent(1n, 3n)).toBe(33);
  expect(fundingPercent(2n, 3n)).toBe(67);
  expect(fundingPercent(500n, 100n)).toBe(100);
  expect(fundingPercent(1n, 0n)).toBe(0);
});

test("a comma in a place where no thousands part is no amount", () => {
  for (const text of ["1250,50", "1,2", "12,50.00", "1,250,00", ",500", "1,,000"]) expect(parseNaira(text)).toBeNull();
  expect(parseNaira("1,250.5")).toBe(125_050n);
  expect(parseNaira("1,000,000,000")).toBe(100_000_000_000n);
  expect(parseNaira("10,000,000,000,000", MAX_STATEMENT_KOBO)).toBe(1_000_000_000_000_000n);
  expect(parseNaira("10000000000000.01", MAX_STATEMENT_KOBO)).toBeNull();
});

test.each([
  [0n, "0"],
  [2500n, "25"],
  [125_050n, "1,250.50"],
  [100_000_000_000n, "1,000,000,000"],
])("%s kobo fill a field with %s, which reads as the same", (kobo, text) => {
  expect(koboToNairaText(kobo)).toBe(text);
  expect(parseNaira(text)).toBe(kobo);
});
