import { asc, desc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { keepStatement } from "#server/features/bank/importing/import-statement.ts";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { statementNotes } from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { importFile, keepOwnAccount, mappingOf } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";

/** The order of day and month that a statement proves for its account holds for later files. */

const deps = await openTestDeps();
const { db } = deps;
let ctx: ActorContext;
let accountId: number;
let number = 1_000_000_000;

deps.clock.set(new Date("2026-12-27T09:00:00Z"));
beforeEach(async () => {
  ctx = await contextOf(deps, await createAdmin(db, "owner"));
  accountId = await keepOwnAccount(db, String(number++));
});
afterEach(() => expectMoneyHolds(deps));

const mapping = mappingOf("Date", "Narration", "Amount");
type DayOrder = StatementMapping["dayOrder"];
/** Imports a file of rows like "05/11/2026,A,1.00", whose dates a person may have chosen how to read. */
const importRows = (rows: string[], chosen: DayOrder = "by_file") =>
  importFile(ctx, {
    accountId,
    file: Buffer.from([mapping.titles.join(","), ...rows, ""].join("\n")),
    mapping: { ...mapping, dayOrder: chosen },
    openingNaira: "0",
  });
const days = async () =>
  (
    await db
      .select({ date: statementLines.date })
      .from(statementLines)
      .where(eq(statementLines.ownAccountId, accountId))
      .orderBy(asc(statementLines.position))
  ).map(({ date }) => date);
const keptOrder = async () =>
  (await db.select().from(ownAccounts).where(eq(ownAccounts.id, accountId)))[0]?.dayOrder ?? null;

test("a day above 12 proves it, and later files that could be either are read so", async () => {
  expect(await importRows(["11/13/2026,A,1.00"])).toMatchObject({ kind: "imported" });
  expect(await keptOrder()).toBe("month_first");
  const [audit] = await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
  expect(audit).toMatchObject({ actionType: "import_statement", details: { dayOrder: "month_first" } });
  expect(await importRows(["12/05/2026,B,1.00"])).toMatchObject({
    kind: "imported",
    firstDay: "2026-12-05",
    notes: [statementNotes.dayOrderKept("month_first")],
  });
  expect(await days()).toEqual(["2026-11-13", "2026-12-05"]);
});

test("a file that could be either, where nothing was proved, is read with the day first, and proves nothing", async () => {
  expect(await importRows(["05/11/2026,A,1.00"])).toMatchObject({
    kind: "imported",
    firstDay: "2026-11-05",
    notes: [statementNotes.dayOrderAssumed],
  });
  expect(await keptOrder()).toBeNull();
  expect(await importRows(["06/11/2026,B,1.00"], "day_first")).toMatchObject({ kind: "imported", notes: [] });
  expect(await keptOrder()).toBeNull();
});

test("a file that proves the other order is refused in words, with its columns, and nothing is kept", async () => {
  await importRows(["13/11/2026,A,1.00"]);
  const before = [await days(), await db.$count(statements)];
  expect(await importRows(["11/14/2026,B,1.00"])).toMatchObject({
    kind: "refused",
    faults: [
      {
        row: null,
        text: "This file writes the month first, like 11/25, and this account's earlier statements write the day first, like 25/11. Download it with the same dates as before. If your bank has changed them, say so under “Dates”, where you say which column is which.",
      },
    ],
    table: { mapping: { date: 0 } },
  });
  expect([await days(), await db.$count(statements)]).toEqual(before);
  expect(await keptOrder()).toBe("day_first");
});

test("a bank that changed its dates: a person says so, the file proves it, and from then on the other order is kept", async () => {
  await importRows(["13/11/2026,A,1.00"]);
  expect(await importRows(["11/14/2026,B,1.00"], "month_first")).toMatchObject({ kind: "imported" });
  expect(await days()).toEqual(["2026-11-13", "2026-11-14"]);
  expect(await keptOrder()).toBe("month_first");
});

test("what a person chooses against it is refused where the file doesn't prove it", async () => {
  await importRows(["13/11/2026,A,1.00"]);
  expect(await importRows(["12/11/2026,B,1.00"], "month_first")).toMatchObject({
    kind: "refused",
    faults: [
      {
        text: "This account's earlier statements write the day first, like 25/11, and nothing in this file proves another order. Choose “As the file's dates tell” under “Dates”, where you say which column is which.",
      },
    ],
  });
  expect(await days()).toEqual(["2026-11-13"]);
});

test("files without days and months in figures say nothing against it", async () => {
  await importRows(["13/11/2026,A,1.00"]);
  expect(await importRows(["2026-11-14,B,1.00"])).toMatchObject({ kind: "imported", notes: [] });
  expect(await importRows(["11-Dec-2026,C,1.00"])).toMatchObject({ kind: "imported", notes: [] });
  expect(await keptOrder()).toBe("day_first");
});

test("a file that was read before another one proved the order is looked at again under the account's lock", async () => {
  const content = Buffer.from("Date,Narration,Amount\n12/11/2026,B,1.00\n");
  const statement = await readStatement(content, mapping);
  if (statement.kind === "refused") throw new Error("refused");
  await importRows(["11/13/2026,A,1.00"]);
  const file = { key: newFileKey("statement"), sha256: "0".repeat(64), bytes: content.length, originalName: "b.csv" };
  const given = { accountId, mapping, openingKobo: null, statement, file };
  expect(await db.transaction((tx) => keepStatement(tx, ctx, given))).toMatchObject({ kind: "refused" });
  expect(await days()).toEqual(["2026-11-13"]);
});
