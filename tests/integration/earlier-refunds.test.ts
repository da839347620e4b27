import { eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statements } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { sumOfEntries } from "#server/features/ledger/service.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { failPayoutTexts, secondPersonTexts, refundTransferredTexts as texts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** Refunds that were owed before there were payouts: somebody looks first whether they were transferred by hand. */

const deps = await openTestDeps();
const { db } = deps;
const [owedAt, lookedAt] = [new Date("2026-10-05T09:00:00Z"), new Date("2026-11-23T09:00:00Z")];
const reason = "Amaka transferred it from the bank's app in October.";
let amaka: TestUser;
let owner: Caller;
let second: Caller;

beforeEach(async () => {
  await emptyDatabase(db);
  deps.clock.set(lookedAt);
  amaka = await createAdmin(db, "owner", { fullName: "Amaka Obi" });
  owner = await callAs(deps, amaka);
  second = await callAs(deps, await createAdmin(db, "owner"));
});
afterEach(() => expectMoneyHolds(deps));

/** A refund as the migration leaves it, made weeks before anybody looks at it. */
async function oweFromBefore(of?: TestUser) {
  deps.clock.set(owedAt);
  const backer = of ?? (await createUser(db, { fullName: "Ada Obi" }));
  const owed = await oweRefund(deps, { owner: amaka, backer });
  const ids = owed.payouts.map(({ id }) => id);
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(payouts).set({ isFromBefore: true }).where(inArray(payouts.id, ids));
  });
  deps.clock.set(lookedAt);
  const [payout] = owed.payouts;
  if (!payout) throw new Error("nothing is owed");
  return { backer, payout, payoutId: payout.id, caller: await callAs(deps, backer) };
}
const sumOf = async (account: "bank" | "opening_difference" | "payouts_in_transit" | "backer_due") => {
  const [sum] = await db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(eq(ledgerEntries.account, account));
  return sum?.kobo ?? 0n;
};
const ask = (details: { payoutId: number; paidOn: string; evidence: string }) =>
  owner.secondPerson.ask({ kind: "refund_transferred", details, reason });
async function confirm(payoutId: number) {
  const { requests } = await second.secondPerson.list();
  const request = requests.find(({ kind, subject }) => kind === "refund_transferred" && subject === String(payoutId));
  await second.secondPerson.confirm({ requestId: request?.id ?? 0 });
  return request;
}
const declare = async (payoutId: number, paidOn: string, evidence = "TRF TO ADA OBI/REFUND") => {
  await ask({ payoutId, paidOn, evidence });
  return confirm(payoutId);
};

test("is due to nobody before an owner has looked, and its backer reads just that", async () => {
  const { backer, payout, payoutId, caller } = await oweFromBefore();
  await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
  expect(await findPayout(deps, payoutId)).toMatchObject({ state: "waiting", promisedBy: null });
  expect((await owner.payouts.due()).payouts.map(({ id }) => id)).not.toContain(payoutId);
  const listed = async (list: "earlier" | "waiting") =>
    (await owner.payouts.list({ list })).payouts.map(({ id }) => id).includes(payoutId);
  expect([await listed("earlier"), await listed("waiting")]).toEqual([true, false]);
  expect(await owner.payouts.overview()).toMatchObject({ unchecked: 1, waiting: { count: 0 } });
  expect((await caller.payeeAccounts.mine()).payouts).toMatchObject([{ state: "waiting", isUnchecked: true }]);
  const amount = formatNaira(payout.amountKobo);
  expect(await caller.users.closing()).toMatchObject({ keptOpenBy: accountTexts.moneyChecked(amount) });
  await expect(
    db.update(payouts).set({ state: "due", dueAt: lookedAt, promisedBy: lookedAt }).where(eq(payouts.id, payoutId)),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining("payouts_unchecked") } });
  await expect(db.update(payouts).set({ isFromBefore: false }).where(eq(payouts.id, payoutId))).rejects.toMatchObject({
    cause: { message: expect.stringContaining("change refused") },
  });
});

test("is released by one owner once: due with a promise, or asked for an account, audited and told", async () => {
  const { backer, payout, payoutId } = await oweFromBefore();
  const manager = await callAs(deps, await createAdmin(db, "manager"));
  await expect(manager.payouts.releaseEarlier({ payoutId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await findPayout(deps, payoutId)).toMatchObject({ checkedAt: null });
  await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
  const answers = await Promise.allSettled([owner, second].map((one) => one.payouts.releaseEarlier({ payoutId })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await findPayout(deps, payoutId)).toMatchObject({ state: "due", checkedAt: lookedAt, dueAt: lookedAt });
  const mail = (await queuedMailsTo(db, backer.email)).at(-1);
  expect(mail?.text).toContain(`${formatNaira(payout.amountKobo)} of your payment`);
  expect(mail?.text).toContain("We pay it to the account that you gave us.");
  const entries = await db.select().from(auditLogs).where(eq(auditLogs.actionType, "release_earlier_refund"));
  expect(entries).toMatchObject([{ details: { payoutId, reference: payout.reference } }]);
  await expect(ask({ payoutId, paidOn: "2026-10-20", evidence: "Seen" })).rejects.toThrow(texts.notFromBefore);
  await expect(owner.payouts.releaseEarlier({ payoutId: 999_999 })).rejects.toMatchObject({ code: "NOT_FOUND" });

  const unknown = await oweFromBefore();
  await owner.payouts.releaseEarlier({ payoutId: unknown.payoutId });
  expect(await findPayout(deps, unknown.payoutId)).toMatchObject({ state: "waiting", checkedAt: lookedAt });
  expect((await queuedMailsTo(db, unknown.backer.email)).at(-1)?.text).toContain("Tell us where to.");
  await giveAccount(deps, { userId: unknown.backer.id }, { addedBy: unknown.backer.id });
  expect(await findPayout(deps, unknown.payoutId)).toMatchObject({ state: "due" });
});

test("is neither released nor, when another asked, said to be transferred by the owner that it is for", async () => {
  deps.clock.set(owedAt);
  const bola = await createAdmin(db, "owner", { fullName: "Bola Ade" });
  const { payoutId } = await oweFromBefore(bola);
  await ask({ payoutId, paidOn: "2026-10-20", evidence: "TRF TO BOLA ADE/REFUND" });
  const caller = await callAs(deps, bola);
  await expect(caller.payouts.releaseEarlier({ payoutId })).rejects.toThrow(secondPersonTexts.ownMoney);
  const [request] = (await caller.secondPerson.list()).requests;
  expect(request?.refusal).toBe(secondPersonTexts.ownMoney);
  await expect(caller.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow(
    secondPersonTexts.ownMoney,
  );
  expect(await findPayout(deps, payoutId)).toMatchObject({ state: "waiting", checkedAt: null });
});

test("is paid once two say that it was transferred; before the first statement that leaves the bank", async () => {
  const { backer, payout, payoutId, caller } = await oweFromBefore();
  const refused = (paidOn: string, text: string) =>
    expect(ask({ payoutId, paidOn, evidence: "Seen" })).rejects.toThrow(text);
  await refused("2026-11-24", texts.inFuture);
  await refused("2026-10-04", texts.tooEarly);
  const days = { firstDay: "2026-10-01", lastDay: "2026-10-31" };
  const october = await caller.papers.statement(days);
  const before = await sumOf("bank");
  const evidence = "0000 1326 1020 1200 0000 0000 0000 01";
  const request = await declare(payoutId, "2026-10-20", evidence);
  expect(request?.consequences.join(" ")).toContain("20 Oct 2026");
  expect(await findPayout(deps, payoutId)).toMatchObject({
    ...{ state: "paid", runId: null, paidSessionId: "000013261020120000000000000001", checkedAt: lookedAt },
    paidAt: new Date("2026-10-19T23:00:00Z"),
  });
  // The statement of October was made when the refund was still due then.
  expect(await caller.papers.statement(days)).toEqual(october);
  expect((await sumOf("bank")) - before).toBe(-payout.amountKobo);
  expect(await sumOf("payouts_in_transit")).toBe(0n);
  expect((await caller.payeeAccounts.mine()).payouts).toMatchObject([{ state: "paid", isTransferredBefore: true }]);
  const mail = (await queuedMailsTo(db, backer.email)).at(-1);
  expect(mail?.text).toContain("left our account for you on 20 Oct 2026");
  expect(mail?.text).not.toContain(payout.reference);
  const entries = await db.select().from(auditLogs).where(eq(auditLogs.actionType, "declare_refund_transferred"));
  expect(entries).toMatchObject([{ details: { payoutId, paidOn: "2026-10-20", reason } }]);
  await expect(owner.payouts.releaseEarlier({ payoutId })).rejects.toThrow(texts.notFromBefore);

  const other = await oweFromBefore();
  const again = { payoutId: other.payoutId, paidOn: "2026-10-20", evidence };
  await expect(ask(again)).rejects.toThrow(payoutRunTexts.sessionIdTaken);
});

test("that a release won meanwhile is not paid as well", async () => {
  const { payoutId } = await oweFromBefore();
  await ask({ payoutId, paidOn: "2026-10-20", evidence: "TRF TO ADA OBI" });
  await owner.payouts.releaseEarlier({ payoutId });
  await expect(confirm(payoutId)).rejects.toThrow(texts.notFromBefore);
  expect(await findPayout(deps, payoutId)).toMatchObject({ state: "waiting", paidBy: null });
});

test("after the first statement: a transfer from before it was in the opening, a later one has its line", async () => {
  const [early, late, returned] = [await oweFromBefore(), await oweFromBefore(), await oweFromBefore()];
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: 10_000_000_00n });
  const [bank, difference] = [await sumOf("bank"), await sumOf("opening_difference")];
  await declare(early.payoutId, "2026-11-04");
  expect(await sumOf("bank")).toBe(bank);
  expect((await sumOf("opening_difference")) - difference).toBe(-early.payout.amountKobo);
  await declare(late.payoutId, "2026-11-05");
  expect(await sumOf("opening_difference")).toBe(difference - early.payout.amountKobo);
  expect(await sumOf("payouts_in_transit")).toBe(-late.payout.amountKobo);
  const amountKobo = late.payout.amountKobo;
  const line = await keepLine(deps, ownAccount, { amountKobo: -amountKobo, date: "2026-11-05" });
  const part = { kind: "payout" as const, amountKobo, payoutId: late.payoutId };
  await owner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
  expect(await sumOf("payouts_in_transit")).toBe(0n);
  expect(await sumOf("bank")).toBe(bank - amountKobo);

  // What came back after all is owed again, in a payout of today.
  await declare(returned.payoutId, "2026-11-20");
  const { amountKobo: cameKobo, reference } = returned.payout;
  const credit = await keepLine(deps, ownAccount, { amountKobo: cameKobo, reference, date: "2026-11-21" });
  const back = { kind: "returned" as const, amountKobo: cameKobo, payoutId: returned.payoutId };
  await owner.bank.match({ lineId: credit.id, seenMatchedKobo: 0n, parts: [back] });
  expect(await findPayout(deps, returned.payoutId)).toMatchObject({ state: "failed" });
  const [next] = await db.select().from(payouts).where(eq(payouts.replacesId, returned.payoutId));
  expect(next).toMatchObject({ state: "waiting", isFromBefore: false });
});

test("parts of one refund may have left by one transfer, with one session id", async () => {
  const { backer, payout, payoutId } = await oweFromBefore();
  const half = payout.amountKobo / 2n;
  const [other] = await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(payouts).set({ amountKobo: half, parts: 2 }).where(eq(payouts.id, payoutId));
    const { id: _, ...rest } = payout;
    const second = { amountKobo: payout.amountKobo - half, part: 2, parts: 2, isFromBefore: true };
    return tx
      .insert(payouts)
      .values({ ...rest, ...second, reference: "GP-2345-6789" })
      .returning();
  });
  const evidence = "000013261020120000000000000002";
  await declare(payoutId, "2026-10-20", evidence);
  await declare(other?.id ?? 0, "2026-10-20", evidence);
  expect(await findPayout(deps, payoutId)).toMatchObject({
    state: "paid",
    paidSessionId: evidence,
    paidReason: reason,
  });
  const paid = { state: "paid", paidSessionId: null, paidReason: `${evidence}: ${reason}` };
  expect(await findPayout(deps, other?.id ?? 0)).toMatchObject(paid);
  const told = await db.select().from(notifications).where(eq(notifications.userId, backer.id));
  expect(told.filter(({ title }) => title === "Money paid")).toMatchObject([
    { isAboutMoney: true },
    { isAboutMoney: true },
  ]);
});

test.each(["before", "after"])(
  "that was said %s the first statement to be transferred, and never left, is owed again once statements cover the days",
  async (said) => {
    const { backer, payout, payoutId } = await oweFromBefore();
    if (said === "before") await declare(payoutId, "2026-11-06");
    const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: 10_000_000_00n });
    await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
    if (said === "after") await declare(payoutId, "2026-11-06");
    const askFail = () => owner.secondPerson.ask({ kind: "fail_payout", details: { payoutId }, reason });
    await expect(askFail()).rejects.toThrow(failPayoutTexts.uncovered("6 Nov 2026"));
    await db.update(statements).set({ lastDay: "2026-11-20" }).where(eq(statements.id, ownAccount.statementId));
    // It is of an earlier day than the one that was said, which may be wrong.
    const debit = await keepLine(deps, ownAccount, { amountKobo: -payout.amountKobo, date: "2026-11-05" });
    await expect(askFail()).rejects.toThrow("isn't matched");
    const part = { kind: "operator" as const, amountKobo: payout.amountKobo, reason: "The rent of the office" };
    await owner.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
    const sent = await owner.payouts.list({ list: said === "before" ? "done" : "sent" });
    expect(sent.payouts).toMatchObject([{ id: payoutId, mayFail: true }]);
    await askFail();
    const { requests } = await second.secondPerson.list();
    await second.secondPerson.confirm({ requestId: requests.find(({ kind }) => kind === "fail_payout")?.id ?? 0 });
    expect(await findPayout(deps, payoutId)).toMatchObject({ state: "failed" });
    const [next] = await db.select().from(payouts).where(eq(payouts.replacesId, payoutId));
    expect(next).toMatchObject({ state: "due", isFromBefore: false, amountKobo: payout.amountKobo });
    expect(await sumOf("payouts_in_transit")).toBe(0n);
  },
);
