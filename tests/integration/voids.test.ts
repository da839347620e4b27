import { and, asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sumOfEntries } from "#server/books/sums.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts, statementLines, statements, voids } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import { ownAccountTexts } from "#shared/bank/own-accounts-texts.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { voidTexts as texts } from "#shared/bank/void-texts.ts";
import type { VoidBankDataDetails } from "#shared/bank/voids.ts";
import { formatNairaExact } from "#shared/money.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import type { Truth } from "#tests/support/statement-files.ts";

/** Bank data that was wrong: a file, a line, the opening; and accounts that the bank has closed. */

const deps = await openTestDeps();
const { db } = deps;
let amaka: TestUser;
let owner: Caller;
let second: Caller;
let accountId: number;
let number = 3_000_000_000;

beforeEach(async () => {
  amaka = await createAdmin(db, "owner");
  owner = await callAs(deps, amaka);
  second = await callAs(deps, await createAdmin(db, "owner"));
  accountId = await keepOwnAccount(db, String(number++));
});
afterEach(() => expectMoneyHolds(deps));

const naira = (amount: number) => BigInt(amount) * 100n;
const days = (first: number, ...sums: number[]): Truth[] =>
  sums.map((sum, index) => line(`2026-11-${String(first + index).padStart(2, "0")}`, naira(sum)));
const csv = (openingNaira: number, truths: Truth[]) => csvOf({ openingKobo: naira(openingNaira), truths });
const linesOf = () =>
  db
    .select()
    .from(statementLines)
    .where(eq(statementLines.ownAccountId, accountId))
    .orderBy(asc(statementLines.position));
const amounts = async () => (await linesOf()).map(({ amountKobo }) => Number(amountKobo / 100n));
const balance = async () => {
  const isBank = and(eq(ledgerEntries.account, "bank"), eq(ledgerEntries.ownAccountId, accountId));
  const [sum] = await db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isBank);
  return Number((sum?.kobo ?? 0n) / 100n);
};
async function importOf(file: Uint8Array): Promise<number> {
  const answer = await importAs(deps, amaka, { accountId, file });
  if (answer.kind !== "imported") throw new Error(`not imported: ${JSON.stringify(answer)}`);
  return answer.statementId;
}
const reason = "This file is of the other account.";
const voiding = (details: VoidBankDataDetails) => ({ kind: "void_bank_data" as const, details, reason });
const agree = (details: VoidBankDataDetails) => twoAgree(owner, second, voiding(details));
const matchAsOwn = (lineId: number, amountKobo: bigint) =>
  owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "operator", amountKobo, reason: "Our capital" }] });

test("the wrong file is void by two owners, and the right one is imported after", async () => {
  await importOf(csv(100, days(1, 10, 20)));
  const wrong = csv(130, days(3, 1000, 2000));
  const statementId = await importOf(wrong);
  expect(await balance()).toBe(3130);
  await agree({ what: "statement", statementId });
  expect([await balance(), await amounts()]).toEqual([130, [10, 20]]);
  await importOf(csv(130, days(3, 5)));
  expect([await balance(), await amounts()]).toEqual([135, [10, 20, 5]]);
  const [listed] = await owner.bank.voids({ accountId });
  expect(listed).toMatchObject({ what: "statement", reason, lines: 2, firstDay: "2026-11-03", lastDay: "2026-11-04" });
  expect(listed?.fileUrl).toContain("/files/statements/");
  expect((await owner.bank.imports({ accountId })).items.map(({ id }) => id)).not.toContain(statementId);
  const [logged] = await db.select().from(auditLogs).where(eq(auditLogs.actionType, "void_bank_data"));
  expect(logged?.details).toMatchObject({ statementId, lines: 2, reason });
});

test("the same file is imported again after it was void by mistake", async () => {
  const file = csv(100, days(1, 10, 20));
  await agree({ what: "statement", statementId: await importOf(file) });
  expect(await amounts()).toEqual([]);
  await importOf(file);
  expect([await balance(), await amounts()]).toEqual([130, [10, 20]]);
});

test("a file between others leaves a gap that the right one closes", async () => {
  await importOf(csv(100, days(1, 10)));
  const statementId = await importOf(csv(110, days(2, 7)));
  await importOf(csv(117, days(3, 3)));
  await agree({ what: "statement", statementId });
  expect((await linesOf()).map(({ gapKobo }) => gapKobo)).toEqual([null, 700n]);
  expect((await owner.bank.overview()).accounts.find(({ id }) => id === accountId)).toMatchObject({
    differenceKobo: 700n,
    gapsKobo: 700n,
  });
  await importOf(
    csv(
      110,
      days(2, 4, 3).map((truth) => ({ ...truth, date: "2026-11-02", valueDate: "2026-11-02" })),
    ),
  );
  expect((await linesOf()).map(({ gapKobo }) => gapKobo)).toEqual([null, null, null, null]);
  expect(await balance()).toBe(120);
});

test("nothing is void while a match of it stands, and can be once that is undone", async () => {
  const statementId = await importOf(csv(100, days(1, 10, 20)));
  const [first] = await linesOf();
  if (!first) throw new Error("no line");
  await matchAsOwn(first.id, first.amountKobo);
  await expect(owner.secondPerson.ask(voiding({ what: "statement", statementId }))).rejects.toThrow(texts.matched(1));
  await expect(owner.secondPerson.ask(voiding({ what: "line", lineId: first.id }))).rejects.toThrow(texts.matched(1));
  expect(await db.$count(voids, eq(voids.ownAccountId, accountId))).toBe(0);
  const { matches } = await owner.bank.line({ lineId: first.id });
  await owner.bank.undo({ matchId: matches[0]?.id ?? 0, reason: "It isn't ours." });
  await agree({ what: "statement", statementId });
  expect(await balance()).toBe(100);
});

test("one line is void; nothing can be done with it any more", async () => {
  await importOf(csv(100, days(1, 10, 20, 30)));
  const [, middle] = await linesOf();
  if (!middle) throw new Error("no line");
  await agree({ what: "line", lineId: middle.id });
  expect([await balance(), await amounts()]).toEqual([140, [10, 30]]);
  expect(await owner.bank.voids({ accountId })).toMatchObject([{ what: "line", line: { amountKobo: 2000n } }]);
  await expect(matchAsOwn(middle.id, middle.amountKobo)).rejects.toThrow(bankTexts.lineGone);
  await expect(owner.secondPerson.ask(voiding({ what: "line", lineId: middle.id }))).rejects.toThrow(texts.gone);
  expect((await owner.bank.overview()).accounts.find(({ id }) => id === accountId)?.counts.to_match).toBe(2);
});

test("an opening with a digit too few is void after its lines, and asked for again", async () => {
  const statementId = await importOf(csv(10, days(1, 10)));
  await expect(owner.secondPerson.ask(voiding({ what: "opening", accountId }))).rejects.toThrow(texts.hasLines(1));
  await agree({ what: "statement", statementId });
  await agree({ what: "opening", accountId });
  expect(await balance()).toBe(0);
  expect(await db.select().from(ownAccounts).where(eq(ownAccounts.id, accountId))).toMatchObject([
    { openedOn: null, openingKobo: null, mapping: null },
  ]);
  await expect(owner.secondPerson.ask(voiding({ what: "opening", accountId }))).rejects.toThrow(texts.notOpened);
  await importOf(csv(100, days(1, 10)));
  expect(await balance()).toBe(110);
});

test("it takes two owners: a manager can't ask, and whoever asked can't confirm", async () => {
  const statementId = await importOf(csv(100, days(1, 10)));
  const manager = await callAs(deps, await createAdmin(db, "manager"));
  await expect(manager.secondPerson.ask(voiding({ what: "statement", statementId }))).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await owner.secondPerson.ask(voiding({ what: "statement", statementId }));
  const request = (await owner.secondPerson.list()).requests.find(({ kind }) => kind === "void_bank_data");
  expect(request?.consequences.join(" ")).toContain(texts.linesGo(1, formatNairaExact(-1000n)));
  await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow();
  expect(await db.$count(statements, and(eq(statements.id, statementId), isNull(statements.voidId)))).toBe(1);
});

test("an account is closed once the books have nothing there, takes no statement then, and is opened again", async () => {
  const seen = async () => {
    const account = (await owner.bank.accounts()).find(({ id }) => id === accountId);
    return { accountId, seenUpdatedAt: account?.updatedAt ?? new Date(0) };
  };
  const close = async () => owner.bank.closeAccount(await seen());
  await importOf(csv(0, days(1, 10, -10)));
  await expect(close()).rejects.toThrow(ownAccountTexts.unmatched(2));
  const [first, last] = await linesOf();
  if (!first || !last) throw new Error("no lines");
  await matchAsOwn(first.id, first.amountKobo);
  await matchAsOwn(last.id, -last.amountKobo);
  await close();
  await expect(close()).rejects.toThrow(ownAccountTexts.closedAlready);
  await expect(importOf(csv(0, days(3, 5)))).rejects.toThrow(bankImportTexts.accountClosed);
  expect((await owner.bank.overview()).accounts.find(({ id }) => id === accountId)?.isClosed).toBe(true);
  await owner.bank.reopenAccount(await seen());
  await importOf(csv(0, days(3, 5)));
  await matchAsOwn((await linesOf()).at(-1)?.id ?? 0, naira(5));
  await expect(close()).rejects.toThrow(ownAccountTexts.notEmpty(naira(5)));
});
