import { expect, test } from "vitest";
import { codeOf, findBank, hasCheckDigit, nigerianBanks } from "#shared/bank/nigerian-banks.ts";

test("every bank is found by both of its codes, and no code is two banks'", () => {
  const codes = nigerianBanks.flatMap(({ code, nip }) => (code === null ? [nip] : [code, nip]));
  expect(new Set(codes).size).toBe(codes.length);
  for (const bank of nigerianBanks) {
    expect(bank.nip).toMatch(/^\d{6}$/);
    expect(findBank(bank.nip)).toBe(bank);
    expect(findBank(codeOf(bank))).toBe(bank);
    expect(bank.code ?? "000").toMatch(/^\d{3}$/);
  }
  expect(findBank("999")).toBeUndefined();
});

test("the check digit is CBN's: the example of its standard", () => {
  const first = findBank("011");
  if (!first) throw new Error("no First Bank");
  // CBN's example: bank 011, serial number 000001457, check digit 9.
  expect(hasCheckDigit(first, "0000014579")).toBe(true);
  for (const digit of "012345678") expect(hasCheckDigit(first, `000001457${digit}`)).toBe(false);
});

test("numbers of banks without a clearing code are taken as they are", () => {
  const opay = findBank("100004");
  if (!opay) throw new Error("no OPay");
  expect(hasCheckDigit(opay, "8031234567")).toBe(true);
});
