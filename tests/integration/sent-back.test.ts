import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { statementLines } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { payeeAccounts, payoutRunLines, payouts } from "#server/db/schema/payouts.ts";
import { sentBackTexts as texts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { twoAgree } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Money that belongs to nobody here, and goes back to its sender. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
const day = "2026-11-20";
const startedAt = deps.clock.now();
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let second: Caller;
let bank: OwnAccount;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(startedAt);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await signIn();
  await setBankDetails(deps.db);
  bank = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
});
afterEach(() => expectMoneyHolds(deps));

const line = (values: Partial<typeof statementLines.$inferInsert> & { amountKobo: Kobo }) =>
  keepLine(deps, bank, { date: day, narration: "NIP/KUDA/ZED TRADERS", ...values });
const reason = "Zed Traders wrote that they typed a wrong account number.";
const sendBack = (lineId: number, amountKobo: Kobo, seenMatchedKobo = 0n) =>
  owner.bank.match({ lineId, seenMatchedKobo, parts: [{ kind: "sent_back", amountKobo, reason }] });
const account = { bankCode: "044", accountNumber: "0690000032", accountName: "Zed Traders" };
const enterAccount = (lineId: number, given = account) =>
  twoAgree(owner, second, { kind: "enter_payee_account", details: { lineId, ...given }, reason });
const payoutsOf = (lineId: number) =>
  deps.db.select().from(payouts).where(eq(payouts.lineId, lineId)).orderBy(asc(payouts.id));
const statesOf = async (lineId: number) => (await payoutsOf(lineId)).map(({ state }) => state);
const dueTo = async (lineId: number) => {
  const isOf = and(eq(ledgerEntries.account, "sender_due"), eq(ledgerEntries.lineId, lineId));
  const entries = await deps.db.select().from(ledgerEntries).where(isOf);
  return entries.reduce((sum, { amountKobo }) => sum - amountKobo, 0n);
};
async function signIn() {
  owner = await callAs(deps, amaka);
  second = await callAs(deps, bola);
}
/** A new account rests for two days, in which sessions end. */
async function rest() {
  deps.clock.set(new Date(deps.clock.now().getTime() + 48 * 3_600_000));
  await signIn();
}
const undo = async (lineId: number) => {
  const { matches } = await owner.bank.line({ lineId });
  const standing = matches.find(({ undoneAt }) => undoneAt === null);
  await owner.bank.undo({ matchId: standing?.id ?? 0, reason: "The sender turned out to be Ada." });
};

/** Makes a run of all that is due, approves and exports it. */
async function pay() {
  const { payouts: due } = await owner.payouts.due();
  const payoutIds = due.map(({ id }) => id);
  const { runId } = await owner.payouts.makeRun({ payoutIds, ownAccountId: bank.id });
  await second.payouts.approveRun({ runId });
  await owner.payouts.exportRun({ runId, profile: "generic" });
  return runId;
}

test("money of nobody here is owed to its sender, and paid to the account that two owners entered", async () => {
  const { id } = await line({ amountKobo: naira(75_000) });
  await sendBack(id, naira(75_000));
  expect(await dueTo(id)).toBe(naira(75_000));
  expect(await payoutsOf(id)).toMatchObject([
    { kind: "sender", state: "waiting", userId: null, projectId: null, round: null, amountKobo: naira(75_000) },
  ]);
  await enterAccount(id);
  expect(await statesOf(id)).toEqual(["due"]);
  await expect(pay()).rejects.toThrow("can't be paid yet");
  await rest();
  const runId = await pay();
  expect(await dueTo(id)).toBe(0n);
  const [sent] = await payoutsOf(id);
  const debit = await line({ amountKobo: -naira(75_000), narration: `TRF ${sent?.reference}`, date: "2026-11-24" });
  const part = { kind: "payout" as const, amountKobo: naira(75_000), payoutId: sent?.id ?? 0 };
  await owner.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
  expect(await statesOf(id)).toEqual(["paid"]);
  const lines = await deps.db.select().from(payoutRunLines).where(eq(payoutRunLines.runId, runId));
  const [used] = await deps.db.select().from(payeeAccounts).where(eq(payeeAccounts.lineId, id));
  expect(lines.map(({ payeeAccountId }) => payeeAccountId)).toEqual([used?.id]);
  const paid = (await queuedMailsTo(deps.db, amaka.email)).filter(({ subject }) => subject.startsWith("Paid"));
  expect(paid.map(({ text }) => text)).toEqual([
    expect.stringContaining(`${"₦75,000"} for the sender of the ${texts.transferOf("20 Nov 2026")} was paid.`),
  ]);
});

test("only one owner can't say where to: another confirms, and nothing is paid before", async () => {
  const { id } = await line({ amountKobo: naira(75_000) });
  const asking = () =>
    owner.secondPerson.ask({ kind: "enter_payee_account", details: { lineId: id, ...account }, reason });
  await expect(asking()).rejects.toThrow(texts.nothingDue);
  await sendBack(id, naira(75_000));
  await asking();
  const { requests } = await owner.secondPerson.list();
  await expect(owner.secondPerson.confirm({ requestId: requests[0]?.id ?? 0 })).rejects.toThrow();
  expect(await statesOf(id)).toEqual(["waiting"]);
  expect(requests[0]?.title).toBe(texts.accountTitle("₦75,000", "20 Nov 2026"));
  expect(requests[0]?.consequences.join(" ")).toContain("The bank wrote: NIP/KUDA/ZED TRADERS");
});

describe("it is taken back", () => {
  test("while nothing of it is in a run: the line is to be matched again, and its account is remembered", async () => {
    const { id } = await line({ amountKobo: naira(75_000) });
    await sendBack(id, naira(50_000));
    await enterAccount(id);
    await expect(sendBack(id, naira(25_000), naira(50_000))).rejects.toThrow(texts.once);
    await undo(id);
    expect(await statesOf(id)).toEqual(["cancelled"]);
    expect(await dueTo(id)).toBe(0n);
    await sendBack(id, naira(75_000));
    expect(await statesOf(id)).toEqual(["cancelled", "due"]);
  });

  test("not once it is in a run, and again when the run is void", async () => {
    const { id } = await line({ amountKobo: naira(75_000) });
    await sendBack(id, naira(75_000));
    await enterAccount(id);
    await rest();
    const [due] = await payoutsOf(id);
    const { runId } = await owner.payouts.makeRun({ payoutIds: [due?.id ?? 0], ownAccountId: bank.id });
    await expect(undo(id)).rejects.toThrow(payoutTexts.alreadyOnItsWay);
    await owner.payouts.voidRun({ runId, reason: "Another owner found who sent it." });
    await undo(id);
    expect(await statesOf(id)).toEqual(["cancelled"]);
  });
});

test("what comes back is due again, or waits for another account that two owners enter where it was wrong", async () => {
  const { id } = await line({ amountKobo: naira(75_000) });
  await sendBack(id, naira(75_000));
  await enterAccount(id);
  await rest();
  await pay();
  const [sent] = await payoutsOf(id);
  const back = await line({ amountKobo: naira(75_000), narration: `RTN ${sent?.reference}`, date: "2026-11-25" });
  const part = {
    kind: "returned" as const,
    amountKobo: naira(75_000),
    payoutId: sent?.id ?? 0,
    reason: "Account closed",
  };
  await owner.bank.match({ lineId: back.id, seenMatchedKobo: 0n, parts: [part] });
  expect(await statesOf(id)).toEqual(["failed", "due"]);
  const { matches } = await owner.bank.line({ lineId: back.id });
  await twoAgree(owner, second, { kind: "undo_match", details: { matchId: matches[0]?.id ?? 0 }, reason });
  expect(await statesOf(id)).toEqual(["sent", "cancelled"]);
  await owner.bank.match({ lineId: back.id, seenMatchedKobo: 0n, parts: [{ ...part, isAccountWrong: true }] });
  expect(await statesOf(id)).toEqual(["failed", "cancelled", "waiting"]);
  expect(await dueTo(id)).toBe(naira(75_000));
  await enterAccount(id, { ...account, accountNumber: "0690000033" });
  expect(await statesOf(id)).toEqual(["failed", "cancelled", "due"]);
});

test("a sum beyond what banks transfer at once goes back in parts", async () => {
  const { id } = await line({ amountKobo: naira(12_000_000) });
  await sendBack(id, naira(12_000_000));
  await enterAccount(id);
  expect((await payoutsOf(id)).map(({ amountKobo }) => amountKobo)).toEqual(
    [5_000_000, 5_000_000, 2_000_000].map(naira),
  );
});

test("a line whose name and amount fit somebody's open payment isn't sent back by one", async () => {
  const ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
  const project = await createProject(deps.db, { fundingGoalKobo: naira(75_000) });
  await createPayment(deps, { project, backer: ada, owner: amaka });
  const { id } = await line({
    amountKobo: naira(75_000),
    narration: "NIP/GTB/ADAEZE OKAFOR",
    counterparty: "ADAEZE OKAFOR",
  });
  await expect(sendBack(id, naira(75_000))).rejects.toThrow("second person");
  expect(await payoutsOf(id)).toEqual([]);
});

test("money out can't go back so", async () => {
  const { id } = await line({ amountKobo: -naira(5_000), narration: "POS" });
  await expect(sendBack(id, naira(5_000))).rejects.toThrow("Only money that came in");
});
