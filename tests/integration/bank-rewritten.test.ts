import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { statementLines, statementLineTexts, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { findLine } from "#server/features/bank/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import { accessMapping, importFile, keepOwnAccount, mappingOf } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";

/** A bank rewrites a line's text overnight: the importer is asked about it, and the line is imported once. */

const deps = await openTestDeps();
const { db } = deps;
let ctx: ActorContext;
let accountId: number;
let number = 1_000_000_000;

beforeEach(async () => {
  ctx = await contextOf(deps, await createAdmin(db, "owner"));
  accountId = await keepOwnAccount(db, String(number++));
});
afterEach(() => expectMoneyHolds(deps));

const linesOf = () =>
  db
    .select()
    .from(statementLines)
    .where(eq(statementLines.ownAccountId, accountId))
    .orderBy(asc(statementLines.position));
const told = async () => (await linesOf()).map(({ narration, amountKobo }) => `${narration} ${amountKobo / 100n}`);
const fileOf = (titles: readonly string[], rows: string[]) => Buffer.from([titles.join(","), ...rows, ""].join("\n"));
/** "reference,debit,credit,balance,narration" of 25 November. */
const given = (...rows: string[]) => ({
  accountId,
  file: fileOf(
    accessMapping.titles,
    rows.map((row) => `25-Nov-2026,25-Nov-2026,${row}`),
  ),
});
const withoutBalances = mappingOf("Date", "Narration", "Ref", "Amount");
/** "narration,reference,amount" of 25 November. */
const plain = (...rows: string[]) => ({
  accountId,
  mapping: withoutBalances,
  openingNaira: "0",
  file: fileOf(
    withoutBalances.titles,
    rows.map((row) => `25-Nov-2026,${row}`),
  ),
});

deps.clock.set(new Date("2026-11-27T09:00:00Z"));

const evening = ["S1,,10.00,110.00,NIP INWARD", "S2,,20.00,130.00,NIP/UBA/JOHN BULL", "S3,5.00,,125.00,STAMP DUTY"];
const fuller = "NIP/ZENITH/MARY JANE/SCHOOL FEES";
const morning = [`S1,,10.00,110.00,${fuller}`, ...evening.slice(1), "S4,,7.00,132.00,NIP/UBA/PETER PAN"];

test("the line is asked about with both texts, and nothing is imported before the answer", async () => {
  await importFile(ctx, given(...evening));
  const before = [await linesOf(), await db.$count(statements)];
  expect(await importFile(ctx, given(...morning))).toMatchObject({
    kind: "asks",
    lines: 4,
    newLines: 1,
    knownLines: 2,
    gaps: [],
    mapping: null,
    rewritten: { count: 1, lines: [{ date: "2026-11-25", amountKobo: "1000", before: "NIP INWARD", now: fuller }] },
  });
  expect([await linesOf(), await db.$count(statements)]).toEqual(before);
});

test("answered with yes it is one line with the fuller text, known again by either", async () => {
  await importFile(ctx, given(...evening));
  expect(await importFile(ctx, { ...given(...morning), sameLines: "yes" })).toMatchObject({
    kind: "imported",
    lines: 4,
    newLines: 1,
    knownLines: 3,
  });
  const kept = [`${fuller} 10`, "NIP/UBA/JOHN BULL 20", "STAMP DUTY -5", "NIP/UBA/PETER PAN 7"];
  expect(await told()).toEqual(kept);
  const [line] = await linesOf();
  expect(
    await db
      .select()
      .from(statementLineTexts)
      .where(eq(statementLineTexts.lineId, line?.id ?? 0)),
  ).toMatchObject([{ narration: "NIP INWARD", bankReference: "S1" }]);
  const found = await findLine(ctx, { lineId: line?.id ?? 0 });
  expect(found).toMatchObject({ narration: fuller, otherTexts: [{ narration: "NIP INWARD", bankReference: "S1" }] });
  for (const rows of [evening, morning]) {
    expect(await importFile(ctx, given(...rows))).toMatchObject({ kind: "imported", newLines: 0 });
  }
  expect(await told()).toEqual(kept);
});

test("a shorter text doesn't take the fuller one's place", async () => {
  await importFile(ctx, given(...morning));
  await importFile(ctx, { ...given(...evening), sameLines: "yes" });
  expect((await told())[0]).toBe(`${fuller} 10`);
  expect(await importFile(ctx, given(...evening))).toMatchObject({ kind: "imported", newLines: 0, knownLines: 3 });
});

test("our reference in the new text finds its payment", async () => {
  const { payment } = await createPayment(deps);
  const sum = `${payment.amountKobo / 100n}.00`;
  await importFile(ctx, given(`S1,,${sum},${sum},NIP INWARD FROM SOMEBODY WITH A VERY LONG NAME`));
  await matchSureLines(deps);
  const named = given(`S1,,${sum},${sum},NIP/${payment.reference}`);
  await importFile(ctx, { ...named, sameLines: "yes" });
  await matchSureLines(deps);
  const [line] = await linesOf();
  expect(line).toMatchObject({ reference: payment.reference, narration: `NIP/${payment.reference}` });
  expect(
    await db
      .select()
      .from(lineMatches)
      .where(eq(lineMatches.lineId, line?.id ?? 0)),
  ).toMatchObject([{ paymentId: payment.id, rule: "our_reference" }]);
});

test("without a reference the running balance tells, also of lines that were equal", async () => {
  const [one, other] = [",,10.00,110.00,NIP INWARD", ",,10.00,120.00,NIP INWARD"];
  await importFile(ctx, given(one, other));
  const rewritten = given(`,,10.00,110.00,${fuller}`, other);
  expect(await importFile(ctx, rewritten)).toMatchObject({ kind: "asks", newLines: 0, knownLines: 1 });
  await importFile(ctx, { ...rewritten, sameLines: "yes" });
  expect(await told()).toEqual([`${fuller} 10`, "NIP INWARD 10"]);
  expect(await importFile(ctx, given(one, other))).toMatchObject({ kind: "imported", newLines: 0 });
  // One more of the same text is new, whatever the others are called now.
  await importFile(ctx, given(one, other, ",,10.00,130.00,NIP INWARD"));
  expect(await told()).toEqual([`${fuller} 10`, "NIP INWARD 10", "NIP INWARD 10"]);
});

test("answered with no it is another line", async () => {
  await importFile(ctx, plain("NIP INWARD,HQ,10.00"));
  const other = plain("NIP/UBA/PETER PAN,HQ,10.00");
  expect(await importFile(ctx, other)).toMatchObject({ kind: "asks", rewritten: { count: 1 } });
  expect(await importFile(ctx, { ...other, sameLines: "no" })).toMatchObject({ kind: "imported", newLines: 1 });
  expect(await told()).toEqual(["NIP INWARD 10", "NIP/UBA/PETER PAN 10"]);
});

test("equal amounts of a day are other people's where the bank's references and texts are others", async () => {
  await importFile(ctx, plain("NIP/UBA/JOHN BULL,R1,10.00", "NIP/UBA/ADA OBI,R2,20.00"));
  const later = plain("NIP/UBA/PETER PAN,R3,10.00", "NIP/UBA/MUSA SANI,R4,20.00");
  expect(await importFile(ctx, later)).toMatchObject({ kind: "imported", newLines: 2 });
  expect(await told()).toHaveLength(4);
});

test("equal texts of other people are other lines where the bank's references are others", async () => {
  await importFile(ctx, plain("TRANSFER,R1,10.00", "TRANSFER,R2,20.00"));
  expect(await importFile(ctx, plain("TRANSFER,R3,10.00", "TRANSFER,R4,20.00"))).toMatchObject({
    kind: "imported",
    newLines: 2,
  });
  expect(await importFile(ctx, plain("TRANSFER,R5,10.00"))).toMatchObject({ kind: "imported", newLines: 1 });
  expect(await told()).toHaveLength(5);
});

test("the same texts with other references are asked about, because an export may number its rows", async () => {
  await importFile(ctx, plain("NIP/UBA/JOHN BULL,1,10.00", "NIP/UBA/ADA OBI,2,20.00"));
  const again = plain("NIP/UBA/JOHN BULL,7,10.00", "NIP/UBA/ADA OBI,8,20.00");
  expect(await importFile(ctx, again)).toMatchObject({ kind: "asks", newLines: 0, rewritten: { count: 2 } });
  expect(await importFile(ctx, { ...again, sameLines: "no" })).toMatchObject({ kind: "imported", newLines: 2 });
});

test("equal amounts of a day that nothing tells apart are asked about", async () => {
  await importFile(ctx, plain("NIP/UBA/JOHN BULL,,10.00"));
  const later = plain("NIP/UBA/PETER PAN,,10.00");
  expect(await importFile(ctx, later)).toMatchObject({ kind: "asks", rewritten: { count: 1 } });
  expect(await importFile(ctx, { ...later, sameLines: "no" })).toMatchObject({ kind: "imported", newLines: 1 });
});

test("the same file from other columns is still refused", async () => {
  await importFile(ctx, given(...evening));
  const other = { ...given(...evening), mapping: { ...accessMapping, narration: 2, reference: 6 } };
  expect(await importFile(ctx, { ...other, sameLines: "yes" })).toMatchObject({
    kind: "refused",
    faults: [{ text: bankImportTexts.otherColumnsOfFile(deps.clock.now()) }],
  });
});
