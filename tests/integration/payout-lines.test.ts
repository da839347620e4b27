import { and, asc, desc, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { failPayout } from "#server/features/payouts/failing.ts";
import { bankTexts, payoutLineTexts } from "#shared/bank/texts.ts";
import { formatDay, startOfDay } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { bookLossTexts } from "#shared/second-person/texts.ts";
import { csvOf, line as fileLine, importAs, keepOwnAccount } from "#tests/support/bank-imports.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import { contextOf, createPayment, decide, expectMoneyHolds, setBankDetails, sumIn } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { matchByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Lines that show payouts: the debits by which they left, and the credits by which they came back. */

const { deps, replicas } = await openTestReplicas();
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let account: OwnAccount;
let today: string;
/** A payout that the bank got. */
let one: Awaited<ReturnType<typeof sendOne>>;

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  today = deps.clock.now().toISOString().slice(0, 10);
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  await setBankDetails(deps.db);
  owner = await callAs(deps, amaka);
  one = await sendOne();
  return async () => {
    owner = await callAs(deps, amaka);
  };
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  for (const { differenceKobo } of (await owner.bank.overview()).accounts) expect(differenceKobo).toBe(0n);
});

const line = (values: Partial<typeof statementLines.$inferInsert> & { amountKobo: Kobo }, on = account) =>
  keepLine(deps, on, { date: today, ...values });
const readLine = async (id: number) => {
  const [row] = await deps.db.select().from(statementLines).where(eq(statementLines.id, id));
  if (!row) throw new Error("no such line");
  return row;
};
const matchesOf = (lineId: number) =>
  deps.db
    .select()
    .from(lineMatches)
    .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)))
    .orderBy(asc(lineMatches.id));
const inTransit = (payoutId: number) => sumIn(deps.db, "payouts_in_transit", eq(ledgerEntries.payoutId, payoutId));
const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
const candidatesOf = async (id: number) => (await findCandidates(deps.db, [await readLine(id)])).get(id) ?? [];
const runOf = async (runId: number) => (await deps.db.select().from(payoutRuns).where(eq(payoutRuns.id, runId)))[0];

/** Goals of their own, so that no amount fits two payouts by chance. */
let farms = 0;

/** A refund of money that a line brought, with an account, and its payout. */
async function owe(goal?: number) {
  farms += 1;
  const backer = await createUser(deps.db, { fullName: `Backer ${farms}` });
  const fundingGoalKobo = naira(goal ?? 1_000_000 + farms * 1_001);
  const project = await createProject(deps.db, { fundingGoalKobo });
  const { payment } = await createPayment(deps, { backer, project, owner: amaka });
  const credit = await line({ amountKobo: payment.amountKobo, reference: payment.reference });
  await owner.bank.match({
    lineId: credit.id,
    seenMatchedKobo: 0n,
    parts: [{ kind: "payment", amountKobo: payment.amountKobo, paymentId: payment.id }],
  });
  await decide(deps, amaka, { paymentId: payment.id, status: "rejected", reason: "Gone", isGivenBack: true });
  const payee = await giveAccount(
    deps,
    { userId: backer.id },
    { addedBy: backer.id, accountName: backer.fullName ?? "" },
  );
  const [owed] = await deps.db
    .select({ payout: payouts })
    .from(payouts)
    .innerJoin(refunds, eq(refunds.id, payouts.refundId))
    .where(eq(refunds.paymentId, payment.id));
  if (!owed) throw new Error("nothing is owed");
  return { backer, payment, account: payee, payout: owed.payout };
}

/** Payouts that the bank got in one run. */
async function send(count = 1, goal?: number) {
  const owed = [];
  for (let index = 0; index < count; index += 1) owed.push(await owe(goal));
  const runId = await keepRun(deps, owed, { ownAccount: account, owner: amaka, second: bola });
  const sent = await Promise.all(owed.map(async (one) => ({ ...one, payout: await findPayout(deps, one.payout.id) })));
  return { runId, sent, total: sent.reduce((sum, { payout }) => sum + payout.amountKobo, 0n) };
}
async function sendOne(goal?: number) {
  const { runId, sent } = await send(1, goal);
  const [only] = sent;
  if (!only) throw new Error("nothing was sent");
  return { runId, ...only };
}
const debitOf = ({ reference, amountKobo }: { reference: string; amountKobo: Kobo }) =>
  line({ amountKobo: -amountKobo, reference, narration: `NIP TRF TO BACKER/${reference}` });
const asPart = (kind: "payout" | "returned", { id, amountKobo }: { id: number; amountKobo: Kobo }) => ({
  kind,
  amountKobo,
  payoutId: id,
});

describe("A debit with a payout's reference and its sum", () => {
  test("is matched by itself: the payout is paid, its run is closed, its payee is told once", async () => {
    const { payout, backer, runId } = one;
    const { id } = await debitOf(payout);
    await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
    expect(await matchesOf(id)).toMatchObject([{ kind: "payout", rule: "payout_reference", payoutId: payout.id }]);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid", paidBy: null });
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
    expect(await inTransit(payout.id)).toBe(0n);
    expect((await subjectsTo(backer)).filter((subject) => subject.startsWith("Paid"))).toHaveLength(1);
    const [audit] = await deps.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.actionType, "match_line"))
      .orderBy(desc(auditLogs.id))
      .limit(1);
    expect(audit?.details).toMatchObject({ lineId: id, rule: "payout_reference", matches: [{ payoutId: payout.id }] });
  });

  test("is told with the line's day, however late its statement is imported", async () => {
    const { payout, backer } = one;
    const { id } = await debitOf(payout);
    deps.clock.advance({ days: 9 });
    owner = await callAs(deps, amaka);
    await matchSureLines(deps);
    expect(await matchesOf(id)).toHaveLength(1);
    expect((await findPayout(deps, payout.id)).paidAt).toEqual(startOfDay(today));
    const [told] = (await queuedMailsTo(deps.db, backer.email)).filter(({ subject }) => subject.startsWith("Paid"));
    expect(told?.text).toContain(`It left our account on ${formatDay(today)}`);
  });

  test("its reference is found in a file that is imported, cut off too, and the line matched", async () => {
    const { payout } = one;
    const cut = payout.reference.slice(0, -2).replaceAll("-", "");
    const credit = fileLine(today, naira(5), "NIP/ACCESS/SOMEBODY");
    const lines = [credit, fileLine(today, -payout.amountKobo, `NIP/TRF TO BACKER/${cut}`)];
    const accountId = await keepOwnAccount(deps.db, "3333333333");
    const answer = await importAs(deps, amaka, {
      accountId,
      file: csvOf({ openingKobo: naira(9_000_000), truths: lines }),
    });
    expect(answer.kind).toBe("imported");
    await matchSureLines(deps);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
  });

  test("is only suggested with another sum, and refused as a part that isn't all of the payout", async () => {
    const { payout } = one;
    const { id } = await line({ amountKobo: -payout.amountKobo - naira(50), reference: payout.reference });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
    expect((await readLine(id)).suggestedRule).toBe("payout_reference");
    const [found] = await candidatesOf(id);
    expect(found).toMatchObject({ rule: "payout_reference", isSure: false, part: asPart("payout", payout) });
    const less = { ...asPart("payout", payout), amountKobo: payout.amountKobo - 1n };
    await expect(owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [less] })).rejects.toThrow(
      payoutTexts.wholeOnly(payout.amountKobo),
    );
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "sent" });
    const charge = { kind: "bank_charges" as const, amountKobo: naira(50) };
    await owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [asPart("payout", payout), charge] });
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
  });

  test("a second one is shown as perhaps paid twice, and refused", async () => {
    const { payout } = one;
    await debitOf(payout);
    await matchSureLines(deps);
    const again = await debitOf(payout);
    await matchSureLines(deps);
    const [found] = await candidatesOf(again.id);
    expect(found).toMatchObject({ why: payoutLineTexts.seenLeaving, part: null });
    await expect(
      owner.bank.match({ lineId: again.id, seenMatchedKobo: 0n, parts: [asPart("payout", payout)] }),
    ).rejects.toThrow(payoutTexts.seenAlready);
    const confirms = await callAs(deps, bola);
    await matchByTwo(
      { asks: owner, confirms },
      {
        lineId: again.id,
        seenMatchedKobo: 0n,
        parts: [{ kind: "operator", amountKobo: payout.amountKobo, reason: "Asked the bank" }],
      },
    );
  });

  test("one line of money in can't be a payout that left, nor a payout that wasn't sent", async () => {
    const { payout } = one;
    const { payout: due } = await owe();
    const credit = await line({ amountKobo: payout.amountKobo });
    const debit = await line({ amountKobo: -due.amountKobo });
    const match = (lineId: number, part: Parameters<typeof owner.bank.match>[0]["parts"][number]) =>
      owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
    await expect(match(credit.id, asPart("payout", payout))).rejects.toThrow(bankTexts.onlyOut);
    await expect(match(debit.id, asPart("payout", due))).rejects.toThrow(payoutTexts.notSent);
    await expect(match(debit.id, asPart("returned", payout))).rejects.toThrow(bankTexts.onlyIn);
    await expect(match(debit.id, { ...asPart("payout", due), payoutId: 999_999 })).rejects.toThrow(payoutTexts.gone);
    expect(await matchesOf(debit.id)).toEqual([]);
    const manager = await callAs(deps, await createAdmin(deps.db, "manager"));
    await expect(
      manager.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [asPart("payout", payout)] }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("undoing", () => {
  test("a payout that a line showed is only sent again, its run open, and it isn't matched anew by itself", async () => {
    const { payout, runId } = one;
    const { id } = await debitOf(payout);
    await matchSureLines(deps);
    const [match] = await matchesOf(id);
    await owner.bank.undo({ matchId: match?.id ?? 0, reason: "Another's transfer" });
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "sent", paidAt: null });
    expect(await runOf(runId)).toMatchObject({ state: "exported", closedAt: null });
    expect(await inTransit(payout.id)).toBe(-payout.amountKobo);
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
    await expect(owner.bank.undo({ matchId: match?.id ?? 0, reason: "Again" })).rejects.toThrow(bankTexts.matchGone);
  });
});

describe("A credit with the reference of a payout", () => {
  test("is suggested, and fails the payout when a person says so: another takes its place, and its payee is told why", async () => {
    const { payout, backer, runId } = one;
    await debitOf(payout);
    await matchSureLines(deps);
    const back = await line({ amountKobo: payout.amountKobo, reference: payout.reference });
    await matchSureLines(deps);
    expect(await matchesOf(back.id)).toEqual([]);
    expect((await readLine(back.id)).suggestedRule).toBe("came_back");
    const [found] = await candidatesOf(back.id);
    expect(found).toMatchObject({
      rule: "came_back",
      isSure: false,
      kind: "returned",
      part: asPart("returned", payout),
    });
    const part = { ...asPart("returned", payout), reason: "name differs", isAccountWrong: true };
    await owner.bank.match({ lineId: back.id, seenMatchedKobo: 0n, parts: [part] });
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed", failedReason: "name differs" });
    expect(await inTransit(payout.id)).toBe(0n);
    const [next] = await deps.db.select().from(payouts).where(eq(payouts.replacesId, payout.id));
    expect(next).toMatchObject({ state: "waiting", amountKobo: payout.amountKobo, runId: null });
    expect(next?.reference).not.toBe(payout.reference);
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
    expect((await subjectsTo(backer)).some((subject) => subject.startsWith("Money came back"))).toBe(true);
    const again = await line({ amountKobo: payout.amountKobo, reference: payout.reference });
    expect((await candidatesOf(again.id))[0]).toMatchObject({ why: payoutLineTexts.returnSeen, part: null });
    await expect(
      owner.bank.match({ lineId: again.id, seenMatchedKobo: 0n, parts: [asPart("returned", payout)] }),
    ).rejects.toThrow(payoutLineTexts.cameBackAlready);
  });

  test("may come before the debit, which is sure then as well", async () => {
    const { payout } = one;
    const back = await line({ amountKobo: payout.amountKobo, reference: payout.reference });
    await owner.bank.match({ lineId: back.id, seenMatchedKobo: 0n, parts: [asPart("returned", payout)] });
    expect(await inTransit(payout.id)).toBe(-payout.amountKobo);
    const { id } = await debitOf(payout);
    await matchSureLines(deps);
    expect(await matchesOf(id)).toMatchObject([{ rule: "payout_reference" }]);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await inTransit(payout.id)).toBe(0n);
  });

  test("a reversal without the reference is suggested by its amount", async () => {
    const { payout } = one;
    await debitOf(payout);
    await matchSureLines(deps);
    const { id } = await line({ amountKobo: payout.amountKobo, narration: "NIP RVSL ACCOUNT CLOSED" });
    await matchSureLines(deps);
    expect((await readLine(id)).suggestedRule).toBe("came_back");
    expect((await candidatesOf(id))[0]).toMatchObject({ rule: "came_back", part: asPart("returned", payout) });
  });
});

/** As two owners say, before statements cover its days. */
const declareFailed = (payout: typeof payouts.$inferSelect) =>
  inTransaction(deps.db, async (tx) => {
    await failPayout(tx, await contextOf(deps, amaka), payout, { reason: "Never left" });
    await tx.insert(secondPersonRequests).values({
      kind: "fail_payout",
      subject: String(payout.id),
      details: { payoutId: payout.id },
      reason: "It never left",
      requestedBy: amaka.id,
      requestedAt: deps.clock.now(),
      decision: "confirmed",
      decidedBy: bola.id,
      decidedAt: deps.clock.now(),
    });
  });

test("one that was declared failed and left after all is left to a person", async () => {
  const { payout } = one;
  await declareFailed(payout);
  const { id } = await debitOf(payout);
  await matchSureLines(deps);
  expect(await matchesOf(id)).toEqual([]);
  expect((await candidatesOf(id))[0]).toMatchObject({
    why: payoutLineTexts.failedBefore,
    part: null,
    isLateDebit: true,
  });
  const match = () => owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [asPart("payout", payout)] });
  await expect(match()).rejects.toThrow(payoutLineTexts.failedBefore);
  expect(await matchesOf(id)).toEqual([]);
  // Where the bank gave it back, both lines stand against what was on its way.
  const back = await line({ amountKobo: payout.amountKobo, reference: payout.reference });
  await owner.bank.match({ lineId: back.id, seenMatchedKobo: 0n, parts: [asPart("returned", payout)] });
  await matchSureLines(deps);
  expect(await matchesOf(id)).toMatchObject([{ rule: "payout_reference" }]);
  expect(await inTransit(payout.id)).toBe(0n);
});

test("its late debit is booked as a loss by two owners, once, and that can be undone", async () => {
  const { payout } = one;
  const { payout: standing } = await sendOne();
  await declareFailed(payout);
  const second = await callAs(deps, bola);
  const { id: lineId } = await debitOf(payout);
  const ask = (of: { id: number; amountKobo: Kobo }, given = {}) =>
    owner.secondPerson.ask({
      kind: "book_loss",
      details: { lineId, payoutId: of.id, amountKobo: String(of.amountKobo), ...given },
      reason: "The bank confirmed that it left.",
    });
  const other = await debitOf(standing);
  await expect(ask(standing, { lineId: other.id })).rejects.toThrow(bookLossTexts.notDeclaredFailed);
  await expect(ask(payout, { amountKobo: String(payout.amountKobo - 1n) })).rejects.toThrow(
    payoutTexts.wholeOnly(payout.amountKobo),
  );
  const credit = await line({ amountKobo: payout.amountKobo });
  await expect(ask(payout, { lineId: credit.id })).rejects.toThrow(bankTexts.onlyOut);
  await ask(payout);
  expect(await matchesOf(lineId)).toEqual([]);
  const request = (await second.secondPerson.list()).requests.find(({ kind }) => kind === "book_loss");
  await expect(owner.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await second.secondPerson.confirm({ requestId: request?.id ?? 0 });
  const [match] = await matchesOf(lineId);
  expect(match).toMatchObject({ kind: "payout", payoutId: payout.id, madeBy: bola.id });
  const receivable = () => sumIn(deps.db, "receivable");
  expect(await receivable()).toBe(payout.amountKobo);
  expect(await inTransit(payout.id)).toBe(0n);
  const [booked] = await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, "book_loss"));
  expect(booked?.details).toMatchObject({ lineId, payoutId: payout.id, amountKobo: String(payout.amountKobo) });
  await expectMoneyHolds(deps);
  await expect(ask(payout)).rejects.toThrow(bankTexts.moreThanRest(0n));
  await owner.bank.undo({ matchId: match?.id ?? 0, reason: "Another's transfer" });
  expect(await receivable()).toBe(0n);
});

test("one that an owner marked as paid is matched without being told or paid again", async () => {
  const { payout, backer } = one;
  await owner.payouts.markPaid({ payoutId: payout.id, sessionId: "1".repeat(30), reason: "Seen leaving at the bank" });
  const toldOfPayment = async () => (await subjectsTo(backer)).filter((subject) => subject.startsWith("Paid"));
  expect(await toldOfPayment()).toHaveLength(1);
  const { id } = await debitOf(payout);
  await matchSureLines(deps);
  const [match] = await matchesOf(id);
  expect(match).toMatchObject({ rule: "payout_reference" });
  expect(await toldOfPayment()).toHaveLength(1);
  await owner.bank.undo({ matchId: match?.id ?? 0, reason: "Another's" });
  expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid", paidBy: amaka.id });
});

describe("One debit of a run's total", () => {
  test("matches all of its payouts at once, and is undone at once", async () => {
    const { runId, sent, total } = await send(3);
    const { id } = await line({ amountKobo: -total, narration: "BULK PAYMENT" });
    await Promise.all([deps, ...replicas].map((process) => matchSureLines(process)));
    const made = await matchesOf(id);
    expect(made.map(({ payoutId, rule }) => ({ payoutId, rule }))).toEqual(
      sent.map(({ payout }) => ({ payoutId: payout.id, rule: "run_total" })),
    );
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
    const shown = await owner.bank.line({ lineId: id });
    expect(shown.matches).toMatchObject([{ amountKobo: total, ofRun: { id: runId, payouts: 3 } }]);
    const { items } = await owner.bank.lines({ accountId: account.id, tab: "matched" });
    expect(items.find((one) => one.id === id)?.explainedBy).toMatchObject([{ ofRun: { id: runId, payouts: 3 } }]);
    await owner.bank.undo({ matchId: made[1]?.id ?? 0, reason: "Another run" });
    expect(await matchesOf(id)).toEqual([]);
    expect((await readLine(id)).matchedKobo).toBe(0n);
    for (const { payout } of sent) expect(await findPayout(deps, payout.id)).toMatchObject({ state: "sent" });
    const part = { kind: "payout_run" as const, amountKobo: total, runId };
    await owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [part] });
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
  });

  test("isn't sure where the only payout of another run has the same amount", async () => {
    const { total } = await send(2, 444_444);
    await send(1, 888_888);
    expect(total).toBe(naira(888_888));
    const { id } = await line({ amountKobo: -total, narration: "BULK PAYMENT" });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
    expect((await candidatesOf(id)).map(({ rule, isSure }) => [rule, isSure])).toEqual([
      ["run_total", false],
      ["amount", false],
    ]);
  });

  test("leaves the last of a run, whose others were seen, to its reference", async () => {
    const { sent } = await send(2);
    const [first, last] = sent;
    if (!first || !last) throw new Error("nothing was sent");
    await debitOf(first.payout);
    await matchSureLines(deps);
    const { id } = await line({ amountKobo: -last.payout.amountKobo });
    await matchSureLines(deps);
    expect(await matchesOf(id)).toEqual([]);
  });

  test("is for what no line shows yet of the run", async () => {
    const { runId, sent, total } = await send(3);
    const [first] = sent;
    if (!first) throw new Error("nothing was sent");
    await debitOf(first.payout);
    await matchSureLines(deps);
    const rest = total - first.payout.amountKobo;
    const { id } = await line({ amountKobo: -rest });
    const part = { kind: "payout_run" as const, amountKobo: total, runId };
    await expect(owner.bank.match({ lineId: id, seenMatchedKobo: 0n, parts: [part] })).rejects.toThrow();
    await matchSureLines(deps);
    expect(await matchesOf(id)).toHaveLength(2);
    const again = await line({ amountKobo: -rest });
    const parts = [{ ...part, amountKobo: rest }];
    await expect(owner.bank.match({ lineId: again.id, seenMatchedKobo: 0n, parts })).rejects.toThrow(
      payoutLineTexts.runSeen,
    );
  });
});

test("payouts are found by hand by reference, payee and amount", async () => {
  const { payout, backer } = one;
  const debit = await line({ amountKobo: -payout.amountKobo });
  const search = async (text?: string) =>
    (await owner.bank.payouts({ lineId: debit.id, ...(text && { search: text }) })).map(({ id }) => id);
  expect((await search())[0]).toBe(payout.id);
  expect(await search(payout.reference.slice(3).toLowerCase())).toEqual([payout.id]);
  expect(await search(backer.fullName ?? "")).toContain(payout.id);
  expect(await search("nobody of that name")).toEqual([]);
  // Its amount fits the run of one, but the reference says which line it was.
  const { id } = await debitOf(payout);
  await matchSureLines(deps);
  expect(await matchesOf(id)).toMatchObject([{ rule: "payout_reference" }]);
  expect(await matchesOf(debit.id)).toEqual([]);
  expect(await search(payout.reference)).toEqual([]);
});
