import { asc, desc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { rateLimits, sessions } from "#server/db/schema/sessions.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import { statementNotes } from "#shared/bank/statement-texts.ts";
import { csvOf, importFile, keepOwnAccount, line, mappingOf } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { contextOf, createPayment, expectMoneyHolds, findPayment } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { type Truth, writeMt940 } from "#tests/support/statement-files.ts";

const deps = await openTestDeps();
const { db } = deps;
let owner: TestUser;
let ctx: ActorContext;
let accountId: number;
let number = 1_000_000_000;

/** Each test has an account of its own. */
beforeEach(async () => {
  await db.delete(rateLimits);
  owner = await createAdmin(db, "owner");
  ctx = await contextOf(deps, owner);
  accountId = await keepOwnAccount(db, String(number++));
});
afterEach(() => expectMoneyHolds(deps));

const linesOf = (id = accountId) =>
  db.select().from(statementLines).where(eq(statementLines.ownAccountId, id)).orderBy(asc(statementLines.position));
const amounts = async () => (await linesOf()).map(({ amountKobo }) => Number(amountKobo / 100n));
const accountOf = async (id = accountId) => (await db.select().from(ownAccounts).where(eq(ownAccounts.id, id)))[0];
const state = async () => [
  await db.$count(statements),
  await db.$count(statementLines),
  await db.$count(ledgerTransactions),
  await db.$count(ledgerEntries),
  await db.$count(auditLogs),
  await db.select().from(ownAccounts).orderBy(asc(ownAccounts.id)),
];
const naira = (amount: number) => BigInt(amount) * 100n;
const days = (first: number, ...sums: number[]): Truth[] =>
  sums.map((sum, index) => line(`2026-11-${String(first + index).padStart(2, "0")}`, naira(sum)));
/** MT940 of the test's account. */
const mt940 = async (openingNaira: number, truths: Truth[]) =>
  Buffer.from(
    writeMt940({ openingKobo: naira(openingNaira), truths }).replace(
      /:25:.*/,
      `:25:${(await accountOf())?.accountNumber}`,
    ),
  );
const csv = (openingNaira: number, truths: Truth[]) => csvOf({ openingKobo: naira(openingNaira), truths });

describe("a statement", () => {
  test("keeps each line, posts it once, and opens the account with the balance before them", async () => {
    const answer = await importFile(ctx, { accountId, file: csv(1000, days(3, 500, -20, 700)) });
    expect(answer).toMatchObject({
      kind: "imported",
      lines: 3,
      newLines: 3,
      knownLines: 0,
      notes: [],
      leftOut: { failed: 0, pending: 0, reversed: 0, zero: 0, other: 0 },
      firstDay: "2026-11-03",
      lastDay: "2026-11-05",
    });
    expect(await accountOf()).toMatchObject({ openedOn: "2026-11-03", openingKobo: naira(1000) });
    expect(await linesOf()).toMatchObject([
      { row: 2, position: 1, date: "2026-11-03", amountKobo: naira(500), balanceKobo: naira(1500), gapKobo: null },
      { row: 3, position: 2, date: "2026-11-04", amountKobo: naira(-20), balanceKobo: naira(1480) },
      { row: 4, position: 3, date: "2026-11-05", amountKobo: naira(700), balanceKobo: naira(2180) },
    ]);
    const posted = await db
      .select({ kind: ledgerTransactions.kind, account: ledgerEntries.account, kobo: ledgerEntries.amountKobo })
      .from(ledgerEntries)
      .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
      .where(eq(ledgerTransactions.actorId, owner.id))
      .orderBy(asc(ledgerTransactions.id), asc(ledgerEntries.account));
    expect(posted.map(({ kind, account, kobo }) => `${kind} ${account} ${kobo / 100n}`)).toEqual([
      "opening bank 1000",
      "opening opening -1000",
      "line bank 500",
      "line unmatched_in -500",
      "line bank -20",
      "line unmatched_out 20",
      "line bank 700",
      "line unmatched_in -700",
    ]);
    const [audit] = await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
    expect(audit).toMatchObject({
      actionType: "import_statement",
      userId: owner.id,
      details: { accountId, fileName: "statement.csv", lines: 3, newLines: 3, openingKobo: "100000" },
    });
  });

  test("imported again brings nothing new, and says so", async () => {
    const file = csv(0, days(3, 500, 500, 500));
    await importFile(ctx, { accountId, file });
    const before = await linesOf();
    expect(await importFile(ctx, { accountId, file })).toMatchObject({
      kind: "imported",
      lines: 3,
      newLines: 0,
      knownLines: 3,
      notes: [expect.stringContaining("imported on 21 Nov 2026 already")],
    });
    expect(await linesOf()).toEqual(before);
  });

  test("that overlaps another brings only what is new, in its place", async () => {
    const all = days(3, 1, 2, 3, 4, 5, 6);
    await importFile(ctx, { accountId, file: csv(0, all.slice(0, 4)) });
    const rest = csvOf({ openingKobo: naira(3), truths: all.slice(2) });
    expect(await importFile(ctx, { accountId, file: rest })).toMatchObject({ lines: 4, newLines: 2, knownLines: 2 });
    expect(await amounts()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await linesOf()).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("has equal lines of one day as often as the bank lists them", async () => {
    const same = { ...line("2026-11-03", naira(50), "SMS ALERT CHARGE"), bankReference: null };
    await importFile(ctx, { accountId, file: csv(0, [same, same]) });
    const more = csv(0, [same, same, same, line("2026-11-04", naira(1))]);
    expect(await importFile(ctx, { accountId, file: more })).toMatchObject({ newLines: 2, knownLines: 2 });
    expect(await amounts()).toEqual([50, 50, 50, 1]);
  });

  test("of days between others is put between them", async () => {
    const all = days(3, 1, 2, 3, 4, 5, 6);
    await importFile(ctx, { accountId, file: csv(0, all.slice(0, 2)) });
    await importFile(ctx, { accountId, file: csv(10, all.slice(4)), gapReason: "The rest follows" });
    expect((await linesOf())[2]).toMatchObject({ gapKobo: naira(7) });
    await importFile(ctx, { accountId, file: csv(3, all.slice(2, 4)) });
    expect(await amounts()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await linesOf()).map(({ position, gapKobo }) => [position, gapKobo])).toEqual(
      [1, 2, 3, 4, 5, 6].map((position) => [position, null]),
    );
  });

  describe("without balances, read from other columns", () => {
    const mapping = mappingOf("Date", "Description", "Ref", "Amount");
    const fileOf = (...rows: string[]) => Buffer.from(["Date,Description,Ref,Amount", ...rows, ""].join("\n"));
    const rows = ["13/11/2026,NIP C,R1,6000.00", "14/11/2026,NIP A,R2,5000.00", "14/11/2026,NIP B,R3,6000.00"];
    const given = () => ({ accountId, openingNaira: "0", file: fileOf(...rows), mapping });
    const refusal = (text: string) => ({ kind: "refused", faults: [{ row: null, text }], table: { bank: null } });

    test("is refused, because its lines would count twice", async () => {
      expect(await importFile(ctx, given())).toMatchObject({ kind: "imported", newLines: 3 });
      const before = await state();
      const other = { ...given(), mapping: { ...mapping, reference: null } };
      const text = texts.otherColumnsOfFile(deps.clock.now());
      expect(await importFile(ctx, other)).toMatchObject(refusal(text));
      expect(await state()).toEqual(before);
      expect(await importFile(ctx, given())).toMatchObject({ kind: "imported", newLines: 0 });
    });

    test("is refused for days that another file brought, of which either may have more lines", async () => {
      await importFile(ctx, given());
      const later = [...rows.slice(1), "14/11/2026,NIP D,R4,7000.00", "15/11/2026,NIP E,R5,8000.00"];
      const other = { ...given(), mapping: { ...mapping, reference: null } };
      const refused = refusal(texts.otherColumns(["2026-11-14"]));
      expect(await importFile(ctx, { ...other, file: fileOf(...later) })).toMatchObject(refused);
      expect(await importFile(ctx, { ...other, file: fileOf(...rows.slice(2), ...later.slice(3)) })).toMatchObject(
        refused,
      );
      expect(await importFile(ctx, { ...given(), file: fileOf(...later) })).toMatchObject({
        newLines: 2,
        knownLines: 2,
      });
    });

    test("is no refusal of other amounts of the same day", async () => {
      await importFile(ctx, given());
      const file = fileOf("14/11/2026,NIP D,R4,7000.00", "14/11/2026,NIP E,R5,5000.00");
      expect(await importFile(ctx, { ...given(), file })).toMatchObject({ kind: "imported", newLines: 2 });
    });
  });

  test("goes on with equal amounts of the same day, as its balances say", async () => {
    await importFile(ctx, { accountId, file: csv(0, days(3, 500)) });
    expect(await importFile(ctx, { accountId, file: csv(500, days(3, 500)) })).toMatchObject({
      kind: "imported",
      newLines: 1,
    });
    // The balance is that of the first, so it may be that one.
    expect(await importFile(ctx, { accountId, file: csv(0, days(3, 500)) })).toMatchObject({
      kind: "asks",
      newLines: 0,
      rewritten: { count: 1 },
    });
  });

  test("brings a missing line of a day whose other lines are there, and closes its gap", async () => {
    for (const [first, second, third] of [
      ["2026-11-05", "2026-11-05", "2026-11-05"],
      ["2026-11-05", "2026-11-06", "2026-11-06"],
    ] as const) {
      accountId = await keepOwnAccount(db, String(number++));
      const [one, two, three] = [line(first, naira(1)), line(second, naira(2)), line(third, naira(3))];
      await importFile(ctx, { accountId, file: csv(0, [one]) });
      await importFile(ctx, { accountId, file: csv(3, [three]), gapReason: "To be imported" });
      expect((await linesOf()).map(({ gapKobo }) => gapKobo)).toEqual([null, naira(2)]);
      expect(await importFile(ctx, { accountId, file: csv(0, [one, two, three]) })).toMatchObject({
        kind: "imported",
        newLines: 1,
      });
      expect(await amounts()).toEqual([1, 2, 3]);
      expect((await linesOf()).map(({ gapKobo }) => gapKobo)).toEqual([null, null, null]);
    }
  });
});

test("nothing that the bank says failed, waits or went back becomes money, and nobody is told that it arrived", async () => {
  const payments = [await createPayment(deps), await createPayment(deps), await createPayment(deps)];
  const [failed, pending, reversed] = payments.map(({ payment }) => payment);
  if (!failed || !pending || !reversed) throw new Error("three payments");
  const mapping = mappingOf("Date", "Narration", "Debit", "Credit", "Balance", "Status");
  const rows = [
    mapping.titles.join(","),
    "13/11/2026,NIP/OTHER,,5.00,105.00,SUCCESSFUL",
    `14/11/2026,NIP/${failed.reference},,${failed.amountKobo / 100n},105.00,FAILED`,
    `14/11/2026,NIP/${pending.reference},,${pending.amountKobo / 100n},105.00,PENDING`,
    `14/11/2026,NIP/${reversed.reference},,${reversed.amountKobo / 100n},105.00,REVERSED`,
    "15/11/2026,NIP/OTHER,1.00,,104.00,SUCCESSFUL",
    "Page 1 of 1",
  ];
  const mails = () => Promise.all(payments.map(({ backer }) => queuedMailsTo(db, backer.email)));
  const before = { mails: await mails(), matches: await db.$count(lineMatches) };
  expect(await importFile(ctx, { accountId, mapping, file: Buffer.from(rows.join("\n")) })).toMatchObject({
    kind: "imported",
    lines: 2,
    newLines: 2,
    leftOut: { pending: 1, other: 1 },
    notes: [statementNotes.failed(1), statementNotes.notBooked(1), statementNotes.reversed(1)],
  });
  await matchSureLines(deps);
  expect({ mails: await mails(), matches: await db.$count(lineMatches) }).toEqual(before);
  expect(await amounts()).toEqual([5, -1]);
  for (const { payment } of payments) expect((await findPayment(db, payment.id)).status).toBe("pending");
});

test("money that came and went back is in the books, but is nobody's payment by itself", async () => {
  const { payment, backer } = await createPayment(deps);
  const [sum, after] = [payment.amountKobo / 100n, 100n + payment.amountKobo / 100n];
  const file = Buffer.from(
    [
      "Date,Narration,Debit,Credit,Balance,Status",
      "13/11/2026,NIP/OTHER,,5.00,100.00,SUCCESSFUL",
      `14/11/2026,NIP/${payment.reference},,${sum}.00,${after}.00,REVERSED`,
      `14/11/2026,RETURN TO SENDER,${sum}.00,,100.00,SUCCESSFUL`,
      "",
    ].join("\n"),
  );
  const asked = await importFile(ctx, { accountId, file, mapping: undefined });
  const mapping = asked.kind === "asks" ? asked.mapping?.mapping : undefined;
  const before = await queuedMailsTo(db, backer.email);
  expect(await importFile(ctx, { accountId, file, mapping: mapping ?? undefined })).toMatchObject({ newLines: 3 });
  await matchSureLines(deps);
  expect(await amounts()).toEqual([5, Number(sum), -Number(sum)]);
  expect((await linesOf()).map(({ reference, matchedKobo }) => [reference, matchedKobo])).toEqual([
    [null, 0n],
    [null, 0n],
    [null, 0n],
  ]);
  expect(await queuedMailsTo(db, backer.email)).toEqual(before);
});

test("our reference in the bank's own column, or in a second text, is found", async () => {
  const payments = [(await createPayment(deps)).payment, (await createPayment(deps)).payment];
  const [first = "", second = ""] = payments.map(({ reference }) => reference);
  const file = Buffer.from(
    [
      "Transaction Date,Value Date,Reference,Narration,Remarks,Debit,Credit,Balance",
      `13/11/2026,13/11/2026,${first},NIP INWARD TRANSFER,FARM LOT,,150.00,250.00`,
      `13/11/2026,13/11/2026,FT0002,NIP INWARD TRANSFER,YETUNDE ${second},,100.00,350.00`,
      "",
    ].join("\n"),
  );
  const asked = await importFile(ctx, { accountId, file, mapping: undefined });
  const mapping = asked.kind === "asks" ? asked.mapping?.mapping : undefined;
  await importFile(ctx, { accountId, file, mapping: mapping ?? undefined });
  expect(await linesOf()).toMatchObject([
    { reference: first, narration: "NIP INWARD TRANSFER FARM LOT" },
    { reference: second, narration: `NIP INWARD TRANSFER YETUNDE ${second}` },
  ]);
});

test("a quiet day is covered, unless its balance says that something moved", async () => {
  await importFile(ctx, { accountId, file: await mt940(0, days(3, 100)) });
  const quiet = async (day: string, sum: number) => {
    const number = (await accountOf())?.accountNumber;
    const balance = `C2611${day}NGN${sum},00`;
    return Buffer.from(
      [":20:S", `:25:${number}`, ":28C:1/1", `:60F:${balance}`, `:62F:${balance}`, "-", ""].join("\n"),
    );
  };
  const before = await linesOf();
  expect(await importFile(ctx, { accountId, file: await quiet("20", 100) })).toMatchObject({
    kind: "imported",
    lines: 0,
    newLines: 0,
    firstDay: "2026-11-20",
    lastDay: "2026-11-20",
  });
  expect(await linesOf()).toEqual(before);
  expect(await importFile(ctx, { accountId, file: await quiet("21", 150) })).toMatchObject({
    kind: "asks",
    gaps: [{ fromDate: "2026-11-03", toDate: "2026-11-21", missingKobo: "5000" }],
  });
  expect(await importFile(ctx, { accountId, file: await quiet("22", 100) })).toMatchObject({
    kind: "refused",
    faults: [{ row: null, text: texts.dayInFuture("2026-11-22") }],
  });
});

describe("the opening", () => {
  test("is typed where the file prints none, and asked for before anything is written", async () => {
    const file = Buffer.from("Date,Description,Amount\n03-NOV-2026,NIP/ADA,500.00\n");
    const given = { accountId, file, mapping: noBalances };
    const before = await state();
    expect(await importFile(ctx, given)).toMatchObject({ kind: "asks", opening: true, mapping: null, gaps: [] });
    expect(await state()).toEqual(before);
    await expect(importFile(ctx, { ...given, openingNaira: "12,50" })).rejects.toMatchObject({
      fields: { openingNaira: [texts.openingInvalid] },
    });
    expect(await state()).toEqual(before);
    expect(await importFile(ctx, { ...given, openingNaira: "-1,250.50" })).toMatchObject({ kind: "imported" });
    expect(await accountOf()).toMatchObject({ openingKobo: -125_050n });
  });

  test("may be as large as the bank could print it", async () => {
    const file = Buffer.from("Date,Description,Amount\n03-NOV-2026,NIP/ADA,500.00\n");
    const given = { accountId, file, mapping: noBalances, openingNaira: "10,000,000,000" };
    expect(await importFile(ctx, given)).toMatchObject({ kind: "imported" });
    expect(await accountOf()).toMatchObject({ openingKobo: naira(10_000_000_000) });
  });

  test("with the same balance as the ledger's posts nothing", async () => {
    await importFile(ctx, { accountId, file: csv(0, days(3, 5)) });
    const opening = eq(ledgerTransactions.ownAccountId, accountId);
    expect(await db.select().from(ledgerTransactions).where(opening)).toEqual([]);
    expect(await accountOf()).toMatchObject({ openedOn: "2026-11-03", openingKobo: 0n });
  });

  test("is the first day: lines before it are refused with their rows", async () => {
    await importFile(ctx, { accountId, file: csv(0, days(5, 1)) });
    const before = await state();
    expect(await importFile(ctx, { accountId, file: csv(0, days(3, 1, 2, 3)) })).toMatchObject({
      kind: "refused",
      faults: [
        { row: 2, text: texts.beforeOpening(2, "2026-11-03", "2026-11-05") },
        { row: 3, text: texts.beforeOpening(3, "2026-11-04", "2026-11-05") },
      ],
    });
    expect(await state()).toEqual(before);
  });
});

const noBalances = mappingOf("Date", "Description", "Amount");

describe("what has to be asked", () => {
  test("the columns of a first file, and never again for the same headings", async () => {
    const file = csv(0, days(3, 1, 2));
    const before = await state();
    const asked = await importFile(ctx, { accountId, file, mapping: undefined });
    expect(asked).toMatchObject({
      kind: "asks",
      opening: false,
      lines: 2,
      newLines: 2,
      firstDay: "2026-11-03",
      mapping: { isAsked: true, bank: "Access Bank", headingRow: 1, mapping: { date: 0, narration: 6 } },
    });
    expect(await state()).toEqual(before);
    const mapping = asked.kind === "asks" ? asked.mapping?.mapping : null;
    expect(await importFile(ctx, { accountId, file, mapping: mapping ?? undefined })).toMatchObject({
      kind: "imported",
    });
    expect(await importFile(ctx, { accountId, file, mapping: undefined })).toMatchObject({ kind: "imported" });
  });

  test("the reason of a gap, within the file and against what was imported before", async () => {
    const [first, second, third] = days(3, 1, 2, 3);
    if (!first || !second || !third) throw new Error("three lines");
    await importFile(ctx, { accountId, file: csv(0, [first]) });
    const before = await state();
    const file = csv(51, [second]);
    expect(await importFile(ctx, { accountId, file })).toMatchObject({
      kind: "asks",
      gaps: [{ fromDate: "2026-11-03", toDate: "2026-11-04", missingKobo: "5000" }],
    });
    expect(await state()).toEqual(before);
    expect(await importFile(ctx, { accountId, file, gapReason: "The bank lost a page" })).toMatchObject({
      kind: "imported",
    });
    expect(await linesOf()).toMatchObject([{ gapKobo: null }, { gapKobo: naira(50) }]);
    expect(await db.select().from(statements).orderBy(desc(statements.id)).limit(1)).toMatchObject([
      { gapReason: "The bank lost a page" },
    ]);
    // What was accepted isn't asked again.
    expect(
      await importFile(ctx, { accountId, file: csvOf({ openingKobo: naira(51), truths: [second, third] }) }),
    ).toMatchObject({
      kind: "imported",
      newLines: 1,
    });
  });

  test("the reason of a gap in MT940, whose balances stand around the lines", async () => {
    const truths = days(3, 100, 200);
    await importFile(ctx, { accountId, file: await mt940(10, truths) });
    expect(await linesOf()).toMatchObject([{ balanceKobo: naira(110) }, { balanceKobo: naira(310) }]);
    const later = await mt940(300, days(6, 5));
    expect(await importFile(ctx, { accountId, file: later })).toMatchObject({
      kind: "asks",
      gaps: [{ fromDate: "2026-11-04", toDate: "2026-11-06", missingKobo: "-1000" }],
    });
    expect(await importFile(ctx, { accountId, file: later, gapReason: "Charges" })).toMatchObject({
      kind: "imported",
    });
  });
});

describe("is refused, and nothing is written:", () => {
  const expectRefused = async (given: Parameters<typeof importFile>[1], text: string) => {
    const before = await state();
    expect(await importFile(ctx, given)).toMatchObject({
      kind: "refused",
      faults: [{ text: expect.stringContaining(text) }],
    });
    expect(await state()).toEqual(before);
  };

  test("days that were imported in another format", async () => {
    const truths = days(3, 100, 200, 300);
    await importFile(ctx, { accountId, file: csv(0, truths.slice(0, 2)) });
    await expectRefused(
      { accountId, file: await mt940(0, truths) },
      "3 Nov 2026 and 4 Nov 2026 were imported as CSV. The same lines in MT940 would count twice: import these days as CSV again, or choose other days.",
    );
    const later = await mt940(300, truths.slice(2));
    expect(await importFile(ctx, { accountId, file: later })).toMatchObject({ kind: "imported" });
  });

  test("the file of another account", async () => {
    const file = Buffer.from(writeMt940({ openingKobo: 0n, truths: days(3, 1) }));
    const accountNumber = (await accountOf())?.accountNumber ?? "";
    await expectRefused({ accountId, file }, texts.otherAccount("0123456789", accountNumber));
  });

  test("days of the future", async () => {
    const file = csv(0, [line("2026-11-20", 1n), line("2026-11-22", 1n)]);
    await expectRefused({ accountId, file }, texts.inFuture(3, "2026-11-22"));
  });

  test("a bad row", async () => {
    const file = Buffer.from(
      csv(0, days(3, 1, 2))
        .toString()
        .replace("03-NOV-2026", "31-FEB-2026"),
    );
    await expectRefused({ accountId, file }, "Row 2");
  });

  test("an account that isn't there, and a session that has ended", async () => {
    const file = csv(0, days(3, 1));
    await expect(importFile(ctx, { accountId: 999_999, file })).rejects.toMatchObject({ reason: "not_found" });
    await db.delete(sessions).where(eq(sessions.userId, owner.id));
    const before = await state();
    await expect(importFile(ctx, { accountId, file })).rejects.toMatchObject({ reason: "unauthenticated" });
    expect(await state()).toEqual(before);
  });
});
