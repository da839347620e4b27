import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { invariants } from "#server/books/checks/invariants.ts";

const named = (pattern: string) =>
  globSync(pattern)
    .map((file) => basename(file).replace(/(\.test)?\.ts$/, ""))
    .sort();
const files = named("src/server/books/checks/i[0-9]*.ts");

test("each invariant has a file, and the list has them in the order of their numbers", () => {
  const numbers = files.map((file) => `I${Number(file.slice(1, 3))}`);
  expect(numbers).toEqual(Array.from(files, (_, index) => `I${index + 1}`));
  // I18 is an alarm: it may be broken until the company adds money of its own.
  expect(invariants.map(({ name }) => name.split(" ")[0])).toEqual(numbers.filter((number) => number !== "I18"));
});

test("each invariant has a test of its planted violations", () => {
  expect(named("tests/integration/books/i[0-9]*.test.ts")).toEqual(files);
});
