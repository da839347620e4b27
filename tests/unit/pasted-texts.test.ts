import { expect, test } from "vitest";
import { emailField, fullNameField } from "#shared/accounts/inputs.ts";
import { contactForm } from "#shared/contact/inputs.ts";
import { cleanLines, cleanText } from "#shared/free-text.ts";
import { collectInput, costForm } from "#shared/harvests/inputs.ts";
import { verifyPaperInput } from "#shared/papers/inputs.ts";
import { payeeAccountFields } from "#shared/payouts/payee-accounts.ts";
import { searchText } from "#shared/projects/inputs.ts";
import { readSettingValue } from "#shared/settings/inputs.ts";
import { maxLotsKey } from "#shared/settings/texts.ts";

/** Invisible characters that phones paste before, within and after a text. */
const unseen = [
  ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200c\u200d\u200e\u200f\u00ad\u2060\ufeff",
];
const spaces = ["\u00a0", "\u202f", "\t"];
const around = (text: string, mark: string) => `${mark}${text.slice(0, 1)}${mark}${text.slice(1)}${mark}`;

test.each<[string, (typed: string) => unknown, string, string]>([
  ["full name", (typed) => fullNameField.parse(typed), "Ada Obi", "Ada Obi"],
  ["phone", (typed) => contactForm.shape.phone.parse(typed), "0803 123 4567", "0803 123 4567"],
  ["account number", (typed) => payeeAccountFields.accountNumber.parse(typed), "0123 456 789", "0123456789"],
  ["name of an account", (typed) => payeeAccountFields.accountName.parse(typed), "Ada Obi", "Ada Obi"],
  ["collection code", (typed) => collectInput.shape.code.parse(typed), "123 456", "123456"],
  [
    "code of a paper",
    (typed) => verifyPaperInput.parse({ code: typed }).code,
    "ABCD EFGH JKMN PQRS",
    "ABCDEFGHJKMNPQRS",
  ],
  ["number of lots", (typed) => readSettingValue(maxLotsKey, typed), "12", "12"],
  ["amount", (typed) => costForm.shape.amount.parse(typed), "1,250", "1,250"],
  ["search", (typed) => searchText.parse(typed), "Snail farm", "Snail farm"],
])("a pasted %s is what one sees", (_kind, read, text, kept) => {
  const wanted = read(text);
  if (typeof wanted === "string") expect(wanted).toBe(kept);
  for (const mark of unseen) expect(read(around(text, mark)), JSON.stringify(mark)).toEqual(wanted);
  for (const space of spaces) {
    expect(read(`${space}${text.replaceAll(" ", space)}${space}`), JSON.stringify(space)).toEqual(wanted);
  }
});

test("a no-break hyphen is a hyphen", () => {
  expect(contactForm.shape.phone.parse("0803\u2011123\u20114567")).toBe("0803-123-4567");
  expect(payeeAccountFields.accountNumber.parse("0123\u2011456\u2011789")).toBe("0123456789");
  expect(verifyPaperInput.parse({ code: "ABCD\u2011EFGH\u2011JKMN\u2011PQRS" }).code).toBe("ABCDEFGHJKMNPQRS");
});

test("an address stays that of the letters one sees: others are refused, not turned into them", () => {
  expect(emailField.safeParse("\u212aemi@example.com").success).toBe(false);
  expect(emailField.safeParse("ad\u0430@example.com").success).toBe(false);
});

test("letters of Yoruba, Igbo and Hausa keep their marks, composed or not", () => {
  for (const name of ["Ọláwálé Adébáyọ̀", "Chịkamsọ Ụ̀wà", "Ɓala Ƙwanƙwaso"]) {
    expect(fullNameField.parse(name.normalize("NFD"))).toBe(name.normalize("NFC"));
    expect(cleanLines(name)).toBe(name);
  }
});

test("a joiner stays in an emoji, and goes elsewhere; lines stay lines", () => {
  const emojis = "👩🏾\u200d🌾 👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈";
  expect(cleanText(emojis)).toBe(emojis);
  expect(cleanLines(`Harvest\u200d\r\n\u2066${emojis}\u2069`)).toBe(`Harvest\n${emojis}`);
  expect(cleanText("\u200d👩\u200d")).toBe("👩");
});
