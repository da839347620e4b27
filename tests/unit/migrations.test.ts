import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The driver may mix up the rows of prepared statements that follow each other on one connection when a column's type
 * changes under them (src/server/db/open.ts): a migration adds a new column and drops the old one instead.
 */
const changesType = /\balter\s+column\b[^;]*?\b(set\s+data\s+)?type\b/i;

test("no migration changes the type of a column in place", () => {
  const migrations = globSync("drizzle/*.sql");
  expect(migrations).not.toHaveLength(0);
  expect(migrations.filter((file) => changesType.test(readFileSync(file, "utf8")))).toEqual([]);
});

test.each([
  'ALTER TABLE "users" ALTER COLUMN "email" SET DATA TYPE varchar(255);',
  'alter table users alter email_count type bigint, alter column\n  "id" type bigint using id::bigint;',
])("%s is found", (statement) => {
  expect(changesType.test(statement)).toBe(true);
});

test("a default of a column may change", () => {
  expect(changesType.test('ALTER TABLE "files" ALTER COLUMN "content_type" SET DEFAULT \'x\';')).toBe(false);
});
