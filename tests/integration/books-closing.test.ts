import { asc, desc, eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { ledgerClosings } from "#server/db/schema/ledger-heads.ts";
import { papers } from "#server/db/schema/papers.ts";
import { closeMonth } from "#server/features/books/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { booksTexts } from "#shared/books/texts.ts";
import { exportPath } from "#shared/exports/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { download } from "#tests/support/downloads.ts";
import { contextOf, createPayment, decide, expectMoneyHolds, seen } from "#tests/support/money.ts";
import { callAs, createAdmin, createGranted, type TestUser } from "#tests/support/people.ts";

/** The books by day and by month: the trial balance, an account's entries, and closing a month. */

const deps = await openTestDeps();
const { db, clock } = deps;
let app: FastifyInstance;
let owner: TestUser;
let accountant: TestUser;
const lastEvening = new Date("2026-11-30T22:59:59.900Z");
const closable = new Date("2026-11-30T23:10:00Z");

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
  accountant = await createGranted(db, "accountant");
});
afterEach(() => expectMoneyHolds(deps));
afterAll(() => app.close());

const approveOne = () => createPayment(deps, { owner, status: "approved" });
const closingsOf = () => db.select().from(ledgerClosings).orderBy(asc(ledgerClosings.month));

/** Entries that are dated before a moment. */
const countBefore = async (at: string) => {
  const [found] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where t.created_at < ${at}::timestamptz`,
  );
  return found?.count;
};

describe("the trial balance of a day", () => {
  test("has each account brought forward, in, out and its balance, and sums to zero", async () => {
    clock.set(new Date("2026-11-20T09:00:00Z"));
    const { payment } = await approveOne();
    // Half past midnight of the 22nd in Lagos.
    clock.set(new Date("2026-11-21T23:30:00Z"));
    const { payment: later } = await approveOne();
    await decide(deps, owner, { paymentId: later.id, status: "pending" });
    const by = await callAs(deps, accountant);
    const { accounts } = await by.books.trialBalance({ on: "2026-11-21" });
    const { amountKobo } = payment;
    const none = { broughtForward: 0n, in: 0n, out: 0n };
    expect(accounts).toEqual([
      { ...none, account: "in_transit", in: amountKobo, balance: amountKobo },
      { ...none, account: "project_funding", out: amountKobo, balance: -amountKobo },
    ]);
    const next = (await by.books.trialBalance({ on: "2026-11-22" })).accounts;
    const both = amountKobo + later.amountKobo;
    expect(next[0]).toEqual({
      ...none,
      account: "in_transit",
      in: both,
      out: later.amountKobo,
      balance: amountKobo,
    });
    const december = (await by.books.trialBalance({ on: "2026-12-01" })).accounts;
    expect(december[0]).toEqual({ ...none, account: "in_transit", broughtForward: amountKobo, balance: amountKobo });
    for (const each of [accounts, next, december]) {
      expect(each.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
      expect(each.reduce((sum, { in: added, out }) => sum + added - out, 0n)).toBe(0n);
    }
  });

  test("lists an account's entries newest first, page by page, by the references of payments", async () => {
    const by = await callAs(deps, accountant);
    const asked = { account: "in_transit" as const, on: "2026-11-30" };
    const all = await by.books.entries(asked);
    expect(all.items.map(({ kind }) => kind)).toEqual(["reversal", "approval", "approval"]);
    expect(all.items[0]).toMatchObject({ reference: expect.stringMatching(/-/), title: expect.any(String) });
    expect(all.nextCursor).toBeNull();
    expect((await by.books.entries({ ...asked, on: "2026-11-21" })).items).toHaveLength(1);
    expect((await by.books.entries({ ...asked, on: "2026-12-05" })).items).toEqual([]);
  });
});

describe("closing a month", () => {
  test("comes from ten past midnight on, in order, and is an accountant's as an owner's", async () => {
    clock.set(new Date(closable.getTime() - 1));
    const early = await callAs(deps, accountant);
    expect((await early.books.closings()).next).toMatchObject({ month: "2026-11", isOpen: false, from: closable });
    const refused = (month: string, message: string) =>
      expect(early.books.close({ month })).rejects.toMatchObject({ message });
    await refused("2026-11", booksTexts.notOver("2026-11"));
    await refused("2026-12", booksTexts.outOfOrder("2026-11"));
    clock.set(closable);
    const manager = await callAs(deps, "manager");
    await expect(manager.books.close({ month: "2026-11" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(manager.books.trialBalance({ on: "2026-11-30" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await closingsOf()).toEqual([]);
    const by = await callAs(deps, accountant);
    const paper = await by.books.close({ month: "2026-11" });
    expect(paper.number).toMatch(/^.C-2026-000001$/);
    const [closing, ...others] = await closingsOf();
    expect(others).toEqual([]);
    const { accounts } = await by.books.trialBalance({ on: "2026-11-30" });
    expect(closing?.balances).toEqual(
      accounts.map(({ account, ...figures }) => ({
        account,
        ...Object.fromEntries(Object.entries(figures).map(([name, kobo]) => [name, String(kobo)])),
      })),
    );
    expect(closing?.entries).toBe(await db.$count(ledgerEntries));
    const [audit] = await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
    expect(audit).toMatchObject({ actionType: "close_month", userId: accountant.id, details: { month: "2026-11" } });
    const [made] = await db.select().from(papers).where(eq(papers.kind, "closing"));
    expect(made).toMatchObject({ firstDay: "2026-11-01", lastDay: "2026-11-30", userId: null });
    await expect(by.books.close({ month: "2026-11" })).rejects.toMatchObject({
      message: booksTexts.closedAlready("2026-11"),
    });
    const { closings, next } = await by.books.closings();
    expect(closings).toMatchObject([{ month: "2026-11-01", paper: { number: paper.number } }]);
    expect(next).toMatchObject({ month: "2026-12", isOpen: false });
    expect((await download(deps, app, accountant, closings[0]?.paper.url ?? "")).statusCode).toBe(200);
  });

  test("leaves what was begun before it and is posted after it to the next month", async () => {
    const { payment } = await createPayment(deps, { owner });
    const late = { ...(await contextOf(deps, owner)), clock: { now: () => lastEvening } };
    await setPaymentStatus(late, { ...(await seen(db, payment.id)), status: "approved" });
    const [posted] = await db.select().from(ledgerTransactions).orderBy(desc(ledgerTransactions.id)).limit(1);
    expect(posted).toMatchObject({ paymentId: payment.id, createdAt: new Date("2026-11-30T23:00:00Z") });
  });

  test("changes nothing any more: the database refuses it", async () => {
    for (const change of ["update ledger_closings set entries = 1", "delete from ledger_closings"])
      await expect(db.execute(sql.raw(change))).rejects.toThrow();
  });

  test("works for a month that was forgotten for two, also without an entry", async () => {
    clock.set(new Date("2027-03-05T09:00:00Z"));
    const by = await callAs(deps, owner);
    await expect(by.books.close({ month: "2027-02" })).rejects.toMatchObject({
      message: booksTexts.outOfOrder("2026-12"),
    });
    for (const month of ["2026-12", "2027-01", "2027-02"]) await by.books.close({ month });
    const closings = await closingsOf();
    expect(closings.map(({ month, entries }) => [month, entries > 0])).toEqual([
      ["2026-11-01", true],
      ["2026-12-01", true],
      ["2027-01-01", false],
      ["2027-02-01", false],
    ]);
    expect(new Set(closings.map(({ hash }) => hash)).size).toBe(4);
    expect(await countBefore("2027-02-28T23:00:00Z")).toBe(closings.reduce((sum, { entries }) => sum + entries, 0));
  });

  test("of two people at once, one closes", async () => {
    clock.set(new Date("2027-04-05T09:00:00Z"));
    const contexts = await Promise.all([owner, accountant].map((person) => contextOf(deps, person)));
    const outcomes = await Promise.allSettled(contexts.map((ctx) => closeMonth(ctx, { month: "2027-03" })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

/** The rows of a CSV, which quotes every cell. */
const rowsOf = (csv: string): string[][] =>
  csv
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(1, -1).split('","'));
const koboOf = (cell = "") => BigInt(cell.replace(".", ""));

test("an accountant exports November and adds it up to 0.00", async () => {
  const get = async (query: string) => {
    const answer = await download(deps, app, accountant, query);
    expect(answer.statusCode).toBe(200);
    return rowsOf(answer.body);
  };
  const ledger = await get(`${exportPath("ledger", "csv")}?from=2026-11-01&to=2026-11-30`);
  const [november] = await closingsOf();
  expect(ledger).toHaveLength(november?.entries ?? 0);
  expect(ledger.reduce((sum, cells) => sum + koboOf(cells[5]), 0n)).toBe(0n);
  const balance = await get(`${exportPath("trial-balance", "csv")}?on=2026-11-30`);
  expect(balance.map(([account]) => account)).toEqual(["In transit", "Owed to rounds"]);
  for (const [, forward, added, taken, end] of balance)
    expect(koboOf(forward) + koboOf(added) - koboOf(taken)).toBe(koboOf(end));
  expect(balance.reduce((sum, cells) => sum + koboOf(cells[4]), 0n)).toBe(0n);
  // What December's file begins with is what November's ends with.
  const december = await get(`${exportPath("ledger", "csv")}?from=2026-12-01&to=2026-12-31`);
  const first = december.find(([, , , , account]) => account === "in_transit");
  const forward = balance.find(([account]) => account === "In transit")?.[4];
  expect(koboOf(first?.[6]) - koboOf(first?.[5])).toBe(koboOf(forward));
  for (const wrong of ["?from=2026-11-30&to=2026-11-01", "?from=November", "?on=2026-11-30"])
    expect((await download(deps, app, accountant, exportPath("ledger", "csv") + wrong)).statusCode).toBe(400);
});
