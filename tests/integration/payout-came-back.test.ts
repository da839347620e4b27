import { and, desc, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payeeAccounts, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { findCandidates } from "#server/features/bank/matching/candidates/find-candidates.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import type { PayeeAccount } from "#server/features/payouts/payee-accounts/service.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { payoutLineTexts as texts, wallLimits, wallTexts } from "#shared/bank/texts.ts";
import { startOfDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { expectMoneyHolds, sumIn } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { matchByTwo, twoAgree, undoByTwo } from "#tests/support/second-person.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** Payouts that came back: less charges, to the same account or another, twice, and not at all. */

const deps = await openTestDeps();
const naira = (amount: number): Kobo => BigInt(Math.round(amount * 100));
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;
let second: Caller;
let account: OwnAccount;
let today: string;
let backer: TestUser;
let payee: PayeeAccount;
let payout: Payout;
let runId: number;

/** Sends a refund by a run, and matches the debit by which it left. */
startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  owner = await callAs(deps, amaka);
  second = await callAs(deps, bola);
  today = deps.clock.now().toISOString().slice(0, 10);
  const project = await createProject(deps.db, { fundingGoalKobo: naira(500_000) });
  const owed = await oweRefund(deps, { owner: amaka, project });
  backer = owed.backer;
  payee = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
  const due = await findPayout(deps, owed.payouts[0]?.id ?? 0);
  account = await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(9_000_000) });
  const by = { ownAccount: account, owner: amaka, second: bola };
  runId = await keepRun(deps, [{ payout: due, account: payee }], by);
  payout = await findPayout(deps, due.id);
  await leave(payout);
});
afterEach(() => expectMoneyHolds(deps));

const line = (amountKobo: Kobo, narration: string, reference: string | null = null) =>
  keepLine(deps, account, { date: today, amountKobo, narration, reference });

type Sent = { id: number; reference: string; amountKobo: Kobo };
async function leave({ reference, amountKobo }: Sent) {
  const debit = await line(-amountKobo, `NIP TRF/${reference}`, reference);
  await matchSureLines(deps);
  return debit;
}
const returned = ({ id: payoutId, amountKobo }: Sent, given = {}) => ({
  kind: "returned" as const,
  amountKobo,
  payoutId,
  ...given,
});
type Part = ReturnType<typeof returned>;
const match = (lineId: number, part: Part) => owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
/** Matches a line by which the payout came back. */
async function comeBack(payout: Sent, given: Partial<Part> & { isAccountWrong?: boolean; reason?: string } = {}) {
  const part = returned(payout, given);
  const credit = await line(part.amountKobo, `RTN/${payout.reference}`, payout.reference);
  await match(credit.id, part);
  return { credit, matchId: (await matchOf(credit.id))?.id ?? 0 };
}
const matchOf = async (lineId: number) =>
  (
    await deps.db
      .select()
      .from(lineMatches)
      .where(and(eq(lineMatches.lineId, lineId), isNull(lineMatches.undoneAt)))
  )[0];
const nextOf = async ({ id }: Sent) =>
  (await deps.db.select().from(payouts).where(eq(payouts.replacesId, id)).orderBy(desc(payouts.id)))[0];
const sumOn = (name: "bank_charges" | "payouts_in_transit" | "receivable") => sumIn(deps.db, name);
const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
const candidatesOf = async (id: number) => {
  const found = await deps.db.select().from(statementLines).where(eq(statementLines.id, id));
  return (await findCandidates(deps.db, found)).get(id) ?? [];
};
const bookSecond = (lineId: number, { id: payoutId, amountKobo }: Sent) =>
  twoAgree(owner, second, {
    kind: "book_loss",
    details: { lineId, payoutId, amountKobo: String(amountKobo) },
    reason: "The file was uploaded twice.",
  });

describe("₦500,000 sent and ₦499,946.25 back", () => {
  test("is suggested in figures, and the ₦53.75 are charges; the payout fails and all of it is owed again", async () => {
    const credit = await line(naira(499_946.25), `RTN/${payout.reference}`, payout.reference);
    const part = returned(payout, { amountKobo: naira(499_946.25) });
    expect(await candidatesOf(credit.id)).toMatchObject([
      { rule: "came_back", isSure: false, part, why: texts.cameBackShort(part.amountKobo, payout.amountKobo) },
    ]);
    await match(credit.id, part);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await nextOf(payout)).toMatchObject({ amountKobo: payout.amountKobo });
    expect(await sumOn("bank_charges")).toBe(naira(53.75));
    expect(await sumOn("payouts_in_transit")).toBe(0n);
  });

  test("takes two people over ₦1,000 on a line, and over ₦20,000 in 30 days with other charges", async () => {
    const credit = await line(naira(498_999.99), `RTN/${payout.reference}`, payout.reference);
    const part = returned(payout, { amountKobo: naira(498_999.99) });
    await expect(match(credit.id, part)).rejects.toThrow(wallTexts.chargesOfLine);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
    for (let charge = 0; charge < 20; charge += 1) {
      const debit = await line(-wallLimits.chargesOfLineKobo, "NIP CHARGES");
      const amountKobo = wallLimits.chargesOfLineKobo;
      await owner.bank.match({ lineId: debit.id, seenMatchedKobo: 0n, parts: [{ kind: "bank_charges", amountKobo }] });
    }
    const less = await line(payout.amountKobo - 1n, `RTN/${payout.reference}`, payout.reference);
    await expect(match(less.id, returned(payout, { amountKobo: payout.amountKobo - 1n }))).rejects.toThrow(
      wallTexts.chargesTogether(wallLimits.chargesKobo + 1n),
    );
    await owner.secondPerson.ask({
      kind: "match_line",
      details: { lineId: credit.id, seenMatchedKobo: "0", parts: [{ ...part, amountKobo: String(part.amountKobo) }] },
      reason: "The bank kept it for the recall of the transfer.",
    });
    const [asked] = (await second.secondPerson.list()).requests;
    expect(asked?.consequences.join(" ")).toContain(texts.cameBackLess(part.amountKobo, payout.amountKobo));
    await second.secondPerson.confirm({ requestId: asked?.id ?? 0 });
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await sumOn("bank_charges")).toBe(wallLimits.chargesKobo + naira(1_000.01));
  });

  test("and no more than was sent can come back", async () => {
    const credit = await line(payout.amountKobo + 1n, `RTN/${payout.reference}`, payout.reference);
    await expect(match(credit.id, returned(payout, { amountKobo: payout.amountKobo + 1n }))).rejects.toThrow(
      payoutTexts.moreThanSent(payout.amountKobo),
    );
  });
});

describe("the account", () => {
  test("stays in use unless the bank named it wrong: the sum is due again at once, and its payee need do nothing", async () => {
    await comeBack(payout, { reason: "bank not available" });
    expect(await nextOf(payout)).toMatchObject({ state: "due" });
    const subject = `Money came back: ${formatNaira(payout.amountKobo)}, we send it again`;
    expect(await subjectsTo(backer)).toContain(subject);
    expect((await (await callAs(deps, backer)).payeeAccounts.mine()).account).not.toBeNull();
  });

  test("isn't used any more where it did", async () => {
    await comeBack(payout, { reason: "name differs", isAccountWrong: true });
    expect(await nextOf(payout)).toMatchObject({ state: "waiting" });
    const subject = `Money came back: ${formatNaira(payout.amountKobo)}, please check the account`;
    expect(await subjectsTo(backer)).toContain(subject);
  });
});

describe("that it came back is undone", () => {
  test("by two while its replacement is due: it is paid as before, the money unexplained, and its payee reads it", async () => {
    const { credit, matchId } = await comeBack(payout, { amountKobo: payout.amountKobo - 53_75n });
    await expect(owner.bank.undo({ matchId, reason: "Another's money" })).rejects.toThrow(texts.cameBackUndone);
    const next = await nextOf(payout);
    await owner.secondPerson.ask({ kind: "undo_match", details: { matchId }, reason: "It was the money of a buyer." });
    const [asked] = (await second.secondPerson.list()).requests;
    expect(asked?.consequences).toContain(texts.undoneReturn(next?.reference ?? ""));
    await second.secondPerson.confirm({ requestId: asked?.id ?? 0 });
    expect(await findPayout(deps, payout.id)).toMatchObject({
      state: "paid",
      paidAt: startOfDay(today),
      failedAt: null,
      failedReason: null,
    });
    expect(await nextOf(payout)).toMatchObject({ id: next?.id, state: "cancelled" });
    expect(await matchOf(credit.id)).toBeUndefined();
    expect([await sumOn("bank_charges"), await sumOn("payouts_in_transit")]).toEqual([0n, 0n]);
    expect(await subjectsTo(backer)).toContain(`It didn't come back after all: ${formatNaira(payout.amountKobo)}`);
    const [run] = await deps.db.select().from(payoutRuns).where(eq(payoutRuns.id, runId));
    expect(run?.state).toBe("closed");
  });

  test("while it waits too, and the account is used again unless another was given; then it may come back again", async () => {
    const { matchId } = await comeBack(payout, { isAccountWrong: true });
    await undoByTwo({ asks: owner, confirms: second }, matchId);
    const [current] = await deps.db
      .select()
      .from(payeeAccounts)
      .where(and(eq(payeeAccounts.userId, backer.id), isNull(payeeAccounts.replacedAt)));
    expect(current?.id).toBe(payee.id);
    await comeBack(payout, { isAccountWrong: true, reason: "name differs" });
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed", failedReason: "name differs" });
    expect(await nextOf(payout)).toMatchObject({ state: "waiting" });
    const subjects = await subjectsTo(backer);
    expect(subjects.filter((subject) => subject.startsWith("Money came back"))).toHaveLength(2);
  });

  test("to sent, where no line shows it leaving: its run waits for the line again", async () => {
    const { matchId } = await comeBack(payout);
    const [debit] = await deps.db.select().from(lineMatches).where(eq(lineMatches.kind, "payout"));
    await owner.bank.undo({ matchId: debit?.id ?? 0, reason: "Another's transfer" });
    await undoByTwo({ asks: owner, confirms: second }, matchId);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "sent", paidAt: null });
    const [run] = await deps.db.select().from(payoutRuns).where(eq(payoutRuns.id, runId));
    expect(run?.state).toBe("exported");
  });

  test("no more once the replacement is in a run: nothing changes", async () => {
    const { credit, matchId } = await comeBack(payout);
    const next = await nextOf(payout);
    if (!next) throw new Error("nothing took its place");
    const by = { ownAccount: account, owner: amaka, second: bola };
    await keepRun(deps, [{ payout: next, account: payee }], { ...by, isExported: false });
    await expect(undoByTwo({ asks: owner, confirms: second }, matchId)).rejects.toThrow(payoutTexts.replacedSince);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await findPayout(deps, next.id)).toMatchObject({ state: "in_run" });
    expect(await matchOf(credit.id)).toMatchObject({ id: matchId });
  });

  test("of one that two had declared failed, it stays failed", async () => {
    const [debit] = await deps.db.select().from(lineMatches).where(eq(lineMatches.kind, "payout"));
    await owner.bank.undo({ matchId: debit?.id ?? 0, reason: "Another's transfer" });
    const operator = { kind: "operator" as const, amountKobo: payout.amountKobo, reason: "A transfer of our own" };
    const both = { asks: owner, confirms: second };
    await matchByTwo(both, { lineId: debit?.lineId ?? 0, seenMatchedKobo: 0n, parts: [operator] });
    const refused = { runId: payout.runId ?? 0, payoutIds: [payout.id] };
    await twoAgree(owner, second, { kind: "refuse_payouts", details: refused, reason: "The bank refused the file." });
    const { matchId } = await comeBack(payout);
    const next = await nextOf(payout);
    await undoByTwo({ asks: owner, confirms: second }, matchId);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect(await nextOf(payout)).toMatchObject({ id: next?.id, state: "due" });
  });
});

describe("A file that was uploaded twice", () => {
  test("and both transfers came back: the first return clears what was paid twice, the second one fails the payout", async () => {
    const again = await leave(payout);
    await bookSecond(again.id, payout);
    expect([await sumOn("receivable"), await sumOn("payouts_in_transit")]).toEqual([payout.amountKobo, 0n]);
    const credit = await line(payout.amountKobo, `RTN/${payout.reference}`, payout.reference);
    expect((await candidatesOf(credit.id))[0]).toMatchObject({ why: texts.givesSecondBack });
    await match(credit.id, returned(payout));
    const first = await matchOf(credit.id);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
    expect(await nextOf(payout)).toBeUndefined();
    expect([await sumOn("receivable"), await sumOn("payouts_in_transit")]).toEqual([0n, 0n]);
    const last = await comeBack(payout);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    expect([await sumOn("receivable"), await sumOn("payouts_in_transit")]).toEqual([0n, 0n]);
    await expect(comeBack(payout)).rejects.toThrow(texts.cameBackAlready);
    // Either is undone by two, in any order.
    await undoByTwo({ asks: owner, confirms: second }, first?.id ?? 0);
    expect(await sumOn("receivable")).toBe(payout.amountKobo);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
    await undoByTwo({ asks: owner, confirms: second }, last.matchId);
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
  });

  test("one came back for less: what is missing are charges, and nothing stays receivable", async () => {
    await bookSecond((await leave(payout)).id, payout);
    await comeBack(payout, { amountKobo: payout.amountKobo - 53_75n });
    expect([await sumOn("receivable"), await sumOn("bank_charges")]).toEqual([0n, 53_75n]);
  });

  test("whose second debit is seen after the return: undone, the return clears it, and nobody is paid twice", async () => {
    const { credit, matchId } = await comeBack(payout);
    const again = await leave(payout);
    expect(await candidatesOf(again.id)).toMatchObject([{ why: texts.seenLeaving, isLateDebit: true }]);
    const details = { lineId: again.id, payoutId: payout.id, amountKobo: String(payout.amountKobo) };
    await owner.secondPerson.ask({ kind: "book_loss", details, reason: "The file was uploaded twice." });
    const [asked] = (await second.secondPerson.list()).requests;
    expect(asked?.consequences.at(-1)).toContain("unless it is undone first that the other came back");
    await undoByTwo({ asks: owner, confirms: second }, matchId);
    await second.secondPerson.confirm({ requestId: asked?.id ?? 0 });
    await match(credit.id, returned(payout));
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "paid" });
    expect(await nextOf(payout)).toMatchObject({ state: "cancelled" });
    expect(await sumOn("receivable")).toBe(0n);
  });

  test("or not: the debit was of a line that was voided, and holds nothing up any more", async () => {
    const again = await leave(payout);
    const credit = await line(payout.amountKobo, `RTN/${payout.reference}`, payout.reference);
    expect((await candidatesOf(credit.id))[0]).toMatchObject({ why: texts.secondDebitFirst, part: null });
    await expect(match(credit.id, returned(payout))).rejects.toThrow(texts.secondDebitFirst);
    await twoAgree(owner, second, {
      kind: "void_bank_data",
      details: { what: "line", lineId: again.id },
      reason: "The bank never had this line.",
    });
    await match(credit.id, returned(payout));
    expect(await findPayout(deps, payout.id)).toMatchObject({ state: "failed" });
  });
});

test("a line without reference comes back by two, who read what becomes of the account", async () => {
  const credit = await line(payout.amountKobo, "NIP RVSL ACCOUNT CLOSED");
  const part = returned(payout, { isAccountWrong: true });
  await expect(match(credit.id, part)).rejects.toThrow(wallTexts.cameBackUnnamed(payout.reference));
  await matchByTwo({ asks: owner, confirms: second }, { lineId: credit.id, seenMatchedKobo: 0n, parts: [part] });
  expect(await nextOf(payout)).toMatchObject({ state: "waiting" });
});
