import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";
import { describe, expect, test } from "vitest";
import { withRowMapper } from "#server/db/row-mapper.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";

/** What a driver answers: always these rows. */
const answering = (...given: unknown[][]) => drizzle(async () => ({ rows: given }));
type Database = ReturnType<typeof answering>;

const moment = "2026-11-21 09:00:00.123+00";
const decider = alias(users, "decider");

const flat = (db: Database) =>
  db
    .select({
      id: projectPayments.id,
      amountKobo: projectPayments.amountKobo,
      decidedAt: projectPayments.decidedAt,
      isTaken: sql<boolean>`true`,
      named: sql<string>`'x'`.as("named"),
      moment: sql`now()`.mapWith(projectPayments.createdAt),
    })
    .from(projectPayments);

const nested = (db: Database) =>
  db
    .select({
      id: projectPayments.id,
      deciderName: decider.fullName,
      receipt: { sha256: paymentReceipts.sha256, name: storedFiles.originalName, at: paymentReceipts.createdAt },
    })
    .from(projectPayments)
    .innerJoin(paymentReceipts, eq(paymentReceipts.id, projectPayments.currentReceiptId))
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy));

const nullable = (db: Database) =>
  db
    .select({ id: projectPayments.id, decider: { id: decider.id, at: decider.createdAt } })
    .from(projectPayments)
    .leftJoin(decider, eq(decider.id, projectPayments.decidedBy));

const cases = [
  {
    name: "columns, expressions and nulls",
    select: flat,
    rows: [
      ["7", "500", moment, true, "a", moment],
      ["8", "9007199254740993", null, false, "b", moment],
    ],
  },
  {
    name: "an object of two tables",
    select: nested,
    rows: [
      ["7", null, "hash", "a.png", moment],
      ["8", "Ada", "hash", "b.png", null],
    ],
  },
  {
    name: "an object of a table that may be missing",
    select: nullable,
    rows: [
      ["7", null, null],
      ["8", "id", moment],
    ],
  },
  { name: "no rows", select: flat, rows: [] },
];

describe("rows of a prepared select", () => {
  test.each(cases)("are mapped as drizzle does: $name", async ({ select, rows }) => {
    const theirs = await select(answering(...rows))
      .prepare("theirs")
      .execute();
    const ours = await withRowMapper(select(answering(...rows)).prepare("ours")).execute();
    expect(ours).toStrictEqual(theirs);
  });

  test.each([
    { select: flat, has: true },
    { select: nested, has: true },
    { select: nullable, has: false },
  ])("are mapped by ours unless a whole object may be missing", ({ select, has }) => {
    const statement = withRowMapper(select(answering()).prepare("ours"));
    expect(typeof (statement as { customResultMapper?: unknown }).customResultMapper === "function").toBe(has);
  });
});
