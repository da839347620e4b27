import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { findCandidates } from "#server/features/bank/candidates.ts";
import { matchSureLines } from "#server/features/bank/sure.ts";
import { runMoneyChecks } from "#server/features/payments/checks.ts";
import { bankTexts, candidateTexts, payoutLineTexts } from "#shared/bank/texts.ts";
import { formatDay, isoInLagos } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { failPayoutTexts } from "#shared/second-person/texts.ts";
import { csvOf, importAs, keepOwnAccount, line as lineOf } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun, lastPayout, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** What people said of money before the first statement, and lines that show the same money since. */

const deps = await openTestDeps();
const reason = "Both of us saw it in the bank's app.";
const price = 5_000_000n;
let amaka: TestUser;
let tunde: TestUser;
let owner: Caller;
let other: Caller;

const day = (later = 0) => isoInLagos(new Date(deps.clock.now().getTime() + later * 86_400_000)).slice(0, 10);
const signIn = async () => {
  owner = await callAs(deps, amaka);
  other = await callAs(deps, tunde);
};
beforeEach(async () => {
  await emptyDatabase(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  tunde = await createAdmin(deps.db, "owner", { fullName: "Tunde Ade" });
  await signIn();
});
afterEach(() => expectMoneyHolds(deps));

/** Confirms what was asked last. */
const confirm = async () =>
  other.secondPerson.confirm({ requestId: (await other.secondPerson.list()).requests[0]?.id ?? 0 });
const declare = async (paymentId: number, amountKobo = price) => {
  const details = { paymentId, amountKobo: String(amountKobo) };
  await owner.secondPerson.ask({ kind: "declare_arrived", details, reason });
  await confirm();
};
const buy = async () =>
  createPayment(deps, { project: await createProject(deps.db, { fundingGoalKobo: price }), owner: amaka });
/** The ledger's sums, without accounts that have nothing. */
async function sums(): Promise<Record<string, bigint>> {
  const found = await rows<{ account: string; kobo: string }>(
    deps.db,
    sql`select account, sum(amount_kobo)::text as kobo from ledger_entries
      group by account having sum(amount_kobo) <> 0 order by account`,
  );
  return Object.fromEntries(found.map(({ account, kobo }) => [account, BigInt(kobo)]));
}
const open = (openingKobo = 0n) => openOwnAccount(deps, { importedBy: amaka.id, openingKobo });
const matchesOf = (lineId: number) =>
  deps.db
    .select()
    .from(lineMatches)
    .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)));
const undo = async (lineId: number) => {
  for (const { id: matchId } of await matchesOf(lineId)) await owner.bank.undo({ matchId, reason: "Another's" });
};
const readLine = async (id: number) => {
  const [row] = await deps.db.select().from(statementLines).where(eq(statementLines.id, id));
  if (!row) throw new Error("no such line");
  return row;
};

describe("money that was said to have arrived", () => {
  const match = (lineId: number, paymentId: number, amountKobo = price) =>
    owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "payment", amountKobo, paymentId }] });

  test("and is due back isn't held a second time by the line that shows it, nor taken by its undoing", async () => {
    const { payment } = await buy();
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected" });
    await declare(payment.id);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    const [found] = await findCandidates(deps.db, await readLine(id));
    expect(found).toMatchObject({ rule: "R2", isSure: false, why: candidateTexts.said(price) });
    expect(await sums()).toEqual({
      ...{ bank: price, backer_due: -price, opening_difference: price, unmatched_in: -price },
    });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ opening_difference: price, unmatched_in: -price });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
  });

  test("and waits for a decision is matched by itself, and approved without a surplus", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "R1", paymentId: payment.id }]);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ opening_difference: price, unmatched_in: -price, project_funding: -price });
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toMatchObject({ opening_difference: price, receipts_held: -price });
  });

  test("and approved after the first statement isn't held a second time by the line that shows it", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
    const { items } = await owner.payments.list({});
    expect(items).toMatchObject([{ heldKobo: 0n, bank: { state: "in_bank", surplusKobo: 0n } }]);
    const back = owner.payments.giveHeldBack({ paymentId: payment.id, seenHeldKobo: price });
    await expect(back).rejects.toThrow(paymentTexts.notHeld);
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toEqual({ bank: price, receipts_held: -price });
  });

  test("and was matched before its approval keeps a later surplus, whose refund is taken back", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    await match(id, payment.id);
    const more = await keepLine(deps, account, {
      amountKobo: 500_00n,
      date: day(1),
      narration: `NIP ${payment.reference}`,
    });
    await match(more.id, payment.id, 500_00n);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    await undo(id);
    const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
    await owner.payments.takeRefundBack({ refundId: refund?.id ?? 0, reason });
    expect(await sums()).toMatchObject({ opening_difference: price, receipts_held: -500_00n, project_funding: -price });
  });

  test("in part: the line of all of it is sure, and brings the rest", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "R1" }]);
    expect(await sums()).toEqual({ bank: price, receipts_held: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ receipts_held: -3_000_000n });
  });

  test("a line of a later day is other money", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open(3_000_000n);
    const values = { amountKobo: 2_000_000n, date: day(1), reference: payment.reference };
    const { id } = await keepLine(deps, account, values);
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "R1" }]);
    expect(await sums()).toEqual({ bank: price, receipts_held: -price });
  });

  test("a line of the missing rest of the same days is left to a person", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open(3_000_000n);
    const values = { amountKobo: 2_000_000n, date: day(), reference: payment.reference };
    const { id } = await keepLine(deps, account, values);
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
    expect((await readLine(id)).suggestedRule).toBe("R2");
  });

  test("when an approval was taken back counts once, too, whoever said it", async () => {
    const { payment } = await buy();
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    const said = { status: "rejected" as const, arrivedKobo: 4_000_000n, isGivenBack: true };
    await decide(deps, amaka, { paymentId: payment.id, ...said });
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), reference: payment.reference });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, backer_due: -4_000_000n, receipts_held: -1_000_000n });
    await undo(id);
    expect(await sums()).toMatchObject({ backer_due: -4_000_000n, opening_difference: 4_000_000n });
  });

  test("and approved before the first statement is shown by one line, with what the approval assumed", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day() });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toEqual({ bank: price, receipts_held: -price });
    await undo(id);
    // What the approval assumed isn't there any more; what two people said is.
    expect(await sums()).toMatchObject({ receipts_held: -3_000_000n, unmatched_in: -price });
  });

  test("can be given back only once it is there: what a line brought besides can't leave then", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day(), narration: payment.reference });
    await match(id, payment.id);
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "No", isGivenBack: true });
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
    await expect(undo(id)).rejects.toThrow(bankTexts.givenBack);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
  });

  test("the self-check finds a line that was posted as new money", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, date: day() });
    await match(id, payment.id);
    const planted = `update ledger_entries e set account = 'receipts_held', own_account_id = null, payment_id = ${payment.id}
      from ledger_transactions t where t.id = e.transaction_id and t.kind = 'match' and e.account = 'opening_difference'`;
    class Undone extends Error {}
    let found: string[] = [];
    await expect(
      inTransaction(deps.db, async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(sql.raw(planted));
        const checks = await runMoneyChecks(tx, deps.clock.now());
        found = checks.flatMap(({ name, violations }) =>
          violations.map((one) => `${name.split(" ")[0]} ${one.violation}`),
        );
        throw new Undone();
      }),
    ).rejects.toThrow(Undone);
    expect(found).toEqual(["I12 money of a payment that is not approved stands elsewhere than its matches say"]);
  });
});

describe("a payout that was paid by hand before the first statement", () => {
  let accountId: number;

  /** Sent from an own account that wasn't opened yet, and marked as paid. */
  async function payByHand() {
    accountId = await keepOwnAccount(deps.db);
    const project = await createProject(deps.db, { fundingGoalKobo: price });
    const owed = await oweRefund(deps, { owner: amaka, project });
    const account = await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
    const payout = await findPayout(deps, owed.payouts[0]?.id ?? 0);
    await keepRun(deps, [{ payout, account }], { ownAccount: { id: accountId }, owner: amaka, second: tunde });
    await owner.payouts.markPaid({ payoutId: payout.id, sessionId: "1".repeat(30), reason });
    return findPayout(deps, payout.id);
  }
  const importLines = async (openingKobo: bigint, ...truths: ReturnType<typeof lineOf>[]) =>
    expect(await importAs(deps, amaka, { accountId, file: csvOf({ openingKobo, truths }) })).toMatchObject({
      kind: "imported",
    });
  const ask = (payoutId: number) => owner.secondPerson.ask({ kind: "fail_payout", details: { payoutId }, reason });
  const newestLine = async () => {
    const [found] = await deps.db.select().from(statementLines).orderBy(desc(statementLines.id)).limit(1);
    return found?.id ?? 0;
  };

  test("is shown by the debit in the first statement, which can be undone", async () => {
    const payout = await payByHand();
    await importLines(price, lineOf(day(), -price, `NIP TRF/${payout.reference}`));
    await matchSureLines(deps);
    const id = await newestLine();
    expect(await matchesOf(id)).toMatchObject([{ rule: "R5", payoutId: payout.id }]);
    expect(await sums()).toEqual({});
    await undo(id);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid", paidBy: amaka.id });
    expect(await sums()).toEqual({ opening_difference: -price, unmatched_out: price });
    await owner.bank.match({
      lineId: id,
      seenMatchedKobo: 0n,
      parts: [{ kind: "payout", amountKobo: price, payoutId: payout.id }],
    });
    expect(await sums()).toEqual({});
    await expect(ask(payout.id)).rejects.toThrow(payoutTexts.seenAlready);
  });

  test("without its reference is suggested by the amount up to the day that it was marked, and not after", async () => {
    const payout = await payByHand();
    const marked = day();
    deps.clock.advance({ days: 3 });
    await signIn();
    await importLines(price, lineOf(marked, -price, "TRF TO BACKER"), lineOf(day(), -price, "OTHER TRF"));
    await matchSureLines(deps);
    const found = await deps.db.select().from(statementLines).orderBy(statementLines.position);
    expect(found.map(({ suggestedRule }) => suggestedRule)).toEqual(["R4", null]);
    const [early, late] = found;
    if (!early || !late) throw new Error("no lines");
    expect(await findCandidates(deps.db, early)).toMatchObject([{ rule: "R4", payout: { id: payout.id } }]);
    expect(await findCandidates(deps.db, late)).toEqual([]);
  });

  test("is declared failed by two once statements cover its days: it is owed again, out of the opening difference", async () => {
    const payout = await payByHand();
    await expect(ask(payout.id)).rejects.toThrow(failPayoutTexts.uncovered(formatDay(day())));
    const sentOn = day();
    deps.clock.advance({ days: 7 });
    await signIn();
    await importLines(price, lineOf(sentOn, 1_00n), lineOf(day(), 1_00n));
    expect(await sums()).toEqual({ bank: price + 2_00n, opening_difference: -price, unmatched_in: -2_00n });
    await ask(payout.id);
    await confirm();
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await lastPayout(deps)).toMatchObject({ replacesId: payout.id, state: "waiting" });
    expect(await sums()).toEqual({ bank: price + 2_00n, backer_due: -price, unmatched_in: -2_00n });
  });

  test("and declared failed, but left after all, is a loss that two book; what comes back makes it good", async () => {
    const payout = await payByHand();
    const sentOn = day();
    deps.clock.advance({ days: 7 });
    await signIn();
    await importLines(price, lineOf(sentOn, 1_00n), lineOf(day(), 1_00n));
    await ask(payout.id);
    await confirm();
    await importLines(price + 2_00n, lineOf(day(), -price, `NIP TRF/${payout.reference}`));
    await matchSureLines(deps);
    const id = await newestLine();
    expect(await matchesOf(id)).toEqual([]);
    const [found] = await findCandidates(deps.db, await readLine(id));
    expect(found).toMatchObject({ why: payoutLineTexts.failedBefore, part: null, isLateDebit: true });
    const details = { lineId: id, payoutId: payout.id, amountKobo: String(price) };
    await owner.secondPerson.ask({ kind: "book_loss", details, reason });
    expect((await other.secondPerson.list()).requests[0]?.consequences[0]).toContain(formatNaira(price));
    await confirm();
    expect(await sums()).toEqual({ bank: 2_00n, backer_due: -price, losses: price, unmatched_in: -2_00n });
    await expectMoneyHolds(deps);
    await importLines(2_00n, lineOf(day(), price, `RVSL/${payout.reference}`));
    const back = await newestLine();
    const part = { kind: "returned" as const, amountKobo: price, payoutId: payout.id };
    await owner.bank.match({ lineId: back, seenMatchedKobo: 0n, parts: [part] });
    expect(await sums()).toEqual({ bank: price + 2_00n, backer_due: -price, unmatched_in: -2_00n });
    await expect(undo(id)).rejects.toThrow(payoutLineTexts.lossMadeGood);
  });
});
