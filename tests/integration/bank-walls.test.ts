import { and, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkCoverage } from "#server/books/checks/invariants.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import type { statementLines } from "#server/db/schema/bank.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { keptMatch, type LinePart } from "#shared/bank/inputs.ts";
import { bankTexts, wallTexts } from "#shared/bank/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, fundFarm, keepCost, openHarvestOf, sell } from "#tests/support/harvests.ts";
import { createPayment, decide, expectMoneyHolds, findPayment, setBankDetails } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { matchByTwo, undoByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount, takenBackPart } from "#tests/support/statements.ts";

/** Attempts of one dishonest owner on the bank's lines, by direct calls. Two owners together get them done. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
const needsTwo = "This takes a second person.";
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let second: Caller;
let ada: TestUser;
let account: OwnAccount;
let other: OwnAccount;

async function makePeople() {
  await emptyDatabase(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  ada = await createUser(deps.db, { fullName: "Adaeze Okafor" });
  owner = await callAs(deps, amaka);
  second = await callAs(deps, bola);
  await setBankDetails(deps.db);
}

beforeEach(async () => {
  await makePeople();
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  other = await openOwnAccount(deps, { importedBy: amaka.id, accountNumber: "9876543210" });
});
afterEach(() => expectMoneyHolds(deps));

const today = () => dayInLagos(deps.clock.now());
const line = (values: Partial<typeof statementLines.$inferInsert> & { amountKobo: Kobo }, on = account) =>
  keepLine(deps, on, { date: today(), ...values });
const match = (lineId: number, ...parts: LinePart[]) => owner.bank.match({ lineId, seenMatchedKobo: 0n, parts });
const two = () => ({ asks: owner, confirms: second });
const matchOf = async (lineId: number) => {
  const isStanding = and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt));
  return (await deps.db.select().from(lineMatches).where(isStanding))[0];
};
/** Everything that an act of money writes. */
const state = async () => [
  await deps.db.$count(ledgerTransactions),
  await deps.db.$count(lineMatches),
  await deps.db.$count(lineMatches, isNull(lineMatches.undoneAt)),
  await deps.db.$count(payouts),
  await deps.db.$count(secondPersonRequests),
];
const mailsTo = ({ email }: TestUser) => queuedMailsTo(deps.db, email);
const subjectsTo = async (one: TestUser) => (await mailsTo(one)).map(({ subject }) => subject);

/** Expects one owner's attempt to be refused for lack of a second person, and nothing to change. */
async function expectNeedsTwo(attempt: () => Promise<unknown>, why: string): Promise<void> {
  const before = await state();
  const tried = attempt();
  await expect(tried).rejects.toThrow(needsTwo);
  await expect(tried).rejects.toThrow(why);
  expect(await state()).toEqual(before);
}

/** A payment of Ada's, or another's, whose money a line shows. */
async function paid({ goal = 500_000, backer = ada, isApproved = true } = {}) {
  const project = await createProject(deps.db, { fundingGoalKobo: naira(goal) });
  const { payment } = await createPayment(deps, { project, backer, owner: amaka });
  const credit = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
  await match(credit.id, { kind: "payment", amountKobo: payment.amountKobo, paymentId: payment.id });
  if (isApproved) await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
  return { project, payment, credit };
}

describe("money of an approved payment that the bank is said to have taken back", () => {
  test("isn't one owner's word: TRF TO of ₦50,000,000", async () => {
    const { payment } = await paid({ goal: 50_000_000 });
    const { amountKobo } = payment;
    const debit = await line({ amountKobo: -amountKobo, narration: "TRF TO AMAKA OBI" });
    const part = await takenBackPart(deps.db, { paymentId: payment.id, amountKobo });
    const mails = await subjectsTo(ada);
    await expectNeedsTwo(() => match(debit.id, part), wallTexts.takenBack(payment.reference));
    expect(await subjectsTo(ada)).toEqual(mails);
    // Money that left for nothing known is an alarm.
    expect((await checkCoverage(deps.db, deps.clock.now())).violations).toHaveLength(1);
    // Nor does one owner confirm what they asked for.
    const asked = { kind: "match_line" as const, reason: "The bank reversed this transfer yesterday." };
    const details = keptMatch({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
    await owner.secondPerson.ask({ ...asked, details });
    const { requests } = await owner.secondPerson.list();
    expect(requests[0]?.consequences.join("\n")).toContain(formatNaira(amountKobo));
    expect(requests[0]?.consequences.join("\n")).toContain(payment.reference);
    await expect(owner.secondPerson.confirm({ requestId: requests[0]?.id ?? 0 })).rejects.toThrow();
    expect(await matchOf(debit.id)).toBeUndefined();
  });

  test("by two is told to the backer and all owners, and raises the alarm", async () => {
    const { payment } = await paid();
    const { amountKobo } = payment;
    const debit = await line({ amountKobo: -amountKobo, narration: "RVSL NIP" });
    const part = await takenBackPart(deps.db, { paymentId: payment.id, amountKobo });
    await matchByTwo(two(), { lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
    expect(await matchOf(debit.id)).toMatchObject({ kind: "taken_back", creditMatchId: part.creditMatchId });
    expect(await subjectsTo(ada)).toContain(`The bank took your transfer back: ${payment.projectTitle}`);
    for (const one of [amaka, bola]) {
      const subject = `Money of an approved payment was taken back: ${payment.projectTitle}`;
      const text = expect.stringContaining("the money is missing until another line brings it");
      expect(await mailsTo(one)).toContainEqual(expect.objectContaining({ subject, text }));
    }
    const { violations } = await checkCoverage(deps.db, deps.clock.now());
    expect(violations).toMatchObject([
      { row: { receivableKobo: Number(amountKobo), receivable: [expect.stringContaining(payment.reference)] } },
    ]);
    // The credit can't leave while it counts as taken back.
    await expect(owner.bank.undo({ matchId: part.creditMatchId, reason: "A mistake" })).rejects.toThrow(
      wallTexts.creditTakenBack,
    );
  });

  test("names a credit of that payment on that account, for as much as stands of it", async () => {
    const { payment } = await paid({ isApproved: false });
    const { amountKobo } = payment;
    const another = await paid({ isApproved: false });
    const part = await takenBackPart(deps.db, { paymentId: payment.id, amountKobo });
    const debit = await line({ amountKobo: -amountKobo, narration: "RVSL NIP" });
    const elsewhere = await line({ amountKobo: -amountKobo, narration: "RVSL NIP" }, other);
    const early = await line({ amountKobo: -amountKobo, narration: "RVSL NIP", date: "2026-11-06" });
    await expect(match(debit.id, { ...part, paymentId: another.payment.id })).rejects.toThrow(wallTexts.creditGone);
    await expect(match(elsewhere.id, part)).rejects.toThrow(wallTexts.creditElsewhere);
    await expect(match(early.id, part)).rejects.toThrow(wallTexts.creditLater);
    const unlike = await line({ amountKobo: -amountKobo, narration: "TRF TO AMAKA OBI" });
    await expectNeedsTwo(() => match(unlike.id, part), wallTexts.noReversal);
    // An honest owner does it with one press, once.
    const [credit] = await owner.bank.credits({ lineId: debit.id });
    expect(credit).toMatchObject({ standsKobo: amountKobo });
    await match(debit.id, part);
    const more = await paid({ isApproved: false, goal: 700_000 });
    await match(elsewhere.id, { kind: "bank_charges", amountKobo: naira(1) });
    const again = await line({ amountKobo: -naira(10), narration: "RVSL NIP" });
    const stands = await line({ amountKobo: naira(10), reference: payment.reference });
    await match(stands.id, { kind: "payment", amountKobo: naira(10), paymentId: payment.id });
    await expect(match(again.id, { ...part, amountKobo: naira(10) })).rejects.toThrow(wallTexts.creditLess(0n));
    expect(await owner.bank.credits({ lineId: again.id, search: more.payment.reference })).toHaveLength(1);
  });
});

describe("a match of an approved payment", () => {
  test("doesn't leave it for another: one transfer carries one approved payment", async () => {
    const { payment, credit } = await paid();
    const puppet = await createUser(deps.db);
    const project = await createProject(deps.db, { fundingGoalKobo: payment.amountKobo });
    const { payment: theirs } = await createPayment(deps, { project, backer: puppet, owner: amaka });
    const made = await matchOf(credit.id);
    await owner.bank.undo({ matchId: made?.id ?? 0, reason: "It was another's" });
    expect(await subjectsTo(ada)).toContain(`We can't see your transfer any more: ${payment.projectTitle}`);
    const part = { kind: "payment" as const, amountKobo: payment.amountKobo, paymentId: theirs.id };
    await expectNeedsTwo(() => match(credit.id, part), payment.reference);
    const [unnamed] = [await line({ amountKobo: payment.amountKobo, narration: "NIP TRANSFER" })];
    await match(unnamed.id, { kind: "payment", amountKobo: payment.amountKobo, paymentId: payment.id });
    const second = await matchOf(unnamed.id);
    await owner.bank.undo({ matchId: second?.id ?? 0, reason: "It was another's" });
    await expectNeedsTwo(() => match(unnamed.id, part), wallTexts.wasOf(payment.reference));
    await match(credit.id, { kind: "payment", amountKobo: payment.amountKobo, paymentId: payment.id });
  });

  test("takes two people to undo once its harvest opened, and is refused once it was settled", async () => {
    // The farm is funded before the first statement.
    await makePeople();
    const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
    account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
    const isOfFarm = eq(projectPayments.projectId, farm.project.id);
    const [payment] = await deps.db.select().from(projectPayments).where(isOfFarm).orderBy(projectPayments.id);
    if (!payment) throw new Error("nothing was paid");
    const { amountKobo, reference } = payment;
    const credit = await line({ amountKobo, reference });
    await match(credit.id, { kind: "payment", amountKobo, paymentId: payment.id });
    const harvestId = await openHarvestOf(owner, farm, 100_000n, second);
    const made = await matchOf(credit.id);
    const undo = () => owner.bank.undo({ matchId: made?.id ?? 0, reason: "It was another's" });
    await expectNeedsTwo(() => undo(), wallTexts.harvestOpened(payment.projectTitle));
    await undoByTwo(two(), made?.id ?? 0);
    expect(await matchOf(credit.id)).toBeUndefined();
    await match(credit.id, { kind: "payment", amountKobo, paymentId: payment.id });
    await endChoosing(deps, harvestId);
    await sell(deps, { asker: amaka, confirmer: bola }, { harvestId, amountKobo: naira(10_000) });
    await (await callAs(deps, amaka)).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
    const again = await matchOf(credit.id);
    const late = await callAs(deps, amaka);
    const before = await state();
    await expect(late.bank.undo({ matchId: again?.id ?? 0, reason: "It was another's" })).rejects.toThrow(
      wallTexts.roundSettled,
    );
    const ask = { kind: "undo_match" as const, reason: "It was another backer's transfer." };
    await expect(late.secondPerson.ask({ ...ask, details: { matchId: again?.id ?? 0 } })).rejects.toThrow(
      wallTexts.roundSettled,
    );
    expect(await state()).toEqual(before);
  });
});

describe("an honest backer's transfer", () => {
  test("doesn't become a puppet's refund by one owner", async () => {
    const project = await createProject(deps.db, { fundingGoalKobo: naira(731_000) });
    const { payment } = await createPayment(deps, { project, backer: ada, owner: amaka });
    const twin = await createProject(deps.db, { fundingGoalKobo: naira(731_000) });
    const puppet = await createUser(deps.db, { fullName: "Musa Ibrahim" });
    const { payment: theirs } = await createPayment(deps, { project: twin, backer: puppet, owner: amaka });
    const { amountKobo } = payment;
    const named = await line({ amountKobo, narration: `NIP/ACCESS/ADA/${payment.reference}` });
    const unnamed = await line({ amountKobo, narration: "NIP/GTB/OKAFOR ADAEZE/farm" });
    const part = { kind: "payment" as const, amountKobo, paymentId: theirs.id };
    await expectNeedsTwo(() => match(named.id, part), wallTexts.namesOther([payment.reference]));
    await expectNeedsTwo(() => match(unnamed.id, part), wallTexts.fitsOther(`Adaeze Okafor, ${payment.reference}`));
    const ignored = { kind: "operator" as const, amountKobo, reason: "Capital" };
    await expectNeedsTwo(() => match(named.id, ignored), wallTexts.namesOther([payment.reference]));
    // Nor by taking a little of it first.
    const little = { kind: "operator" as const, amountKobo: 1n, reason: "Interest" };
    await expectNeedsTwo(() => match(unnamed.id, little, { ...part, amountKobo: amountKobo - 1n }), "Adaeze Okafor");
    const out = await line({ amountKobo: -amountKobo }, other);
    const asTransfer = { kind: "own_transfer" as const, amountKobo, counterLineId: named.id };
    await expectNeedsTwo(() => match(out.id, asTransfer), wallTexts.namesOther([payment.reference]));
    expect(await deps.db.$count(refunds)).toBe(0);
    // What fits takes no step more, and two people correct what the backer wrote.
    await match(unnamed.id, { ...part, paymentId: payment.id });
    await matchByTwo(two(), { lineId: named.id, seenMatchedKobo: 0n, parts: [part] });
    expect(await matchOf(named.id)).toMatchObject({ paymentId: theirs.id, requestId: expect.any(Number) });
  });

  test("of an earlier reference of the same backer is theirs without a second person", async () => {
    const { payment: old } = await createPayment(deps, { backer: ada, owner: amaka, status: "rejected" });
    const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
    const { amountKobo } = payment;
    const credit = await line({ amountKobo, narration: `NIP/ACCESS/ADA/${old.reference}` });
    await match(credit.id, { kind: "payment", amountKobo, paymentId: payment.id });
    expect(await matchOf(credit.id)).toMatchObject({ paymentId: payment.id, requestId: null });
  });
});

describe("bank charges at once", () => {
  const waiting = async () => (await owner.bank.charges({ accountId: account.id })).lines.map(({ id }) => id);

  test("twenty are matched by one call, and what takes two stays with its reason", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 20; index++) {
      const narration = index % 2 === 0 ? "STAMP DUTY NIP/GTB" : "Sms  Alert Charge";
      ids.push((await line({ amountKobo: -naira(50), narration })).id);
    }
    const large = await line({ amountKobo: -naira(1_001), narration: "STAMP DUTY OF THE YEAR" });
    const another = await line({ amountKobo: -naira(70), narration: "COT" });
    await line({ amountKobo: -naira(50), narration: "STAMP DUTY" }, other);
    await matchSureLines(deps);
    expect(await waiting()).toEqual([...ids, large.id]);
    expect(await owner.bank.matchCharges({ lineIds: [...ids, large.id, another.id] })).toEqual({
      matched: 20,
      matchedKobo: naira(1_000),
      refused: [
        { lineId: another.id, why: bankTexts.lineChanged },
        { lineId: large.id, why: wallTexts.needsTwo([wallTexts.chargesOfLine]) },
      ],
    });
    expect(await waiting()).toEqual([large.id]);
    expect(await matchOf(ids[0] ?? 0)).toMatchObject({ kind: "bank_charges", rule: null, madeBy: amaka.id });
    // Again it finds nothing to do.
    expect(await owner.bank.matchCharges({ lineIds: ids })).toMatchObject({ matched: 0 });
  });

  test("two owners who match the same at once match each once", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 4; index++) {
      ids.push((await line({ amountKobo: -naira(50), narration: "STAMP DUTY" })).id);
    }
    await matchSureLines(deps);
    const made = await Promise.all([owner, second].map((one) => one.bank.matchCharges({ lineIds: ids })));
    expect(made.reduce((sum, { matched }) => sum + matched, 0)).toBe(4);
    expect(await deps.db.$count(lineMatches, isNull(lineMatches.undoneAt))).toBe(4);
  });

  test("are known by the account's own texts, which an owner changes", async () => {
    const cot = await line({ amountKobo: -naira(70), narration: "COT NOVEMBER" });
    await line({ amountKobo: -naira(50), narration: "STAMP DUTY" });
    await owner.bank.changeChargeTexts({ accountId: account.id, texts: ["COT", "COT"] });
    expect(await owner.bank.charges({ accountId: account.id })).toMatchObject({
      texts: ["COT"],
      lines: [{ id: cot.id }],
    });
    await expect(owner.bank.changeChargeTexts({ accountId: account.id, texts: ["x"] })).rejects.toThrow(
      bankTexts.chargeTextLength,
    );
    await expect(owner.bank.charges({ accountId: 987_654 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await deps.db.$count(auditLogs, eq(auditLogs.actionType, "change_charge_texts"))).toBe(1);
  });
});

describe("money out as charges or the company's own", () => {
  const charge = (amountKobo: Kobo) => ({ kind: "bank_charges" as const, amountKobo });
  const operator = (amountKobo: Kobo) => ({
    kind: "operator" as const,
    amountKobo,
    reason: "Office rent of the month",
  });
  const out = (amountKobo: Kobo) => line({ amountKobo: -amountKobo, narration: "TRF TO AMAKA OBI" });

  test("charges are small alone: not ₦5,000,000, and ₦20,000 in 30 days", async () => {
    const much = await out(naira(5_000_000));
    await expectNeedsTwo(() => match(much.id, charge(naira(5_000_000))), wallTexts.chargesOfLine);
    // Nor in parts of one line.
    await match(much.id, charge(naira(600)));
    const rest = { lineId: much.id, seenMatchedKobo: naira(600), parts: [charge(naira(600))] };
    await expectNeedsTwo(() => owner.bank.match(rest), wallTexts.chargesOfLine);
    for (let count = 0; count < 19; count += 1) await match((await out(naira(1000))).id, charge(naira(1000)));
    const last = await out(naira(500));
    await expectNeedsTwo(() => match(last.id, charge(naira(500))), wallTexts.chargesTogether(naira(20_100)));
    await matchByTwo(two(), { lineId: last.id, seenMatchedKobo: 0n, parts: [charge(naira(500))] });
    // What two said isn't counted, and a month later it is nothing.
    await match((await out(naira(400))).id, charge(naira(400)));
    deps.clock.advance({ ms: 31 * 86_400_000 });
    owner = await callAs(deps, amaka);
    await match((await out(naira(900))).id, charge(naira(900)));
  });

  test("the company's own money goes out alone up to the limit, added up", async () => {
    const much = await out(naira(1_000_000));
    await expectNeedsTwo(() => match(much.id, operator(naira(1_000_000))), wallTexts.operator(naira(1_000_000)));
    await match((await out(naira(600_000))).id, operator(naira(600_000)));
    const more = await out(naira(400_000));
    await expectNeedsTwo(
      () => match(more.id, operator(naira(400_000))),
      wallTexts.operatorTogether(naira(1_000_000), naira(1_000_000)),
    );
    await match((await out(naira(399_000))).id, operator(naira(399_000)));
    // Money in is none of it.
    await match((await line({ amountKobo: naira(3_000_000) })).id, operator(naira(3_000_000)));
    await matchByTwo(two(), { lineId: more.id, seenMatchedKobo: 0n, parts: [operator(naira(400_000))] });
  });
});

describe("money that no line names", () => {
  const unnamed = async (payment: { id: number; amountKobo: bigint }, amountKobo = payment.amountKobo) => {
    const credit = await line({ amountKobo, narration: "TRF FROM SUNDAY BELLO" });
    await match(credit.id, { kind: "payment", amountKobo, paymentId: payment.id });
    return credit;
  };

  test("and one owner matched isn't given back by one: not with the rejection, not after it", async () => {
    const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
    await unnamed(payment);
    const { amountKobo } = payment;
    const before = await state();
    const rejection = { paymentId: payment.id, status: "rejected" as const, reason: "Gone" };
    await expect(decide(deps, amaka, { ...rejection, isGivenBack: true })).rejects.toThrow(
      paymentTexts.unnamedRejected,
    );
    expect(await state()).toEqual(before);
    await decide(deps, amaka, rejection);
    const held = { paymentId: payment.id, seenUnallocatedKobo: amountKobo };
    await expect(owner.payments.giveUnallocatedBack(held)).rejects.toThrow(paymentTexts.unnamed);
    await expect(second.payments.giveUnallocatedBack(held)).rejects.toThrow(paymentTexts.unnamed);
    expect(await deps.db.$count(refunds, eq(refunds.paymentId, payment.id))).toBe(0);
    const details = { paymentId: payment.id, seenUnallocatedKobo: String(amountKobo) };
    const reason = "He showed us the transfer in his bank's app.";
    await owner.secondPerson.ask({ kind: "give_unallocated_back", details, reason });
    const [request] = (await second.secondPerson.list()).requests;
    expect(request?.title).toContain(formatNaira(amountKobo));
    expect(request?.consequences.join("\n")).toContain(payment.reference);
    await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toThrow();
    await second.secondPerson.confirm({ requestId: request?.id ?? 0 });
    const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
    expect(refund).toMatchObject({ amountKobo, requestId: request?.id });
  });

  test("stays held where it is more than the payment that is approved", async () => {
    const { payment } = await createPayment(deps, { backer: ada, owner: amaka });
    await unnamed(payment, payment.amountKobo + naira(4_000_000));
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect(await deps.db.$count(refunds, eq(refunds.paymentId, payment.id))).toBe(0);
    const seen = (await owner.payments.list({})).items.find(({ id }) => id === payment.id);
    expect(seen).toMatchObject({ unallocatedKobo: naira(4_000_000), bank: { isUnnamed: true } });
  });

  test("goes by one owner where the line has the payer's name, or two matched it", async () => {
    for (const by of ["name", "two"] as const) {
      const backer = await createUser(deps.db, { fullName: "Halima Sani Yusuf" });
      const { payment } = await createPayment(deps, { backer, owner: amaka });
      const { amountKobo } = payment;
      const narration = by === "name" ? "NIP HALIMA SANI YUSUF" : "TRF FROM SUNDAY BELLO";
      // Of another sum than was due, so that no rule suggests it.
      const credit = await line({ amountKobo: amountKobo - naira(1_000), narration });
      const parts = [{ kind: "payment" as const, amountKobo: amountKobo - naira(1_000), paymentId: payment.id }];
      if (by === "name") await match(credit.id, ...parts);
      else await matchByTwo(two(), { lineId: credit.id, seenMatchedKobo: 0n, parts });
      await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "Gone", isGivenBack: true });
      expect(await deps.db.$count(refunds, eq(refunds.paymentId, payment.id))).toBe(1);
    }
  });
});

describe("one debit of a run's total", () => {
  /** Two refunds that the bank got in one run. */
  async function sendTwo() {
    const owed = [];
    for (const goal of [300_000, 450_000]) {
      const { payment } = await paid({ goal, isApproved: false, backer: await createUser(deps.db) });
      await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "Gone", isGivenBack: true });
      const payee = await giveAccount(deps, { userId: payment.userId }, { addedBy: payment.userId });
      const [found] = await deps.db
        .select({ payout: payouts })
        .from(payouts)
        .innerJoin(refunds, eq(refunds.id, payouts.refundId))
        .where(eq(refunds.paymentId, payment.id));
      if (!found) throw new Error("nothing is owed");
      owed.push({ payout: found.payout, account: payee });
    }
    await keepRun(deps, owed, { ownAccount: account, owner: amaka, second: bola });
    return { ids: owed.map(({ payout }) => payout.id), total: naira(750_000) };
  }
  const states = async (ids: number[]) => Promise.all(ids.map(async (id) => (await findPayout(deps, id)).state));

  test("is sure where nothing of ours fits, and a payout's own reference is no proof against it", async () => {
    const { ids, total } = await sendTwo();
    const [first, last] = await Promise.all(ids.map((id) => findPayout(deps, id)));
    if (!first || !last) throw new Error("nothing was sent");
    const own = { amountKobo: -first.amountKobo, reference: first.reference, narration: first.reference };
    const debit = await line(own);
    await line({ amountKobo: first.amountKobo, narration: first.reference }, other);
    await matchSureLines(deps);
    expect(await matchOf(debit.id)).toBeUndefined();
    expect(await states(ids)).toEqual(["sent", "sent"]);
    await line({ amountKobo: -total, narration: "BULK TRF" });
    await matchSureLines(deps);
    expect(await states(ids)).toEqual(["paid", "paid"]);
  });

  test("a payout comes back by one owner's word only where the line names it", async () => {
    const { ids } = await sendTwo();
    const payout = await findPayout(deps, ids[0] ?? 0);
    const part = { kind: "returned" as const, amountKobo: payout.amountKobo, payoutId: payout.id };
    const unnamed = await line({ amountKobo: payout.amountKobo, narration: "NIP RVSL ACCOUNT CLOSED" });
    await expectNeedsTwo(() => match(unnamed.id, part), wallTexts.cameBackUnnamed(payout.reference));
    expect((await findPayout(deps, payout.id)).state).toBe("sent");
    const named = await line({ amountKobo: payout.amountKobo, reference: payout.reference });
    await match(named.id, part);
    expect((await findPayout(deps, payout.id)).state).toBe("failed");
  });
});

test("₦9,000,000 for a harvest's costs are one owner's word only as far as they are written down", async () => {
  await makePeople();
  const farm = await fundFarm(deps, { owner: amaka, lots: [6, 4], plannedQuantity: "1,000" });
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(20_000_000) });
  const harvestId = await openHarvestOf(owner, farm, 1_000_000n, second);
  const amountKobo = naira(9_000_000);
  const part = { kind: "harvest_cost" as const, amountKobo, harvestId };
  const debit = await line({ amountKobo: -amountKobo, narration: "TRF TO AMAKA OBI" });
  const limit = naira(1_000_000);
  await expectNeedsTwo(() => match(debit.id, part), wallTexts.harvestCosts(amountKobo, limit));
  // In parts, too.
  const small = await line({ amountKobo: -naira(600_000), narration: "TRF TO AMAKA OBI" });
  await match(small.id, { ...part, amountKobo: naira(600_000) });
  await expectNeedsTwo(
    () => match(debit.id, { ...part, amountKobo: naira(400_000) }),
    wallTexts.harvestCosts(naira(1_000_000), limit),
  );
  await keepCost(deps, { harvestId, amountKobo: naira(9_600_000) });
  await match(debit.id, part);
  expect(await matchOf(debit.id)).toMatchObject({ harvestId, requestId: null });
});

test("a line that names nobody becomes an owner's own money only with another owner", async () => {
  const { payment } = await createPayment(deps, {
    project: await createProject(deps.db, { fundingGoalKobo: naira(500_000) }),
    backer: amaka,
    owner: bola,
  });
  const { amountKobo } = payment;
  const part = { kind: "payment" as const, amountKobo, paymentId: payment.id };
  const unnamed = await line({ amountKobo, narration: "NIP FROM ZEE VENTURES" });
  await expectNeedsTwo(() => match(unnamed.id, part), wallTexts.ownMoney);
  await matchByTwo(two(), { lineId: unnamed.id, seenMatchedKobo: 0n, parts: [part] });
  expect(await matchOf(unnamed.id)).toMatchObject({ paymentId: payment.id });
  // What names it is theirs by the bank's word.
  const named = await line({ amountKobo: naira(10), reference: payment.reference });
  await match(named.id, { ...part, amountKobo: naira(10) });
  expect(await matchOf(named.id)).toMatchObject({ requestId: null });
});

test("what two people were asked is looked at again when it is confirmed", async () => {
  const { payment } = await paid();
  const { amountKobo } = payment;
  const debit = await line({ amountKobo: -amountKobo, narration: "RVSL NIP" });
  const part = await takenBackPart(deps.db, { paymentId: payment.id, amountKobo });
  const details = keptMatch({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
  await owner.secondPerson.ask({ kind: "match_line", details, reason: "The bank reversed this transfer yesterday." });
  await match(debit.id, { kind: "bank_charges", amountKobo: naira(50) });
  const { requests } = await second.secondPerson.list();
  expect(requests[0]).toMatchObject({ isPossible: false });
  const before = await state();
  await expect(second.secondPerson.confirm({ requestId: requests[0]?.id ?? 0 })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await state()).toEqual(before);
  expect((await findPayment(deps.db, payment.id)).status).toBe("approved");
  const entries = await deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.account, "in_transit"));
  expect(entries.reduce((sum, entry) => sum + entry.amountKobo, 0n)).toBe(0n);
});
