import { and, asc, desc, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { statementLines } from "#server/db/schema/bank.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { payeeAccounts, payoutFiles, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { dayInLagos } from "#shared/dates.ts";
import { payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { letPayoutGoTexts, refusePayoutsTexts } from "#shared/second-person/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";

/** Runs that the bank refuses, wholly or in part, and payouts that owners keep out of runs. */

const deps = await openTestDeps();
const { db } = deps;
const reason = "The bank's portal says: wrong number of columns.";
let maker: TestUser;
let other: TestUser;
let asMaker: Caller;
let asOther: Caller;
let ownAccountId: number;
let run: Awaited<ReturnType<typeof exported>>;

startEachWith(deps, async () => {
  maker = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  other = await createAdmin(db, "owner", { fullName: "Ngozi Ade" });
  asMaker = await callAs(deps, maker);
  asOther = await callAs(deps, other);
  ownAccountId = await keepOwnAccount(db);
  run = await exported();
  return async () => {
    [asMaker, asOther] = [await callAs(deps, maker), await callAs(deps, other)];
  };
});
afterEach(() => expectMoneyHolds(deps));

/** Refunds that are due, each of another sum. */
async function owe(count: number) {
  const owed = [];
  for (let index = 0; index < count; index += 1) {
    const project = await createProject(db, { fundingGoalKobo: 50_000_000n + BigInt(index) * 100_000n });
    const { backer, payouts: made } = await oweRefund(deps, { owner: maker, project });
    await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
    const payout = await findPayout(deps, made[0]?.id ?? 0);
    owed.push({ backer, payout });
  }
  return owed;
}
async function exported(count = 3) {
  const owed = await owe(count);
  const payoutIds = owed.map(({ payout }) => payout.id);
  const { runId } = await asMaker.payouts.makeRun({ payoutIds, ownAccountId });
  await asOther.payouts.approveRun({ runId });
  await asMaker.payouts.exportRun({ runId, profile: "generic" });
  return { owed, payoutIds, runId };
}
const askRefused = (runId: number, payoutIds: number[]) =>
  asMaker.secondPerson.ask({ kind: "refuse_payouts", details: { runId, payoutIds }, reason });
async function confirm() {
  const [request] = (await asOther.secondPerson.list()).requests;
  if (!request) throw new Error("nothing was asked");
  await asOther.secondPerson.confirm({ requestId: request.id });
}
const refuse = async (runId: number, payoutIds: number[]) => {
  await askRefused(runId, payoutIds);
  await confirm();
};
const successors = () => db.select().from(payouts).where(eq(payouts.state, "due")).orderBy(asc(payouts.id));
const stateOf = async (id: number) => (await findPayout(deps, id)).state;
const runState = async (runId: number) =>
  (await db.select().from(payoutRuns).where(eq(payoutRuns.id, runId)))[0]?.state;
const lastAudit = async () => (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0];
const debit = async (kobo: bigint, narration = "BULK TRANSFER") => {
  deps.clock.advance({ minutes: 5 });
  const file = csvOf({ openingKobo: 10_000_000_000n, truths: [line(dayInLagos(deps.clock.now()), -kobo, narration)] });
  await importAs(deps, maker, { accountId: ownAccountId, file });
  await matchSureLines(deps);
};

describe("a file that the bank refused", () => {
  test("makes its payouts due again by two people, keeps accounts and promises, and mails nobody that money came back", async () => {
    const { owed, payoutIds, runId } = run;
    await askRefused(runId, payoutIds);
    expect((await asOther.secondPerson.list()).requests).toMatchObject([
      { title: `The bank refused the whole file of payment run ${runId}: ₦1,503,000`, isPossible: true },
    ]);
    expect(await stateOf(payoutIds[0] ?? 0)).toBe("sent");
    await confirm();
    const again = await successors();
    expect(again.map(({ replacesId }) => replacesId)).toEqual(payoutIds);
    for (const [index, { payout, backer }] of owed.entries()) {
      const { dueAt, promisedBy } = payout;
      expect(again[index]).toMatchObject({ dueAt, promisedBy, amountKobo: payout.amountKobo });
      expect(again[index]?.reference).not.toBe(payout.reference);
      const isUsed = and(eq(payeeAccounts.userId, backer.id), isNull(payeeAccounts.replacedAt));
      expect(await db.$count(payeeAccounts, isUsed)).toBe(1);
      const mails = (await queuedMailsTo(db, backer.email)).map(({ subject }) => subject);
      expect(mails.filter((subject) => /came back|paid/i.test(subject))).toEqual([]);
    }
    expect(await db.$count(notifications, eq(notifications.title, "Money came back"))).toBe(0);
    expect(await runState(runId)).toBe("closed");
    const [first] = await db.select().from(auditLogs).where(eq(auditLogs.actionType, "refuse_payouts"));
    expect(first).toMatchObject({ userId: other.id, details: { runId, payouts: 3, reason } });
    const backer = owed[0]?.backer;
    const mine = await (await callAs(deps, backer ?? maker)).payeeAccounts.mine();
    expect(mine.payouts).toMatchObject([
      { state: "due", failedBefore: { isRefused: true, returnedFor: null } },
      { state: "failed", isRefused: true, returnedFor: null },
    ]);
    // They can be put into another run at once.
    const next = await asMaker.payouts.makeRun({ payoutIds: again.map(({ id }) => id), ownAccountId });
    await asOther.payouts.approveRun({ runId: next.runId });
  });

  test("lets the rest of the run leave by one debit, where a few were refused", async () => {
    const { owed, payoutIds, runId } = await exported(4);
    const [refused = 0] = payoutIds;
    await refuse(runId, [refused]);
    expect(await runState(runId)).toBe("exported");
    const rest = owed.slice(1).reduce((sum, { payout }) => sum + payout.amountKobo, 0n);
    await debit(rest);
    expect(await Promise.all(payoutIds.map(stateOf))).toEqual(["failed", "paid", "paid", "paid"]);
    expect(await runState(runId)).toBe("closed");
  });

  test("can't be what a debit may have taken, nor what was seen leaving, nor of another run", async () => {
    const { owed, payoutIds, runId } = run;
    const one = await exported(1);
    await expect(askRefused(runId, one.payoutIds)).rejects.toThrow(refusePayoutsTexts.notOfRun);
    const [first] = owed;
    await asMaker.payouts.markPaid({ payoutId: first?.payout.id ?? 0, sessionId: "1".repeat(30), reason });
    await expect(askRefused(runId, payoutIds)).rejects.toThrow(
      refusePayoutsTexts.notSent(first?.payout.reference ?? ""),
    );
    // Named, but not its sum: a person has to look at it.
    await debit(700n, `NIP ${owed[1]?.payout.reference}`);
    await expect(askRefused(runId, payoutIds.slice(1))).rejects.toThrow("Match it first.");
    expect(await db.$count(payouts, eq(payouts.state, "failed"))).toBe(0);
    // The bank never had it: a line that two void hinders nothing.
    const [named] = await db.select().from(statementLines).where(eq(statementLines.amountKobo, -700n));
    const details = { what: "line" as const, lineId: named?.id ?? 0 };
    await asMaker.secondPerson.ask({ kind: "void_bank_data", details, reason });
    await confirm();
    await askRefused(runId, payoutIds.slice(1));
  });

  test("isn't said by one person, nor by a manager, and a request that came too late does nothing", async () => {
    const { payoutIds, runId } = run;
    await askRefused(runId, payoutIds);
    const [request] = (await asMaker.secondPerson.list()).requests;
    await expect(asMaker.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const manager = await callAs(deps, await createAdmin(db, "manager"));
    await expect(
      manager.secondPerson.ask({ kind: "refuse_payouts", details: { runId, payoutIds }, reason }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    const sent = await db.select().from(payouts).where(eq(payouts.state, "sent"));
    await debit(sent.reduce((sum, { amountKobo }) => sum + amountKobo, 0n));
    await expect(asOther.secondPerson.confirm({ requestId: request?.id ?? 0 })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await Promise.all(payoutIds.map(stateOf))).toEqual(["paid", "paid", "paid"]);
  });
});

describe("a run in another layout", () => {
  test("is another file of the same lines, kept and hashed, and the other owners are told", async () => {
    const { runId } = run;
    const before = await asMaker.payouts.run({ runId });
    expect(await asMaker.payouts.addRunLayout({ runId, profile: "compact" })).toEqual({ layout: 2 });
    const after = await asMaker.payouts.run({ runId });
    expect(after.linesSha256).toBe(before.linesSha256);
    expect(after.files.slice(0, 2)).toEqual(before.files);
    expect(after.files.map(({ layout, format }) => [layout, format])).toEqual([
      [1, "csv"],
      [1, "xlsx"],
      [2, "csv"],
      [2, "xlsx"],
    ]);
    const [first, second] = await db
      .select()
      .from(payoutFiles)
      .where(and(eq(payoutFiles.runId, runId), eq(payoutFiles.format, "csv")))
      .orderBy(asc(payoutFiles.layout));
    const rowsOf = (bytes?: Buffer) => bytes?.toString("utf8").trim().split("\n").length;
    expect(rowsOf(second?.bytes)).toBe(rowsOf(first?.bytes));
    expect(second?.sha256).not.toBe(first?.sha256);
    expect(await lastAudit()).toMatchObject({ actionType: "add_run_layout", details: { runId, layout: 2 } });
    expect((await queuedMailsTo(db, other.email)).at(-1)?.subject).toContain("has a file in another layout");
    // The same columns again are the same file.
    expect(await asMaker.payouts.addRunLayout({ runId, profile: "generic" })).toEqual({ layout: 1 });
    expect(await db.$count(payoutFiles, eq(payoutFiles.runId, runId))).toBe(4);
  });

  test("isn't made before the export, nor once one of its payouts is due again", async () => {
    const draft = await owe(1);
    const made = await asMaker.payouts.makeRun({ payoutIds: draft.map(({ payout }) => payout.id), ownAccountId });
    await expect(asMaker.payouts.addRunLayout({ runId: made.runId, profile: "compact" })).rejects.toThrow(
      payoutRunTexts.notForLayout,
    );
    const { payoutIds, runId } = run;
    await refuse(runId, payoutIds.slice(0, 1));
    await expect(asMaker.payouts.addRunLayout({ runId, profile: "compact" })).rejects.toThrow(
      payoutRunTexts.layoutTooLate,
    );
    expect(await db.$count(payoutFiles, eq(payoutFiles.runId, runId))).toBe(2);
  });
});

describe("a payout that is withheld", () => {
  test("goes into no run until a second person lets it go; the other owners and its payee know", async () => {
    const [owed] = await owe(1);
    const { id, reference } = owed?.payout ?? { id: 0, reference: "" };
    await asMaker.payouts.withhold({ payoutId: id, reason });
    expect(await lastAudit()).toMatchObject({ actionType: "withhold_payout", details: { payoutId: id, reason } });
    expect((await queuedMailsTo(db, other.email)).at(-1)?.subject).toBe("A payout is withheld: ₦500,000");
    expect(await asOther.payouts.due()).toMatchObject({
      payouts: [{ id, hindrance: "withheld", withheldReason: reason }],
    });
    const make = () => asMaker.payouts.makeRun({ payoutIds: [id], ownAccountId });
    await expect(make()).rejects.toThrow(payoutRunTexts.withheld(reference));
    await expect(asMaker.payouts.withhold({ payoutId: id, reason })).rejects.toThrow(payoutRunTexts.withheldAlready);
    const backer = await callAs(deps, owed?.backer ?? maker);
    expect((await backer.payeeAccounts.mine()).payouts).toMatchObject([{ state: "due", isWithheld: true }]);

    await asMaker.secondPerson.ask({ kind: "let_payout_go", details: { payoutId: id }, reason });
    await expect(make()).rejects.toThrow(payoutRunTexts.withheld(reference));
    await confirm();
    expect((await backer.payeeAccounts.mine()).payouts).toMatchObject([{ state: "due", isWithheld: false }]);

    // Each time it is withheld they hear of it, also within the same moment.
    await asMaker.payouts.withhold({ payoutId: id, reason });
    const told = (await queuedMailsTo(db, other.email)).filter(({ subject }) =>
      subject.startsWith("A payout is withheld"),
    );
    expect(told).toHaveLength(2);
    await asMaker.secondPerson.ask({ kind: "let_payout_go", details: { payoutId: id }, reason });
    await confirm();
    await make();
    await expect(asMaker.payouts.withhold({ payoutId: id, reason })).rejects.toThrow(payoutRunTexts.withholdable);
    await expect(
      asMaker.secondPerson.ask({ kind: "let_payout_go", details: { payoutId: id }, reason }),
    ).rejects.toThrow(letPayoutGoTexts.notWithheld);
  });
});
