import { and, count, desc, eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { payoutFiles, payoutRunLines, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { settings } from "#server/db/schema/settings.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { readPayoutFile } from "#server/features/payouts/runs/export.ts";
import { isNumberUnusual } from "#shared/bank/nigerian-banks.ts";
import { dayInLagos, formatDate } from "#shared/dates.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { payoutLimits, payoutTexts } from "#shared/payouts/texts.ts";
import { failPayoutTexts, secondPersonTexts } from "#shared/second-person/texts.ts";
import { maxTransferKey } from "#shared/settings/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { findPayout, giveAccount, lastPayout, linesHash, oweRefund } from "#tests/support/payouts.ts";
import { blockUser, type Caller, callAs, createAdmin, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

const deps = await openTestDeps();
const { db } = deps;
const reason = "The bank portal takes no file today.";
const denied = "Admin privileges required";
let maker: TestUser;
let other: TestUser;
let asMaker: Caller;
let asOther: Caller;
let ownAccountId: number;
let draft: Run;
let approved: Run;
let exported: Run;

startEachWith(deps, async () => {
  maker = await createAdmin(db, "owner", { fullName: "Chidi Eze" });
  other = await createAdmin(db, "owner", { fullName: "Ngozi Ade" });
  ownAccountId = await keepOwnAccount(db);
  await begin();
  [draft, approved, exported] = [await makeDraft(), await makeApproved(), await makeExported()];
  return begin;
});
/** Sessions that begin now. */
async function begin() {
  [asMaker, asOther] = [await callAs(deps, maker), await callAs(deps, other)];
}
afterEach(() => expectMoneyHolds(deps));

/** A refund that is due, of a backer whose account may be paid to. */
async function oweDue(values: { goalKobo?: bigint; accountName?: string } = {}) {
  const project = await createProject(db, values.goalKobo ? { fundingGoalKobo: values.goalKobo } : {});
  const owed = await oweRefund(deps, { owner: maker, project });
  const { accountName } = values;
  const account = await giveAccount(
    deps,
    { userId: owed.backer.id },
    { addedBy: owed.backer.id, ...(accountName && { accountName }) },
  );
  return { ...owed, account, payoutIds: owed.payouts.map(({ id }) => id) };
}
async function makeDraft(values: Parameters<typeof oweDue>[0] = {}) {
  const owed = await oweDue(values);
  const { runId } = await asMaker.payouts.makeRun({ payoutIds: owed.payoutIds, ownAccountId });
  return { ...owed, runId };
}
type Run = Awaited<ReturnType<typeof makeDraft>>;
async function makeApproved(values: Parameters<typeof oweDue>[0] = {}) {
  const run = await makeDraft(values);
  await asOther.payouts.approveRun({ runId: run.runId });
  return run;
}
async function makeExported(values: Parameters<typeof oweDue>[0] = {}) {
  const run = await makeApproved(values);
  await asMaker.payouts.exportRun({ runId: run.runId, profile: "generic" });
  return run;
}

const lastAudit = async () => (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0];
const runOf = async (runId: number) => (await db.select().from(payoutRuns).where(eq(payoutRuns.id, runId)))[0];
const statesOf = async (ids: number[]) =>
  (await db.select().from(payouts).orderBy(payouts.id)).filter(({ id }) => ids.includes(id)).map(({ state }) => state);
const state = async () => [
  await db.select().from(payouts).orderBy(payouts.id),
  await db.select().from(payoutRuns).orderBy(payoutRuns.id),
  await db.select({ lines: count() }).from(payoutRunLines),
  await db.select({ files: count() }).from(payoutFiles),
  await db.select({ posted: count() }).from(ledgerTransactions),
  await db.select({ audited: count() }).from(auditLogs),
];
async function expectRefused(call: () => Promise<unknown>, message: string): Promise<void> {
  const before = await state();
  await expect(call()).rejects.toThrow(message);
  expect(await state()).toEqual(before);
}

describe("a run", () => {
  test("takes what is due to the accounts of now, is hashed, audited, and the other owners are told", async () => {
    const owed = await oweDue({ accountName: "Amina Bello" });
    const { runId } = await asMaker.payouts.makeRun({ payoutIds: owed.payoutIds, ownAccountId });
    const [payout] = await db
      .select()
      .from(payouts)
      .where(eq(payouts.id, owed.payoutIds[0] ?? 0));
    expect(payout).toMatchObject({ state: "in_run", runId });
    const hash = linesHash([
      [payout?.reference ?? "", `${payout?.amountKobo}`, "044", owed.account.accountNumber, "Amina Bello"],
    ]);
    expect(await runOf(runId)).toMatchObject({
      state: "draft",
      payouts: 1,
      totalKobo: payout?.amountKobo,
      linesSha256: hash,
      madeBy: maker.id,
    });
    expect(await lastAudit()).toMatchObject({
      actionType: "make_payout_run",
      userId: maker.id,
      details: { runId, payouts: 1, linesSha256: hash, payoutIds: owed.payoutIds },
    });
    const mails = (await queuedMailsTo(db, other.email)).map(({ subject }) => subject);
    expect(mails.at(-1)).toBe(`A payment run waits for approval: Payment run ${runId}: ₦500,000 in 1 payout`);
    expect((await queuedMailsTo(db, maker.email)).filter(({ subject }) => subject.includes("waits"))).toEqual([]);
    const { accountNumber } = owed.account;
    expect(await asOther.payouts.run({ runId })).toMatchObject({
      canApprove: true,
      lines: [{ id: payout?.id, account: { accountNumber, isNumberUnusual: isNumberUnusual(owed.account) } }],
    });
    expect(await asMaker.payouts.run({ runId })).toMatchObject({ canApprove: false, canVoid: true, isMaker: true });
  });

  test("takes nothing that isn't due, rests, is in a run, or is of a blocked person", async () => {
    const owed = await oweDue();
    const waiting = await oweRefund(deps, { owner: maker });
    const resting = await oweRefund(deps, { owner: maker });
    await giveAccount(deps, { userId: resting.backer.id }, { addedBy: resting.backer.id, rests: true });
    const make = (ids: number[], own = ownAccountId) => asMaker.payouts.makeRun({ payoutIds: ids, ownAccountId: own });
    const restingPayout = resting.payouts[0];
    await expectRefused(() => make([...owed.payoutIds, waiting.payouts[0]?.id ?? 0]), texts.notDue);
    await expectRefused(() => make([...owed.payoutIds, 999_999_999]), texts.notDue);
    await expectRefused(() => make([...owed.payoutIds, ...owed.payoutIds]), texts.notDue);
    await expectRefused(
      () => make([...owed.payoutIds, restingPayout?.id ?? 0]),
      texts.rests(restingPayout?.reference ?? "", "23 Nov 2026, 10:00 WAT"),
    );
    await expectRefused(() => make([]), texts.noneChosen);
    await expectRefused(() => make(Array.from({ length: 1001 }, (_, index) => index + 1)), texts.tooMany);
    await expectRefused(() => make(owed.payoutIds, 999_999), texts.ownAccountGone);
    await blockUser(db, owed.backer.id);
    await expectRefused(
      () => make(owed.payoutIds),
      texts.blocked(owed.payouts[0]?.reference ?? "", owed.backer.fullName),
    );
    await db.update(users).set({ isBlocked: false }).where(eq(users.id, owed.backer.id));
    await make(owed.payoutIds);
    await expectRefused(() => make(owed.payoutIds), texts.notDue);
    deps.clock.advance({ hours: 48 });
    asMaker = await callAs(deps, maker);
    await make([restingPayout?.id ?? 0]);
  });
});

describe("approving", () => {
  test("is another owner's, who is audited; the maker is told, and refused as their own second", async () => {
    const { runId } = draft;
    await expectRefused(() => asMaker.payouts.approveRun({ runId }), secondPersonTexts.needsAnother);
    await expectRefused(
      () => asMaker.payouts.approveRun({ runId, reason, currentPassword: maker.password }),
      secondPersonTexts.needsAnother,
    );
    await asOther.payouts.approveRun({ runId });
    expect(await runOf(runId)).toMatchObject({ state: "approved", approvedBy: other.id, aloneReason: null });
    expect(await lastAudit()).toMatchObject({
      actionType: "approve_payout_run",
      userId: other.id,
      details: { runId, madeBy: maker.id, isAlone: false },
    });
    expect((await queuedMailsTo(db, maker.email)).at(-1)?.subject).toContain("Your payment run was approved");
    await expectRefused(() => asOther.payouts.approveRun({ runId }), texts.notDraft);
    await expectRefused(() => asOther.payouts.approveRun({ runId: 999_999 }), texts.gone);
  });

  test("is refused once an account of it was changed, and so is the export", async () => {
    for (const { backer } of [draft, approved]) {
      await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, accountName: "Somebody Else" });
    }
    const changed = ({ payouts: [payout] }: typeof draft) => texts.accountChanged(payout?.reference ?? "");
    await expectRefused(() => asOther.payouts.approveRun({ runId: draft.runId }), changed(draft));
    await expectRefused(
      () => asOther.payouts.exportRun({ runId: approved.runId, profile: "generic" }),
      changed(approved),
    );
    await asMaker.payouts.voidRun({ runId: draft.runId, reason });
    await asMaker.payouts.voidRun({ runId: approved.runId, reason });
    expect(await statesOf([...draft.payoutIds, ...approved.payoutIds])).toEqual(["due", "due"]);
  });

  test("of a site's only owner takes the second factor and a written reason", async () => {
    await dismissAdmins(db, other.id);
    const { runId } = draft;
    const alone = { runId, reason, currentPassword: maker.password };
    expect(await asMaker.payouts.run({ runId })).toMatchObject({ canApprove: true, isMaker: true });
    await expectRefused(() => asMaker.payouts.approveRun(alone), secondPersonTexts.needsFactor);
    const { secret } = await enrol(deps, maker);
    asMaker = await callAs(deps, maker);
    const code = codeAt(secret, deps.clock.now());
    await expectRefused(
      () => asMaker.payouts.approveRun({ runId, currentPassword: maker.password, code }),
      texts.needsReason,
    );
    await expectRefused(
      () => asMaker.payouts.approveRun({ ...alone, code, reason: "Short." }),
      secondPersonTexts.reasonTooShort,
    );
    await asMaker.payouts.approveRun({ ...alone, code });
    expect(await runOf(runId)).toMatchObject({ approvedBy: maker.id, aloneReason: reason });
    expect(await lastAudit()).toMatchObject({ actionType: "approve_payout_run", details: { isAlone: true, reason } });
  });
});

test("a run is approved by nobody alone whose colleague left within a week, nor by who is an owner since today", async () => {
  const { secret } = await enrol(deps, other);
  asOther = await callAs(deps, other);
  const { payoutIds } = await oweDue();
  const { runId } = await asOther.payouts.makeRun({ payoutIds, ownAccountId });
  await asOther.admins.deactivate({ userId: maker.id });
  deps.clock.advance({ seconds: 30 });
  const code = codeAt(secret, deps.clock.now());
  const alone = () => asOther.payouts.approveRun({ runId, reason, currentPassword: other.password, code });
  await expectRefused(alone, "Another owner was here within the last 7 days.");
  expect(await asOther.payouts.run({ runId })).toMatchObject({ canApprove: false });
  await asOther.admins.reactivate({ userId: maker.id });
  asMaker = await callAs(deps, maker);
  await expectRefused(() => asMaker.payouts.approveRun({ runId }), "counts as a second person: you do from");
  deps.clock.advance({ hours: 72 });
  asMaker = await callAs(deps, maker);
  await asMaker.payouts.approveRun({ runId });
  expect(await runOf(runId)).toMatchObject({ state: "approved", approvedBy: maker.id });
});

test("every owner is mailed with sum and hash when a run is approved, also who had no part in it", async () => {
  const third = await createAdmin(db, "owner", { fullName: "Bola Ade" });
  const { runId } = draft;
  await asOther.payouts.approveRun({ runId });
  const run = await runOf(runId);
  for (const { email } of [maker, other, third]) {
    const mails = (await queuedMailsTo(db, email)).filter(({ subject }) => subject.includes(`run ${runId}:`));
    const told = mails.filter(({ subject }) => subject.includes("was approved"));
    expect(told).toHaveLength(1);
    expect(told[0]?.text.replace(/\s/g, "")).toContain(run?.linesSha256);
  }
});

test("a run that pays an owner is approved by another, and they may make it", async () => {
  const owed = await oweRefund(deps, { owner: maker, backer: other });
  await giveAccount(deps, { userId: other.id }, { addedBy: other.id });
  const payoutIds = owed.payouts.map(({ id }) => id);
  const { runId } = await asMaker.payouts.makeRun({ payoutIds, ownAccountId });
  await expectRefused(() => asOther.payouts.approveRun({ runId }), texts.ownMoney);
  expect(await asOther.payouts.run({ runId })).toMatchObject({ canApprove: false, approveRefusal: texts.ownMoney });
});

test("a run that waits for seven days, or whose maker is no owner any more, is approved by nobody", async () => {
  const { runId } = draft;
  const isMakers = and(eq(userRoles.userId, maker.id), eq(userRoles.role, "owner"));
  await db.delete(userRoles).where(isMakers);
  await expectRefused(() => asOther.payouts.approveRun({ runId }), texts.makerGone);
  expect(await asOther.payouts.run({ runId })).toMatchObject({ stale: "makerGone", canApprove: false, canVoid: true });
  const gone = await asOther.payouts.overview();
  await db.insert(userRoles).values({ userId: maker.id, role: "owner" });
  expect(await asOther.payouts.run({ runId })).toMatchObject({ stale: null, canApprove: true });
  const waiting = await asOther.payouts.overview();
  expect(waiting.runsToApprove).toBeGreaterThanOrEqual(1);
  deps.clock.advance({ hours: 7 * 24 });
  const later = await callAs(deps, other);
  await expectRefused(() => later.payouts.approveRun({ runId }), texts.waitedTooLong);
  const { runs } = await later.payouts.runs({});
  expect(runs.find(({ id }) => id === runId)).toMatchObject({ state: "draft", stale: "waitedTooLong" });
  // None of the drafts waits for an approval then.
  const drafts = waiting.runsToApprove + waiting.runsToVoid;
  expect(await later.payouts.overview()).toMatchObject({ runsToApprove: 0, runsToVoid: drafts });
  expect(gone.runsToApprove + gone.runsToVoid).toBe(drafts);
  expect(gone.runsToVoid).toBeGreaterThan(waiting.runsToVoid);
});

describe("declaring a run void", () => {
  test("makes its payouts due as they were promised, with a reason that is audited", async () => {
    for (const { runId, payouts: made } of [draft, approved]) {
      const before = await findPayout(deps, made[0]?.id ?? 0);
      await expectRefused(() => asOther.payouts.voidRun({ runId, reason: "No." }), secondPersonTexts.reasonTooShort);
      await asOther.payouts.voidRun({ runId, reason });
      const payout = await findPayout(deps, before.id);
      expect(payout).toEqual({ ...before, state: "due", runId: null });
      expect(await lastAudit()).toMatchObject({ actionType: "void_payout_run", details: { runId, reason } });
      expect((await queuedMailsTo(db, maker.email)).at(-1)?.subject).toContain("cancelled");
      await expectRefused(() => asOther.payouts.voidRun({ runId, reason }), texts.isVoid);
      await expectRefused(() => asOther.payouts.approveRun({ runId }), texts.notDraft);
      await expectRefused(() => asOther.payouts.exportRun({ runId, profile: "generic" }), texts.isVoid);
      expect(await asOther.payouts.run({ runId })).toMatchObject({ state: "void", lines: [{ id: payout.id }] });
      await asMaker.payouts.makeRun({ payoutIds: [payout.id], ownAccountId });
    }
  });

  test("is refused once the bank got it", async () => {
    const { runId } = exported;
    await expectRefused(() => asOther.payouts.voidRun({ runId, reason }), texts.isExported);
  });
});

const toldOf = (payoutId: number | undefined) =>
  db
    .select()
    .from(notifications)
    .where(eq(notifications.eventKey, `payout:${payoutId}:sent`));

describe("the export", () => {
  test("makes both files, posts, and is audited with the hashes", async () => {
    const { runId, payoutIds, payouts: made } = approved;
    const { files } = await asMaker.payouts.exportRun({ runId, profile: "generic" });
    expect(files.map(({ format }) => format)).toEqual(["csv", "xlsx"]);
    const stored = await db.select().from(payoutFiles).where(eq(payoutFiles.runId, runId)).orderBy(payoutFiles.format);
    expect(stored.map(({ format, sha256 }) => ({ format, sha256 }))).toEqual(files);
    expect(await runOf(runId)).toMatchObject({ state: "exported", exportedBy: maker.id });
    expect(await statesOf(payoutIds)).toEqual(["sent"]);
    const inTransit = await db
      .select({ amountKobo: ledgerEntries.amountKobo })
      .from(ledgerEntries)
      .where(sql`account = 'payouts_in_transit' and payout_id = ${payoutIds[0]}`);
    expect(inTransit).toEqual([{ amountKobo: -(made[0]?.amountKobo ?? 0n) }]);
    expect(await lastAudit()).toMatchObject({ actionType: "export_payout_run", details: { runId, files } });
    expect(await toldOf(payoutIds[0])).toEqual([]);
  });

  test("tells whom it pays once an owner has a file and says that the bank has it", async () => {
    const { runId, payoutIds, backer, payouts: made } = approved;
    await expectRefused(() => asMaker.payouts.giveRun({ runId }), texts.notToGive);
    await asMaker.payouts.exportRun({ runId, profile: "generic" });
    await expectRefused(() => asMaker.payouts.giveRun({ runId }), texts.notDownloaded);
    const toGive = async () => (await asMaker.payouts.overview()).runsToGive;
    const before = await toGive();
    await readPayoutFile(await contextOf(deps, other), { runId, format: "csv", layout: 1 });
    await Promise.all([asMaker, asOther, asMaker].map((by) => by.payouts.giveRun({ runId })));
    expect(await toldOf(payoutIds[0])).toMatchObject([
      { userId: backer.id, content: expect.stringContaining(made[0]?.reference ?? "") },
    ]);
    expect(await db.$count(auditLogs, sql`action_type = 'give_payout_run' and details->>'runId' = ${`${runId}`}`)).toBe(
      1,
    );
    expect(await asOther.payouts.run({ runId })).toMatchObject({ givenAt: deps.clock.now() });
    expect(await toGive()).toBe(before - 1);
  });

  test("is refused before the approval, and without own columns where they are chosen", async () => {
    await expectRefused(() => asMaker.payouts.exportRun({ runId: draft.runId, profile: "generic" }), texts.notApproved);
    const { runId } = approved;
    await expectRefused(() => asMaker.payouts.exportRun({ runId, profile: "own" }), texts.noOwnColumns);
  });
});

describe("paid by hand", () => {
  const sessionId = "000013261121090000000000000001";

  test("needs the bank's session id and a reason, posts nothing, closes the run, and is told", async () => {
    const { payouts: made, runId, backer } = exported;
    const [sent] = made;
    if (!sent) throw new Error("no payout");
    const paid = { payoutId: sent.id, sessionId, reason: "Seen in the bank's app on Monday." };
    await expectRefused(() => asMaker.payouts.markPaid({ ...paid, sessionId: "123" }), texts.sessionIdInvalid);
    await expectRefused(() => asMaker.payouts.markPaid({ ...paid, reason: "Seen." }), secondPersonTexts.reasonTooShort);
    const manager = await callAs(deps, "manager");
    await expectRefused(() => manager.payouts.markPaid(paid), denied);
    await asMaker.payouts.markPaid(paid);
    expect(await findPayout(deps, sent.id)).toMatchObject({
      state: "paid",
      paidBy: maker.id,
      paidSessionId: sessionId,
    });
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
    expect(await lastAudit()).toMatchObject({
      actionType: "mark_payout_paid",
      details: { payoutId: sent.id, sessionId },
    });
    expect((await queuedMailsTo(db, backer.email)).at(-1)?.subject).toBe("Paid: ₦500,000");
    const posted = await db.select().from(ledgerTransactions).where(eq(ledgerTransactions.payoutId, sent.id));
    expect(posted.map(({ kind }) => kind).sort()).toEqual(["payout_sent"]);
    await expectRefused(() => asMaker.payouts.markPaid(paid), payoutTexts.markedAlready);

    const again = await makeExported();
    await expectRefused(
      () => asMaker.payouts.markPaid({ ...paid, payoutId: again.payoutIds[0] ?? 0 }),
      texts.sessionIdTaken,
    );
    await expectRefused(
      () => asMaker.payouts.markPaid({ ...paid, payoutId: draft.payoutIds[0] ?? 0 }),
      payoutTexts.notSent,
    );
  });
});

describe("the lists", () => {
  test("say what is due with its warnings, what waits, and what was sent and not seen leaving", async () => {
    const unlike = await oweDue({ accountName: "Zubairu Yusuf Kano" });
    const { runId, payoutIds } = exported;
    const due = await asMaker.payouts.due();
    expect(due.payouts.find(({ id }) => id === unlike.payoutIds[0])).toMatchObject({
      hindrance: null,
      account: { isNameUnlike: true, isResting: false, isNew: true, isChanged: false },
    });
    expect(due.ownAccounts).toMatchObject([{ id: ownAccountId, isActive: true }]);
    const sent = await asMaker.payouts.list({ list: "sent" });
    expect(sent.payouts.find(({ id }) => id === payoutIds[0])).toMatchObject({ runId, isUnseen: false });
    deps.clock.advance({ days: 7 });
    asMaker = await callAs(deps, maker);
    const later = await asMaker.payouts.list({ list: "sent" });
    expect(later.payouts.find(({ id }) => id === payoutIds[0])).toMatchObject({ isUnseen: true });
    const overview = await asMaker.payouts.overview();
    expect(overview.unseen).toBeGreaterThanOrEqual(1);
    expect(overview.overdue).toBeGreaterThanOrEqual(1);
    expect((await asMaker.payouts.runs({})).runs[0]).toMatchObject({ id: runId, madeByName: "Chidi Eze" });
    expect((await asMaker.payouts.list({ list: "waiting" })).payouts.every(({ account }) => account === null)).toBe(
      true,
    );
    await asMaker.payouts.markPaid({ payoutId: payoutIds[0] ?? 0, sessionId: "1".repeat(30), reason });
    expect((await asMaker.payouts.list({ list: "done" })).payouts[0]).toMatchObject({ state: "paid" });
  });

  test("a blocked person is paid to an account that two owners entered, also if it is the same", async () => {
    const { backer, account, payoutIds } = await oweDue();
    await blockUser(db, backer.id);
    expect((await asMaker.payouts.due()).payouts.find(({ id }) => id === payoutIds[0])).toMatchObject({
      hindrance: "blocked",
    });
    const { bankCode, accountNumber, accountName } = account;
    const details = { userId: backer.id, bankCode, accountNumber, accountName };
    await asMaker.secondPerson.ask({ kind: "enter_payee_account", details, reason });
    const { requests } = await asOther.secondPerson.list();
    await asOther.secondPerson.confirm({ requestId: requests[0]?.id ?? 0 });
    deps.clock.advance({ hours: 48 });
    asMaker = await callAs(deps, maker);
    await asMaker.payouts.makeRun({ payoutIds, ownAccountId });
  });
});

/** The largest there may be, at night. */
const runSize = isLong ? payoutLimits.runSize : 50;
test(`a run of ${runSize} payouts is made, approved and exported whole`, async () => {
  const goalKobo = BigInt(runSize) * 100_000n;
  await db.insert(settings).values({ key: maxTransferKey, value: "1000" });
  const owed = await oweDue({ goalKobo });
  expect(owed.payoutIds).toHaveLength(runSize);
  const { runId } = await asMaker.payouts.makeRun({ payoutIds: owed.payoutIds, ownAccountId });
  await asOther.payouts.approveRun({ runId });
  await asMaker.payouts.exportRun({ runId, profile: "generic" });
  expect(await asMaker.payouts.run({ runId })).toMatchObject({ payouts: runSize, totalKobo: goalKobo });
});

// The first statement, before which the other tests owe their refunds.
describe("a payout that no statement shows", () => {
  test("is declared failed by two owners: its sum is due under a new reference, and its payee is told", async () => {
    const { payouts: made, runId, backer } = exported;
    const [sent] = made;
    if (!sent) throw new Error("no payout");
    const ask = () => asMaker.secondPerson.ask({ kind: "fail_payout", details: { payoutId: sent.id }, reason });
    await expectRefused(ask, failPayoutTexts.uncovered(formatDate(deps.clock.now())));
    const sentOn = dayInLagos(deps.clock.now());
    deps.clock.advance({ days: 7 });
    asMaker = await callAs(deps, maker);
    asOther = await callAs(deps, other);
    const until = dayInLagos(deps.clock.now());
    const truths = [line(sentOn, 100_00n), line(until, 100_00n)];
    await importAs(deps, maker, { accountId: ownAccountId, file: csvOf({ openingKobo: 0n, truths }) });
    await ask();
    const { requests } = await asOther.secondPerson.list();
    await asOther.secondPerson.confirm({ requestId: requests[0]?.id ?? 0 });
    expect(await findPayout(deps, sent.id)).toMatchObject({ state: "failed", failedReason: reason });
    expect(await lastPayout(deps)).toMatchObject({
      state: "due",
      replacesId: sent.id,
      amountKobo: sent.amountKobo,
    });
    expect(await runOf(runId)).toMatchObject({ state: "closed" });
    expect((await queuedMailsTo(db, backer.email)).at(-1)?.subject).toContain("Not sent");
    expect(await lastAudit()).toMatchObject({ actionType: "fail_payout", details: { payoutId: sent.id, reason } });
  });
});
