import { expect, test } from "vitest";
import { shortName } from "#shared/people/short-name.ts";

test.each([
  ["Ada Obi", "Ada O."],
  ["  Ada  Ngozi   Obi ", "Ada O."],
  ["Ọlá ẹniọlá", "Ọlá Ẹ."],
  ["Ada Obi-Eze", "Ada O."],
  ["Ada", "Ada"],
  ["", ""],
])("%o is called %o", (fullName, short) => {
  expect(shortName(fullName)).toBe(short);
});
