import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkCoverage } from "#server/books/checks/invariants.ts";
import { rows } from "#server/db/open.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { bankTexts, candidateTexts, payoutLineTexts } from "#shared/bank/texts.ts";
import { dayInLagos, formatDay } from "#shared/dates.ts";
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

/** Money that people say has arrived is in transit until a line shows it and takes its place. */

const deps = await openTestDeps();
const reason = "Both of us saw it in the bank's app.";
const price = 5_000_000n;
let amaka: TestUser;
let tunde: TestUser;
let owner: Caller;
let other: Caller;

const day = (later = 0) => dayInLagos(new Date(deps.clock.now().getTime() + later * 86_400_000));
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

  test("and is due back isn't unallocated a second time by the line that shows it, nor taken by its undoing", async () => {
    const { payment } = await buy();
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected" });
    await declare(payment.id);
    expect(await sums()).toEqual({ in_transit: price, backer_due: -price });
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, reference: payment.reference });
    const [found] = (await findCandidates(deps.db, [await readLine(id)])).get(id) ?? [];
    expect(found).toMatchObject({ rule: "other_amount", isSure: false, why: candidateTexts.said(price) });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ in_transit: price, unmatched_in: -price });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
  });

  test("and waits for a decision is matched by itself, and approved without a surplus", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    expect(await sums()).toEqual({ in_transit: price, unallocated: -price });
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, reference: payment.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "our_reference", paymentId: payment.id }]);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ in_transit: price, unmatched_in: -price, project_funding: -price });
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toMatchObject({ in_transit: price, unallocated: -price });
  });

  test("and is approved stays in transit until its line, and is unallocated again with a reversal", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    expect(await sums()).toEqual({ in_transit: price, project_funding: -price });
    const { id } = await keepLine(deps, account, { amountKobo: price, reference: payment.reference });
    await match(id, payment.id);
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
    const { items } = await owner.payments.list({});
    expect(items).toMatchObject([{ unallocatedKobo: 0n, bank: { state: "in_bank", surplusKobo: 0n } }]);
    const back = owner.payments.giveUnallocatedBack({ paymentId: payment.id, seenUnallocatedKobo: price });
    await expect(back).rejects.toThrow(paymentTexts.nothingUnallocated);
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toEqual({ bank: price, unallocated: -price });
  });

  test("and was matched before its approval keeps a later surplus, whose refund is taken back", async () => {
    const { payment } = await buy();
    await declare(payment.id);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, reference: payment.reference });
    await match(id, payment.id);
    const more = await keepLine(deps, account, { amountKobo: 500_00n, narration: `NIP ${payment.reference}` });
    await match(more.id, payment.id, 500_00n);
    await decide(deps, amaka, { paymentId: payment.id, status: "approved" });
    await undo(id);
    const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
    await owner.payments.takeRefundBack({ refundId: refund?.id ?? 0, reason });
    // The later line takes the place of a part of what was said now.
    expect(await sums()).toMatchObject({ in_transit: price - 500_00n, unmatched_in: -price, project_funding: -price });
  });

  test("in part: the line of all of it is sure, and brings the rest", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, reference: payment.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "our_reference" }]);
    expect(await sums()).toEqual({ bank: price, unallocated: -price });
    await undo(id);
    expect(await sums()).toMatchObject({ in_transit: 3_000_000n, unallocated: -3_000_000n });
  });

  test("after a line had shown a part: the next line takes the place of what was said, and no more", async () => {
    const { payment } = await buy();
    const account = await open();
    const first = await keepLine(deps, account, { amountKobo: 2_000_000n });
    await match(first.id, payment.id, 2_000_000n);
    await declare(payment.id, 3_000_000n);
    expect(await sums()).toEqual({ bank: 2_000_000n, in_transit: 3_000_000n, unallocated: -price });
    const { id } = await keepLine(deps, account, { amountKobo: 3_000_100n });
    await match(id, payment.id, 3_000_100n);
    expect(await sums()).toEqual({ bank: price + 100n, unallocated: -price - 100n });
    await undo(first.id);
    expect(await sums()).toMatchObject({ bank: price + 100n, unallocated: -3_000_100n });
  });

  test("a line of a part of it is left to a person", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: 2_000_000n, reference: payment.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
    expect((await readLine(id)).suggestedRule).toBe("other_amount");
  });

  test("can be given back only once it is there: what a line brought besides can't leave then", async () => {
    const { payment } = await buy();
    await declare(payment.id, 3_000_000n);
    const account = await open();
    const { id } = await keepLine(deps, account, { amountKobo: price, narration: payment.reference });
    await match(id, payment.id);
    await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "No", isGivenBack: true });
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
    await expect(undo(id)).rejects.toThrow(bankTexts.givenBack);
    expect(await sums()).toEqual({ bank: price, backer_due: -price });
  });
});

describe("what the bank took back of an approved payment", () => {
  const match = (lineId: number, paymentId: number) =>
    owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [{ kind: "payment", amountKobo: price, paymentId }] });
  const takenBack = async (paymentId: number) => {
    const account = await open();
    const credit = await keepLine(deps, account, { amountKobo: price });
    await match(credit.id, paymentId);
    await decide(deps, amaka, { paymentId, status: "approved" });
    const debit = await keepLine(deps, account, { amountKobo: -price, isReversal: true });
    const [creditMatch] = await matchesOf(credit.id);
    const part = {
      kind: "taken_back" as const,
      amountKobo: String(price),
      paymentId,
      creditMatchId: creditMatch?.id ?? 0,
    };
    const details = { lineId: debit.id, seenMatchedKobo: "0", parts: [part] };
    await owner.secondPerson.ask({ kind: "match_line", details, reason });
    await confirm();
    return { account, debit };
  };

  test("is receivable and no cover, and cleared by what comes again", async () => {
    const { payment } = await buy();
    const { account } = await takenBack(payment.id);
    expect(await sums()).toEqual({ receivable: price, project_funding: -price });
    const { violations } = await checkCoverage(deps.db, deps.clock.now());
    expect(violations).toMatchObject([
      {
        row: {
          thereKobo: 0,
          owedKobo: Number(price),
          inTransitTooLongKobo: 0,
          receivableKobo: Number(price),
          receivable: [`${payment.reference}: ${price} kobo`],
        },
      },
    ]);
    const again = await keepLine(deps, account, { amountKobo: price });
    await match(again.id, payment.id);
    expect(await sums()).toEqual({ bank: price, project_funding: -price });
  });

  test("isn't owed any more once the approval is taken back, and is in transit where it is given again", async () => {
    const { payment } = await buy();
    const { debit } = await takenBack(payment.id);
    await decide(deps, amaka, { paymentId: payment.id, status: "pending" });
    expect(await sums()).toEqual({});
    await decide(deps, amaka, { paymentId: payment.id, status: "approved", unseenReason: "They send it again." });
    expect(await sums()).toEqual({ in_transit: price, project_funding: -price });
    await undo(debit.id);
    expect(await sums()).toEqual({ unmatched_out: price, project_funding: -price });
  });
});

describe("a payout that an owner marked as paid", () => {
  let accountId: number;

  /** Sent from an own account that wasn't opened yet, and marked as paid: that posts nothing. */
  async function payByHand() {
    accountId = await keepOwnAccount(deps.db);
    const project = await createProject(deps.db, { fundingGoalKobo: price });
    const owed = await oweRefund(deps, { owner: amaka, project });
    const account = await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
    const payout = await findPayout(deps, owed.payouts[0]?.id ?? 0);
    await keepRun(deps, [{ payout, account }], { ownAccount: { id: accountId }, owner: amaka, second: tunde });
    await owner.payouts.markPaid({ payoutId: payout.id, sessionId: "1".repeat(30), reason });
    expect(await sums()).toEqual({ in_transit: price, payouts_in_transit: -price });
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
    expect(await matchesOf(id)).toMatchObject([{ rule: "payout_reference", payoutId: payout.id }]);
    expect(await sums()).toEqual({ in_transit: price, opening: -price });
    await undo(id);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid", paidBy: amaka.id });
    expect(await sums()).toMatchObject({ payouts_in_transit: -price, unmatched_out: price });
    await owner.bank.match({
      lineId: id,
      seenMatchedKobo: 0n,
      parts: [{ kind: "payout", amountKobo: price, payoutId: payout.id }],
    });
    expect(await sums()).toEqual({ in_transit: price, opening: -price });
    await expect(ask(payout.id)).rejects.toThrow(payoutTexts.seenAlready);
  });

  test("is declared failed by two once statements cover its days: it is owed again", async () => {
    const payout = await payByHand();
    await expect(ask(payout.id)).rejects.toThrow(failPayoutTexts.uncovered(formatDay(day())));
    const sentOn = day();
    deps.clock.advance({ days: 7 });
    await signIn();
    await importLines(price, lineOf(sentOn, 1_00n), lineOf(day(), 1_00n));
    await ask(payout.id);
    await confirm();
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await lastPayout(deps)).toMatchObject({ replacesId: payout.id, state: "due" });
    expect(await sums()).toMatchObject({ in_transit: price, backer_due: -price });
  });

  test("and declared failed, but left after all, was paid out twice, as two say; what comes back clears it", async () => {
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
    const [found] = (await findCandidates(deps.db, [await readLine(id)])).get(id) ?? [];
    expect(found).toMatchObject({ why: payoutLineTexts.failedBefore, part: null, isLateDebit: true });
    const details = { lineId: id, payoutId: payout.id, amountKobo: String(price) };
    await owner.secondPerson.ask({ kind: "book_loss", details, reason });
    expect((await other.secondPerson.list()).requests[0]?.consequences[0]).toContain(formatNaira(price));
    await confirm();
    expect(await sums()).toMatchObject({ bank: 2_00n, backer_due: -price, receivable: price });
    await expectMoneyHolds(deps);
    await importLines(2_00n, lineOf(day(), price, `RVSL/${payout.reference}`));
    const back = await newestLine();
    const part = { kind: "returned" as const, amountKobo: price, payoutId: payout.id };
    await owner.bank.match({ lineId: back, seenMatchedKobo: 0n, parts: [part] });
    expect(await sums()).toEqual({
      bank: price + 2_00n,
      opening: -price,
      in_transit: price,
      backer_due: -price,
      unmatched_in: -2_00n,
    });
    await expect(undo(id)).rejects.toThrow(payoutLineTexts.lossMadeGood);
  });
});
