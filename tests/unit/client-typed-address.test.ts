import { expect, test } from "vitest";
import { addressOf } from "#client/lib/addresses.ts";

test.each([
  ["gona.ng", "https://gona.ng"],
  [" www.gona.ng/farms?page=2 ", "https://www.gona.ng/farms?page=2"],
  ["localhost:3000/farms", "https://localhost:3000/farms"],
  ["ada@gona.ng", "mailto:ada@gona.ng"],
  ["gona.ng/@ada", "https://gona.ng/@ada"],
])("what people write as an address becomes one: %s", (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test.each([
  "",
  "http://gona.ng",
  "HTTPS://gona.ng:8080/",
  "mailto:ada@gona.ng",
  "tel:+2348012345678",
  "/about",
  "#top",
])("what is an address stays as it is: %s", (typed) => {
  expect(addressOf(typed)).toBe(typed);
});

test("what may not be a link doesn't become one", () => {
  expect(addressOf("javascript:alert(1)")).toBe("javascript:alert(1)");
});
