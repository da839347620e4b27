import { randomUUID } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "#server/cli/commands.ts";
import { holds, waitingList } from "#server/db/schema/holds.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { checkItself } from "#server/self-check.ts";
import { closePhrase } from "#shared/accounts/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { holdHoursKey, maxLotsKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import {
  contextOf,
  createPayment,
  decide,
  expectMoneyHolds,
  findPayment,
  findProject,
  listViolated,
  sendReceipt,
  setBankDetails,
  storeReceiptFile,
} from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

const deps = await openTestDeps();
let owner: TestUser;
let ada: TestUser;
let bola: TestUser;
/** Three lots of ₦100,000. */
let project: TestProject;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-21T09:00:00.000Z"));
  await setBankDetails(deps.db);
  await setHoldHours(24);
  owner = await createAdmin(deps.db, "owner");
  [ada, bola] = [await createUser(deps.db), await createUser(deps.db)];
  project = await createProject(deps.db, {
    fundingGoalKobo: 30_000_000n,
    lots: 3,
    endsAt: new Date("2027-03-01T09:00:00.000Z"),
  });
});
afterEach(() => expectMoneyHolds(deps));

const setHoldHours = (hours: number) =>
  deps.db
    .update(settings)
    .set({ value: String(hours) })
    .where(eq(settings.key, holdHoursKey));
const open = async (by: TestUser, projectId = project.id) => (await callAs(deps, by)).payments.open({ projectId });
const hold = async (by: TestUser, lots = 1, projectId = project.id, termsVersion = 1) =>
  (await callAs(deps, by)).payments.begin({
    projectId,
    lots,
    termsVersion,
    siteTerms: await siteTermsOf(deps),
    hasReadTerms: true,
  });
const join = async (by: TestUser, lots = 1) => (await callAs(deps, by)).holds.join({ projectId: project.id, lots });
const release = async (by: TestUser) => (await callAs(deps, by)).holds.release({ projectId: project.id });
const holdOf = async ({ id }: TestUser) => {
  const [found] = await deps.db
    .select()
    .from(holds)
    .where(and(eq(holds.userId, id), eq(holds.projectId, project.id)))
    .orderBy(holds.id);
  return found;
};
const roundNow = () => findRound(deps.db, { projectId: project.id, round: 1 });
const subjectsTo = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);

describe("a hold", () => {
  test("keeps lots for a day, shows the account to its holder only, and is mailed", async () => {
    expect(await open(ada)).toMatchObject({ blockedBy: "terms", bankDetails: null, hold: { own: null, hours: 24 } });
    await hold(ada, 2);
    const until = new Date(deps.clock.now().getTime() + 24 * 3_600_000);
    expect(await open(ada)).toMatchObject({
      blockedBy: null,
      bankDetails: { accountNumber: "0123456789" },
      hold: { own: { lots: 2, until, isOffer: false }, heldByOthers: 0 },
    });
    expect(await open(bola)).toMatchObject({ bankDetails: null, mostLots: 1, hold: { own: null, heldByOthers: 2 } });
    expect(await roundNow()).toMatchObject({ heldLots: 2, approvedLots: 0 });
    expect(await subjectsTo(ada)).toContain(`Lots held for you: ${project.title}`);
    await expect(hold(bola, 2)).rejects.toThrow(holdTexts.noneFree);
    await expect(hold(ada, 1)).rejects.toThrow(holdTexts.alreadyHeld);
    await hold(bola, 1);
    expect(await roundNow()).toMatchObject({ heldLots: 3 });
  });

  test("shows on the project's page: to its holder as theirs, to others as held, and no longer than it lasts", async () => {
    const page = async (by?: TestUser) =>
      (await callAs(deps, by ?? "anonymous")).projects.byId({ projectId: project.id });
    await hold(ada, 2);
    const now = deps.clock.now();
    const until = new Date(now.getTime() + 24 * 3_600_000);
    expect((await page(ada)).held).toEqual({ lots: 2, mine: 2, mineUntil: until, freeAt: null, now });
    const toOthers = { lots: 2, mine: 0, mineUntil: null, freeAt: until, now };
    expect((await page(bola)).held).toEqual(toOthers);
    expect((await page()).held).toEqual(toOthers);
    deps.clock.advance({ hours: 24 });
    expect((await page()).held).toMatchObject({ lots: 0, freeAt: null });
  });

  test("lapses by the clock alone: a job that is dead holds nothing", async () => {
    await hold(ada, 3);
    deps.clock.advance({ hours: 24 });
    expect(await open(bola)).toMatchObject({ mostLots: 3, hold: { heldByOthers: 0 } });
    expect(await open(ada)).toMatchObject({ blockedBy: "terms", bankDetails: null });
    await hold(bola, 3);
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed", until: null });
    expect(await subjectsTo(ada)).toContain(`Your hold has ended: ${project.title}`);
  });

  test("is swept each minute, and four hours before its end its holder is warned once", async () => {
    await hold(ada);
    deps.clock.advance({ hours: 19, minutes: 59 });
    await sweepHolds(deps);
    const warned = `Your hold ends soon: ${project.title}`;
    expect(await subjectsTo(ada)).not.toContain(warned);
    deps.clock.advance({ minutes: 2 });
    await sweepHolds(deps);
    await sweepHolds(deps);
    expect((await subjectsTo(ada)).filter((subject) => subject === warned)).toHaveLength(1);
    deps.clock.advance({ hours: 4 });
    await sweepHolds(deps);
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed" });
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
  });

  test("is extended by a receipt to three working days, by a rejection once by twelve hours, and used by an approval", async () => {
    await hold(ada, 2);
    deps.clock.advance({ hours: 13 });
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 2 });
    const extended = await holdOf(ada);
    expect(extended?.until?.getTime()).toBeGreaterThanOrEqual(deps.clock.now().getTime() + 3 * 86_400_000);
    await decide(deps, owner, { paymentId, status: "rejected" });
    const twelve = new Date(deps.clock.now().getTime() + 12 * 3_600_000);
    expect(await holdOf(ada)).toMatchObject({ state: "live", until: twelve, isExtended: true, hasReceipt: false });
    const again = await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 2 });
    await decide(deps, owner, { paymentId: again.paymentId, status: "approved" });
    expect(await holdOf(ada)).toMatchObject({ state: "used", until: null });
    expect(await roundNow()).toMatchObject({ heldLots: 0, approvedLots: 2 });
  });

  test("of others isn't free for an approval, and the own one is", async () => {
    await hold(ada, 2);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 2 });
    deps.clock.advance({ days: 8 });
    await hold(bola, 3);
    await expect(decide(deps, owner, { paymentId, status: "approved" })).rejects.toThrow(
      paymentTexts.lotsNotFree(0, 2),
    );
    await release(bola);
    await decide(deps, owner, { paymentId, status: "approved" });
    expect(await roundNow()).toMatchObject({ heldLots: 0, approvedLots: 2 });
  });

  test("is used by the payment that it was for, not by an older one under the same reference", async () => {
    await deps.db.insert(settings).values({ key: maxLotsKey, value: "3" });
    await hold(ada, 1);
    const older = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await decide(deps, owner, { paymentId: older.paymentId, status: "rejected" });
    deps.clock.advance({ hours: 24 });
    await hold(ada, 2);
    const { reference } = await open(ada);
    await decide(deps, owner, { paymentId: older.paymentId, status: "approved" });
    expect(await roundNow()).toMatchObject({ heldLots: 2, approvedLots: 1 });
    const page = { reference, bankDetails: { accountNumber: "0123456789" }, hold: { own: { lots: 2 } } };
    expect(await open(ada)).toMatchObject(page);
    await release(ada);
    await expect(hold(ada, 3)).rejects.toThrow(paymentTexts.lotsLeft(2));
    await hold(ada, 2);
    const newer = await sendReceipt(deps, { backer: ada, projectId: project.id });
    expect(await findPayment(deps.db, newer.paymentId)).toMatchObject({ lots: 2, reference });
    await decide(deps, owner, { paymentId: newer.paymentId, status: "approved" });
    expect(await roundNow()).toMatchObject({ heldLots: 0, approvedLots: 3 });
  });

  test("is mailed again each time that another purchase takes it over", async () => {
    await deps.db.insert(settings).values({ key: maxLotsKey, value: "3" });
    const mailsOfHolds = async () => {
      const mails = await queuedMailsTo(deps.db, ada.email);
      return mails.filter(({ subject }) => subject.startsWith("Lots held for you")).map(({ text }) => text);
    };
    const untilTomorrow = () => formatDateTime(new Date(deps.clock.now().getTime() + 24 * 3_600_000));
    await hold(ada, 1);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await decide(deps, owner, { paymentId, status: "approved" });
    await hold(ada, 2);
    await decide(deps, owner, { paymentId, status: "pending" });
    expect(await mailsOfHolds()).toHaveLength(2);
    deps.clock.advance({ hours: 2 });
    await hold(ada, 1);
    expect(await roundNow()).toMatchObject({ heldLots: 1, approvedLots: 0 });
    expect((await mailsOfHolds()).slice(2)).toEqual([expect.stringContaining(untilTomorrow())]);
    await decide(deps, owner, { paymentId, status: "rejected" });
    await hold(ada, 2);
    await decide(deps, owner, { paymentId, status: "pending" });
    await hold(ada, 1);
    expect(await mailsOfHolds()).toHaveLength(5);
  });

  test("of as many lots, made after a rejection, isn't used by the payment that was rejected", async () => {
    await hold(ada, 1);
    const older = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await decide(deps, owner, { paymentId: older.paymentId, status: "rejected" });
    await release(ada);
    deps.clock.advance({ minutes: 1 });
    await hold(ada, 1);
    await decide(deps, owner, { paymentId: older.paymentId, status: "approved" });
    expect(await roundNow()).toMatchObject({ heldLots: 1, approvedLots: 1 });
  });

  test("that has ended still takes the receipt of who paid meanwhile, for its lots, while others hold them", async () => {
    await hold(ada, 2);
    const { reference } = await open(ada);
    deps.clock.advance({ hours: 24 });
    await hold(bola, 3);
    expect(await open(ada)).toMatchObject({
      blockedBy: "terms",
      bankDetails: null,
      reference,
      hold: { heldByOthers: 3 },
      purchase: { lots: 2, amountKobo: 20_000_000n },
    });
    expect(await open(bola)).toMatchObject({ purchase: { lots: 3 }, blockedBy: null });
    const ctx = await contextOf(deps, ada);
    const receipt = {
      projectId: project.id,
      lots: 1,
      idempotencyKey: randomUUID(),
      file: await storeReceiptFile(deps),
    };
    const { paymentId } = await submitReceipt(ctx, receipt);
    expect(await findPayment(deps.db, paymentId)).toMatchObject({ status: "pending", lots: 2, reference });
    await expect(decide(deps, owner, { paymentId, status: "approved" })).rejects.toThrow(
      paymentTexts.lotsNotFree(0, 2),
    );
  });

  test("is given back by its holder, but not once a receipt came", async () => {
    await hold(ada, 3);
    await release(ada);
    expect(await holdOf(ada)).toMatchObject({ state: "released" });
    await expect(release(ada)).rejects.toThrow(holdTexts.notHeld);
    await hold(bola, 1);
    await sendReceipt(deps, { backer: bola, projectId: project.id });
    await expect(release(bola)).rejects.toThrow(holdTexts.underReview);
  });

  test("two without a receipt are the most, and three lapsed pause for thirty days", async () => {
    const others = [await createProject(deps.db), await createProject(deps.db), await createProject(deps.db)];
    const [second, third] = others;
    await hold(ada);
    await hold(ada, 1, second?.id);
    await expect(hold(ada, 1, third?.id)).rejects.toThrow(holdTexts.tooMany);
    deps.clock.advance({ hours: 24 });
    await hold(ada, 1, third?.id);
    await sweepHolds(deps);
    deps.clock.advance({ hours: 24 });
    await sweepHolds(deps);
    const until = new Date(deps.clock.now().getTime() + 30 * 86_400_000);
    await expect(hold(ada)).rejects.toThrow(holdTexts.paused(until));
    deps.clock.advance({ days: 31 });
    await hold(ada);
  });

  test("that ends while we review its receipt is no lapse of its holder", async () => {
    // Who has paid once may have any number under review.
    await createPayment(deps, { backer: ada, status: "approved" });
    for (const { id } of [project, await createProject(deps.db), await createProject(deps.db)]) {
      await hold(ada, 1, id);
      await sendReceipt(deps, { backer: ada, projectId: id });
    }
    deps.clock.advance({ days: 8 });
    const fourth = await createProject(deps.db);
    await hold(ada, 1, fourth.id);
    await sweepHolds(deps);
    expect(await deps.db.$count(holds, and(eq(holds.state, "lapsed"), eq(holds.hasReceipt, true)))).toBe(3);
    const fifth = await createProject(deps.db);
    await hold(ada, 1, fifth.id);
  });

  test("is ended by an owner with a reason, which is mailed and audited", async () => {
    await hold(ada, 3);
    const standing = await holdOf(ada);
    const admin = await callAs(deps, owner);
    await expect(admin.holds.end({ holdId: standing?.id ?? 0, reason: " " })).rejects.toThrow(holdTexts.reasonMissing);
    await admin.holds.end({ holdId: standing?.id ?? 0, reason: "The farm needs them." });
    expect(await holdOf(ada)).toMatchObject({ state: "ended", endedBy: owner.id, endReason: "The farm needs them." });
    const mails = await queuedMailsTo(deps.db, ada.email);
    expect(mails.at(-1)?.text).toContain("Reason: The farm needs them.");
    expect(await admin.holds.list({ projectId: project.id })).toMatchObject({ holds: [], canProcess: true });
  });

  test("keeps its round from being decided, and its goal, lots and terms from being changed", async () => {
    await hold(ada);
    const admin = await callAs(deps, owner);
    await admin.projects.close({ projectId: project.id });
    const decision = { projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 } as const;
    await expect(admin.payments.decideRound(decision)).rejects.toThrow(paymentTexts.lotsHeld);
    expect(await admin.projects.forEdit({ projectId: project.id })).toMatchObject({ lockedBy: "held" });
    expect(await holdOf(ada)).toMatchObject({ state: "live" });
  });

  test("of a blocked person ends at once, with their place on every list; its lots are offered", async () => {
    const other = await createProject(deps.db, { fundingGoalKobo: 10_000_000n, lots: 1 });
    await hold(ada, 3);
    await hold(bola, 1, other.id);
    await (await callAs(deps, ada)).holds.join({ projectId: other.id, lots: 1 });
    await join(bola, 2);
    await (await callAs(deps, owner)).users.block({ userId: ada.id });
    const reason = holdTexts.accountBlocked;
    expect(await holdOf(ada)).toMatchObject({ state: "ended", endedBy: owner.id, endReason: reason });
    expect(await holdOf(bola)).toMatchObject({ state: "live", lots: 2, reference: null });
    expect(await roundNow()).toMatchObject({ heldLots: 2 });
    const [told] = (await queuedMailsTo(deps.db, ada.email)).filter(({ subject }) => subject.includes("has ended"));
    expect(told?.text).toContain("3 lots of");
    expect(told?.text).toContain(reason);
    expect(told?.text).not.toContain("/back-project/");
    await (await callAs(deps, bola)).holds.release({ projectId: other.id });
    expect(await deps.db.$count(holds, eq(holds.projectId, other.id))).toBe(1);
  });

  test("of a project that is deleted ends, and so does its waiting list; all are told", async () => {
    await hold(ada, 2);
    await hold(bola, 1);
    const last = await createUser(deps.db);
    await join(last);
    await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 2 });
    await (await callAs(deps, owner)).projects.delete({ projectId: project.id });
    for (const person of [ada, bola]) {
      const reason = "The project was removed.";
      expect(await holdOf(person)).toMatchObject({ state: "ended", endedBy: owner.id, endReason: reason, until: null });
      const [told] = (await queuedMailsTo(deps.db, person.email)).filter(({ subject }) =>
        subject.includes("has ended"),
      );
      expect(told?.text).toContain(`no longer held for you. Reason: ${reason}`);
    }
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
    expect(await deps.db.$count(waitingList, and(eq(waitingList.userId, last.id), isNotNull(waitingList.leftAt)))).toBe(
      1,
    );
    expect(await subjectsTo(last)).toContain(`The waiting list has ended: ${project.title}`);
    expect(await holdOf(last)).toBeUndefined();
  });
});

describe("the waiting list", () => {
  const third = () => createUser(deps.db);

  test("is for when all lots are held; what comes free is offered to the first, then to the next", async () => {
    await expect(join(bola)).rejects.toThrow(holdTexts.notFull);
    await hold(ada, 3);
    const last = await third();
    await join(bola, 2);
    await join(last, 3);
    await expect(join(bola)).rejects.toThrow(holdTexts.alreadyWaiting);
    expect(await open(last)).toMatchObject({ hold: { place: 2, waiting: 2 } });
    await release(ada);
    expect(await open(bola)).toMatchObject({
      bankDetails: null,
      hold: { own: { lots: 2, isOffer: true }, place: null },
    });
    expect(await open(last)).toMatchObject({ hold: { own: { lots: 1, isOffer: true } } });
    expect(await subjectsTo(bola)).toContain(`It is your turn: ${project.title}`);
    await hold(bola, 2);
    expect(await open(bola)).toMatchObject({ blockedBy: null, hold: { own: { lots: 2, isOffer: false } } });
    expect(await roundNow()).toMatchObject({ heldLots: 3 });
    await expect(hold(ada)).rejects.toThrow(holdTexts.noneFree);
  });

  test("offers nobody twice, and opens to all once it is empty", async () => {
    await hold(ada, 3);
    await join(bola, 3);
    await release(ada);
    deps.clock.advance({ days: 2 });
    await sweepHolds(deps);
    expect(await holdOf(bola)).toMatchObject({ state: "lapsed" });
    expect(await subjectsTo(bola)).toContain(`Your turn has passed: ${project.title}`);
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
    await hold(ada, 3);
    expect(await deps.db.$count(waitingList, eq(waitingList.userId, bola.id))).toBe(1);
  });

  test("is offered what comes free otherwise: by an approval that is taken back", async () => {
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 2 });
    await decide(deps, owner, { paymentId, status: "approved" });
    const last = await third();
    await hold(last, 1);
    await join(bola, 2);
    await decide(deps, owner, { paymentId, status: "rejected" });
    await sweepHolds(deps);
    expect(await open(bola)).toMatchObject({ hold: { own: { lots: 2, isOffer: true } } });
  });

  test("takes nobody for more lots than they may buy, and shows a waiter that many", async () => {
    await deps.db.insert(settings).values({ key: maxLotsKey, value: "2" });
    await hold(ada, 2);
    const last = await third();
    await hold(last, 1);
    expect(await open(bola)).toMatchObject({ mostLots: 2 });
    await join(bola, 1000);
    await release(ada);
    expect(await open(bola)).toMatchObject({ hold: { own: { lots: 2, isOffer: true } } });
    await hold(bola, 2);
    const { paymentId } = await sendReceipt(deps, { backer: bola, projectId: project.id });
    await decide(deps, owner, { paymentId, status: "approved" });
    await expect(join(bola)).rejects.toThrow(paymentTexts.lotsLeft(0));
  });

  test("is closed to who holds lots of two farms, or let three lapse", async () => {
    const others = [await createProject(deps.db), await createProject(deps.db)];
    for (const { id } of others) await hold(bola, 1, id);
    await hold(ada, 3);
    await expect(join(bola)).rejects.toThrow(holdTexts.tooMany);
    deps.clock.advance({ hours: 24 });
    await hold(bola, 1);
    deps.clock.advance({ hours: 24 });
    const until = new Date(deps.clock.now().getTime() + 30 * 86_400_000);
    await hold(ada, 3);
    await expect(join(bola)).rejects.toThrow(holdTexts.paused(until));
    await sweepHolds(deps);
  });

  test("isn't offered anything while holding is switched off", async () => {
    await hold(ada, 3);
    await join(bola);
    await setHoldHours(0);
    await release(ada);
    await sweepHolds(deps);
    expect(await holdOf(bola)).toBeUndefined();
  });

  test("is left again, and a closed project offers nothing", async () => {
    await hold(ada, 3);
    await join(bola);
    await (await callAs(deps, bola)).holds.leave({ projectId: project.id });
    const last = await third();
    await join(last);
    expect(await open(last)).toMatchObject({ hold: { place: 1, waiting: 1 } });
    await (await callAs(deps, owner)).projects.close({ projectId: project.id });
    expect(await holdOf(ada)).toMatchObject({ state: "live" });
    const page = { blockedBy: null, bankDetails: { accountNumber: "0123456789" }, hold: { own: { lots: 3 } } };
    expect(await open(ada)).toMatchObject(page);
    await release(ada);
    expect(await open(ada)).toMatchObject({ bankDetails: null });
    await sweepHolds(deps);
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
    expect(await holdOf(last)).toBeUndefined();
    await (await callAs(deps, owner)).projects.reopen({ projectId: project.id });
    await sweepHolds(deps);
    expect(await holdOf(last)).toMatchObject({ state: "live", reference: null });
  });

  test("is left by who closes their account, and isn't joined by who was blocked meanwhile", async () => {
    await hold(ada, 3);
    await join(bola);
    const blocked = await callAs(deps, await third());
    await deps.db.delete(sessions).where(eq(sessions.userId, (await blocked.auth.viewer())?.id ?? ""));
    await expect(blocked.holds.join({ projectId: project.id, lots: 1 })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await (await callAs(deps, bola)).users.close({ currentPassword: testPassword, confirmation: "close my account" });
    await release(ada);
    expect(await holdOf(bola)).toBeUndefined();
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
  });
});

describe("with the job stopped a lapse is still true", () => {
  test("for the page, the form, the terms, the decision on the round, and the holder's own account", async () => {
    await hold(ada, 3);
    deps.clock.advance({ hours: 24 });
    expect(await holdOf(ada)).toMatchObject({ state: "live" });
    const visitor = await callAs(deps, "anonymous");
    expect(await visitor.projects.byId({ projectId: project.id })).toMatchObject({ lots: 3, approvedLots: 0 });
    expect(await open(bola)).toMatchObject({ mostLots: 3, hold: { heldByOthers: 0, nextFreeAt: null } });
    const admin = await callAs(deps, owner);
    expect(await admin.holds.list({ projectId: project.id })).toMatchObject({ holds: [] });
    expect(await admin.projects.forEdit({ projectId: project.id })).toMatchObject({ lockedBy: null });
    const { updatedAt } = await findProject(deps.db, project.id);
    const form = projectFormOf({ fundingGoal: "300,000", lots: 1 });
    await admin.projects.update({ ...form, projectId: project.id, seenUpdatedAt: updatedAt });
    expect(await roundNow()).toMatchObject({ lots: 1, heldLots: 0 });
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed" });
    await (await callAs(deps, ada)).users.close({ currentPassword: ada.password, confirmation: closePhrase });
  });

  test("for an approval, a rejection and the self-check, which names the hold two minutes later", async () => {
    await setHoldHours(0);
    const other = await createPayment(deps, { project, backer: bola, lots: 2 });
    await setHoldHours(24);
    await hold(ada, 3);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id, lots: 3 });
    const until = (await holdOf(ada))?.until ?? new Date(0);
    await expect(decide(deps, owner, { paymentId: other.payment.id, status: "approved" })).rejects.toThrow(
      paymentTexts.lotsNotFree(0, 2),
    );
    deps.clock.set(new Date(until.getTime() + 120_000));
    await expectMoneyHolds(deps);
    deps.clock.advance({ ms: 1 });
    const found = (await listViolated(deps)).flatMap(({ violations }) => violations);
    expect(found).toMatchObject([{ violation: "hold that stands past its end" }]);
    await decide(deps, owner, { paymentId, status: "rejected" });
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed", endedAt: until });
    await decide(deps, owner, { paymentId: other.payment.id, status: "approved" });
    expect(await roundNow()).toMatchObject({ heldLots: 0, approvedLots: 2 });
  });

  test("for the hourly check and that of the command line, which end it first", async () => {
    await hold(ada, 1);
    deps.clock.advance({ hours: 25 });
    expect(await listViolated(deps)).toHaveLength(1);
    await checkItself(deps);
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed" });
    await hold(bola, 1);
    deps.clock.advance({ hours: 25 });
    const { lines } = await runCommand(deps, { name: "check-money" });
    expect(lines.filter((line) => line.startsWith("FAIL I16"))).toEqual([]);
    expect(await holdOf(bola)).toMatchObject({ state: "lapsed" });
  });

  test("for who let three lapse elsewhere, and in a round that is decided and followed by the next", async () => {
    const [second, third] = [await createProject(deps.db), await createProject(deps.db)];
    for (const { id } of [project, second, third]) {
      await hold(ada, 1, id);
      deps.clock.advance({ hours: 24 });
    }
    const until = new Date(deps.clock.now().getTime() + 30 * 86_400_000);
    await expect(hold(ada)).rejects.toThrow(holdTexts.paused(until));
    await createPayment(deps, { project, backer: bola, owner, status: "approved" });
    const admin = await callAs(deps, owner);
    await admin.projects.close({ projectId: project.id });
    await admin.payments.decideRound({ projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 });
    await admin.projects.reopen({ projectId: project.id });
    deps.clock.advance({ days: 31 });
    const { terms } = await open(ada);
    await hold(ada, 1, project.id, terms.version);
    expect(await findProject(deps.db, project.id)).toMatchObject({ round: 2 });
    await sweepHolds(deps);
    expect(await roundNow()).toMatchObject({ heldLots: 0 });
  });
});

describe("what ends or moves a hold", () => {
  test("a receipt never shortens it, and a rejection doesn't bring a lapsed one back", async () => {
    await setHoldHours(168);
    await hold(ada);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
    const until = new Date("2026-11-28T09:00:00.000Z");
    expect(await holdOf(ada)).toMatchObject({ until, hasReceipt: true });
    deps.clock.set(until);
    await decide(deps, owner, { paymentId, status: "rejected" });
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed", isExtended: false });
  });

  test("a rejection leaves what was left before the receipt, if that is more than twelve hours", async () => {
    await hold(ada);
    const until = (await holdOf(ada))?.until;
    deps.clock.advance({ minutes: 30 });
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
    deps.clock.advance({ minutes: 30 });
    await decide(deps, owner, { paymentId, status: "rejected" });
    expect(await holdOf(ada)).toMatchObject({ until, hasReceipt: false, isExtended: true });
    await release(ada);
  });

  test("a second rejection leaves no more than that, and what an administrator gave stays", async () => {
    await hold(ada);
    deps.clock.advance({ hours: 20 });
    const first = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await decide(deps, owner, { paymentId: first.paymentId, status: "rejected" });
    const until = (await holdOf(ada))?.until;
    const second = await sendReceipt(deps, { backer: ada, projectId: project.id });
    deps.clock.advance({ hours: 11 });
    await decide(deps, owner, { paymentId: second.paymentId, status: "rejected" });
    expect(await holdOf(ada)).toMatchObject({ state: "live", until, hasReceipt: false });
    const third = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await (await callAs(deps, owner)).holds.extend({ holdId: (await holdOf(ada))?.id ?? 0, hours: 168 });
    const given = (await holdOf(ada))?.until;
    await decide(deps, owner, { paymentId: third.paymentId, status: "rejected" });
    expect(await holdOf(ada)).toMatchObject({ state: "live", until: given });
  });

  test("receipts and rejections in turn extend it by six working days and twelve hours in all, and no further", async () => {
    await hold(ada);
    deps.clock.set(new Date("2026-11-21T20:00:00.000Z"));
    const ends: (string | undefined)[] = [];
    for (const _turn of [1, 2]) {
      const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
      const until = (await holdOf(ada))?.until;
      ends.push(until?.toISOString());
      // As late as it can be.
      if (until) deps.clock.set(new Date(until.getTime() - 1));
      await decide(deps, owner, { paymentId, status: "rejected" });
      const left = (await holdOf(ada))?.until;
      if (left) deps.clock.set(new Date(left.getTime() - 1));
    }
    expect(ends).toEqual(["2026-11-25T20:00:00.000Z", "2026-12-01T07:59:59.998Z"]);
    const endedAt = new Date("2026-11-26T07:59:59.999Z");
    expect(await holdOf(ada)).toMatchObject({ state: "lapsed", endedAt, hasReceipt: false });
    expect((await open(bola)).hold?.heldByOthers).toBe(0);
  });

  test("one that a bank line claimed has no end until it is decided, and twelve hours after a rejection", async () => {
    await hold(ada);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
    const claim = () => deps.db.update(holds).set({ state: "claimed", until: null }).where(eq(holds.userId, ada.id));
    await claim();
    deps.clock.advance({ days: 60 });
    await sweepHolds(deps);
    expect(await holdOf(ada)).toMatchObject({ state: "claimed" });
    await decide(deps, owner, { paymentId, status: "rejected" });
    const twelve = new Date(deps.clock.now().getTime() + 12 * 3_600_000);
    expect(await holdOf(ada)).toMatchObject({ state: "live", until: twelve });
    const again = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await claim();
    await decide(deps, owner, { paymentId: again.paymentId, status: "approved" });
    expect(await holdOf(ada)).toMatchObject({ state: "used", until: null });
  });

  test("the most lots for one person count what they hold, too", async () => {
    await deps.db.insert(settings).values({ key: maxLotsKey, value: "2" });
    await expect(hold(ada, 3)).rejects.toThrow(paymentTexts.lotsLeft(2));
    await hold(ada, 2);
    const { paymentId } = await sendReceipt(deps, { backer: ada, projectId: project.id });
    await decide(deps, owner, { paymentId, status: "approved" });
    await expect(hold(ada, 1)).rejects.toThrow(paymentTexts.lotsLeft(0));
  });

  test("switching holding off leaves what is offered, which may be taken until its end and paid", async () => {
    await hold(ada, 3);
    await join(bola, 2);
    const last = await createUser(deps.db);
    await join(last, 1);
    await release(ada);
    await setHoldHours(0);
    const offered = (await holdOf(bola))?.until;
    await hold(bola, 1);
    expect(await holdOf(bola)).toMatchObject({ lots: 1, until: offered });
    expect(await open(bola)).toMatchObject({
      hold: { own: { lots: 1 } },
      bankDetails: { accountNumber: "0123456789" },
    });
    await sendReceipt(deps, { backer: bola, projectId: project.id });
    expect(await open(ada)).toMatchObject({ mostLots: 1 });
  });
});
