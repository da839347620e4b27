import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { holds } from "#server/db/schema/holds.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { beginPurchase, openPaymentPage } from "#server/features/payments/buying/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { releaseHold } from "#server/features/projects/holds/own-hold.ts";
import {
  cloneProject,
  closeByHand,
  deleteProject,
  reopenProject,
  updateProject,
} from "#server/features/projects/service.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { updateProjectInput } from "#shared/projects/inputs.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { isLong, raceRounds } from "#tests/support/length.ts";
import {
  contextOf,
  createPayment,
  expectMoneyHolds,
  findPayment,
  findProject,
  seen,
  sendReceipt,
} from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject } from "#tests/support/projects.ts";

/** What two people do to one project at the same moment, each through a replica of their own. */

/** How often 64 people meet. */
const crowdRounds = isLong ? 50 : 1;

const { deps, replicas } = await openTestReplicas();
let owners: [TestUser, TestUser];

beforeAll(async () => {
  owners = [
    await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" }),
    await createAdmin(deps.db, "owner", { fullName: "Tunde Bello" }),
  ];
});
afterEach(() => expectMoneyHolds(deps));

const one = () => contextOf(replicas[0], owners[0]);
const other = () => contextOf(replicas[1], owners[1]);

async function formOf(projectId: number, values: Parameters<typeof projectFormOf>[0] = {}) {
  const { updatedAt } = await findProject(deps.db, projectId);
  return updateProjectInput.parse({ ...projectFormOf(values), projectId, seenUpdatedAt: updatedAt });
}

type Decision = { paymentId: number; status: PaymentStatus };

/** Both owners decide at the same moment, each through a replica of their own, on what they have just seen. */
async function decideAtOnce(decisions: [Decision, Decision]) {
  const inputs = await Promise.all(
    decisions.map(async (decision, index) => ({
      ctx: await (index === 0 ? one() : other()),
      input: { ...(await seen(deps.db, decision.paymentId)), ...decision },
    })),
  );
  return Promise.allSettled(inputs.map(({ ctx, input }) => setPaymentStatus(ctx, input)));
}

/** What was said to those who were refused. */
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));

test("a project is deleted while its payment is approved: one of the two is refused, and nothing is half done", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project } = await createPayment(deps, { owner: owners[0] });
    const look = await seen(deps.db, payment.id);
    const [deleter, decider] = [await one(), await other()];
    const results = await Promise.allSettled([
      deleteProject(deleter, { projectId: project.id }),
      setPaymentStatus(decider, { ...look, status: "approved" }),
    ]);
    const { projectId, status } = await findPayment(deps.db, payment.id);
    const isApproved = results[1]?.status === "fulfilled";
    expect([refusals(results), projectId, status]).toEqual(
      isApproved
        ? [[projectAdminTexts.hasMoney], project.id, "approved"]
        : [[paymentTexts.removedNotApprovable], null, "pending"],
    );
    await expectMoneyHolds(deps);
  }
});

test("a project is deleted while it is edited: the editor is told that it is gone", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const form = await formOf(projectId);
    const [deleter, editor] = [await one(), await other()];
    const results = await Promise.allSettled([deleteProject(deleter, { projectId }), updateProject(editor, form)]);
    expect(results[0]?.status).toBe("fulfilled");
    if (results[1]?.status === "rejected") expect(refusals(results)).toEqual([projectAdminTexts.notFound]);
    expect(await deps.db.$count(projects, eq(projects.id, projectId))).toBe(0);
  }
});

test("a project is deleted while it is cloned: the clone is whole, or the original is not found", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const results = await Promise.allSettled([
      deleteProject(await one(), { projectId }),
      cloneProject(await other(), { projectId, idempotencyKey: crypto.randomUUID() }),
    ]);
    expect(results[0]?.status).toBe("fulfilled");
    if (results[1]?.status === "rejected") expect(refusals(results)).toEqual([projectAdminTexts.originalNotFound]);
  }
});

test("a project is closed while its payment is approved: it is closed once, and the second is told", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project } = await createPayment(deps, { owner: owners[0] });
    const look = await seen(deps.db, payment.id);
    const [closer, decider] = [await one(), await other()];
    const results = await Promise.allSettled([
      closeByHand(closer, { projectId: project.id }),
      setPaymentStatus(decider, { ...look, status: "approved" }),
    ]);
    expect(results[1]?.status).toBe("fulfilled");
    if (results[0]?.status === "rejected") expect(refusals(results)).toEqual([projectAdminTexts.alreadyClosed]);
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: true,
      currentFundingKobo: project.fundingGoalKobo,
    });
  }
});

test("64 approvals at once for the last 3 of 40 lots: exactly 3 are approved, and 61 are told how many are free", async () => {
  for (let round = 0; round < crowdRounds; round += 1) {
    const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
    const buy = (lots: number) => createPayment(deps, { project, owner: owners[0], lots });
    for (const lots of [20, 17]) {
      const { payment } = await buy(lots);
      await setPaymentStatus(await one(), { ...(await seen(deps.db, payment.id)), status: "approved" });
    }
    const waiting = [];
    for (let index = 0; index < 64; index += 1) waiting.push(await seen(deps.db, (await buy(1)).payment.id));
    const contexts = [await one(), await other()] as const;
    const results = await Promise.allSettled(
      waiting.map((look, index) =>
        setPaymentStatus(contexts[index % 2 === 0 ? 0 : 1], { ...look, status: "approved" }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(new Set(refusals(results))).toEqual(new Set([paymentTexts.lotsNotFree(0, 1)]));
    expect(await findProject(deps.db, project.id)).toMatchObject({ isClosed: true, currentFundingKobo: 200_000_000n });
    await expect(
      deps.db.execute(sql`update project_rounds set approved_lots = 41 where project_id = ${project.id}`),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining("project_rounds_not_oversold") } });
  }
});

test("64 people hold a lot at once, of 40 the last 3: exactly 3 hold one, and 61 are told that none is free", async () => {
  const setHoldHours = (value: string) => deps.db.update(settings).set({ value }).where(eq(settings.key, holdHoursKey));
  const people = await Promise.all(
    Array.from({ length: 64 }, async (_, index) =>
      contextOf(replicas[index % 2 === 0 ? 0 : 1], await createUser(deps.db)),
    ),
  );
  for (let round = 0; round < crowdRounds; round += 1) {
    const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
    const { id: projectId } = project;
    for (const lots of [20, 17]) await createPayment(deps, { project, owner: owners[0], lots, status: "approved" });
    await setHoldHours("24");
    const results = await Promise.allSettled(
      people.map((ctx) => beginPurchase(ctx, { projectId, lots: 1, termsVersion: 1, hasReadTerms: true })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(new Set(refusals(results))).toEqual(new Set([holdTexts.noneFree]));
    const held = await deps.db.select().from(holds).where(eq(holds.projectId, projectId));
    expect(held.map(({ lots, state }) => ({ lots, state }))).toEqual(Array(3).fill({ lots: 1, state: "live" }));
    // Nobody holds lots of more than two farms.
    const isHolder = new Set(held.map(({ userId }) => userId));
    for (const ctx of people) if (isHolder.has(ctx.actor.id)) await releaseHold(ctx, { projectId });
    await setHoldHours("0");
  }
});

test("two administrators close, and reopen, at once: one succeeds, one entry is audited", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const [first, second] = [await one(), await other()];
    const closed = await Promise.allSettled([closeByHand(first, { projectId }), closeByHand(second, { projectId })]);
    expect(refusals(closed)).toEqual([projectAdminTexts.alreadyClosed]);
    const opened = await Promise.allSettled([
      reopenProject(first, { projectId }),
      reopenProject(second, { projectId }),
    ]);
    expect(refusals(opened)).toEqual([projectAdminTexts.alreadyOpen]);
    const entries = sql`(${auditLogs.details}->>'projectId')::int = ${projectId}`;
    expect(await deps.db.$count(auditLogs, entries)).toBe(2);
  }
});

test("two administrators save the form at once: one succeeds, the other is told of the change", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { id: projectId } = await createProject(deps.db);
    const [first, second] = [
      await formOf(projectId, { title: "The first one's title" }),
      await formOf(projectId, { title: "The second one's title" }),
    ];
    const results = await Promise.allSettled([updateProject(await one(), first), updateProject(await other(), second)]);
    expect(refusals(results)).toEqual([projectAdminTexts.changed]);
    const { title } = await findProject(deps.db, projectId);
    expect(title).toBe(results[0]?.status === "fulfilled" ? first.title : second.title);
  }
});

test("the goal is changed while a receipt comes: the payment's amount is a goal that its backer saw", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { project } = await createPayment(deps, { owner: owners[0], status: "rejected" });
    const backer = await createUser(deps.db);
    const form = await formOf(project.id, { fundingGoal: "600000" });
    const editor = await one();
    const results = await Promise.allSettled([
      updateProject(editor, form),
      sendReceipt(replicas[1], { backer, projectId: project.id }),
    ]);
    if (results[1]?.status !== "fulfilled") throw results[1]?.reason;
    const { fundingGoalKobo } = await findProject(deps.db, project.id);
    expect(results[1].value.amountKobo).toBe(fundingGoalKobo);
    if (results[0]?.status === "rejected") expect(refusals(results)).toEqual([projectAdminTexts.goalLocked.paid]);
  }
});

test("a project is deleted while a receipt comes: the payment is detached, or the sender is told", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { project } = await createPayment(deps, { owner: owners[0], status: "rejected" });
    const backer = await createUser(deps.db);
    const results = await Promise.allSettled([
      deleteProject(await one(), { projectId: project.id }),
      sendReceipt(replicas[1], { backer, projectId: project.id }),
    ]);
    expect(results[0]?.status).toBe("fulfilled");
    if (results[1]?.status === "rejected") expect(refusals(results)).toEqual([paymentTexts.projectNotFound]);
    else if (results[1]) {
      const payment = await findPayment(deps.db, results[1].value.paymentId);
      expect(payment).toMatchObject({ projectId: null, projectTitle: project.title, status: "pending" });
    }
    await expectMoneyHolds(deps);
  }
});

test(`two owners approve two receipts of one project at once, ${raceRounds} times: one succeeds, all adds up`, async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const project = await createProject(deps.db, { backersCount: 1 });
    const friend = await createUser(deps.db);
    const grant = { projectId: project.id, userId: friend.id, grantedAt: deps.clock.now() };
    await deps.db.insert(projectBackings).values(grant);
    const first = await createPayment(deps, { project, owner: owners[0] });
    const second = await createPayment(deps, { project, owner: owners[0] });

    const results = await decideAtOnce([
      { paymentId: first.payment.id, status: "approved" },
      { paymentId: second.payment.id, status: "approved" },
    ]);
    const winner = results[0]?.status === "fulfilled" ? 0 : 1;
    expect(refusals(results)).toEqual([paymentTexts.roundTaken(owners[winner].fullName)]);
    const payments = [await findPayment(deps.db, first.payment.id), await findPayment(deps.db, second.payment.id)];
    expect(payments.map(({ status }) => status).sort()).toEqual(["approved", "pending"]);
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: true,
      currentFundingKobo: project.fundingGoalKobo,
      backersCount: 2,
    });
    const closings = await deps.db.select().from(notifications).where(eq(notifications.userId, friend.id));
    expect(closings.map(({ kind }) => kind)).toEqual(["project_closed"]);
  }
  const [ledger] = await rows<{ total: string }>(deps.db, sql`select sum(amount_kobo) as total from ledger_entries`);
  expect(Number(ledger?.total)).toBe(0);
});

test("both decide at once on a payment whose project was removed: one succeeds, one entry is audited", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project } = await createPayment(deps, { owner: owners[0] });
    await deps.db.delete(projects).where(eq(projects.id, project.id));
    const results = await decideAtOnce([
      { paymentId: payment.id, status: "rejected" },
      { paymentId: payment.id, status: "rejected" },
    ]);
    expect(refusals(results)).toEqual([paymentTexts.changed]);
    await expectMoneyHolds(deps);
  }
});

test("visits of the payment page, one upon the other, don't keep an approval waiting", async () => {
  const { payment, project } = await createPayment(deps, { owner: owners[0] });
  const visitors = await Promise.all(
    Array.from({ length: 10 }, async () => contextOf(replicas[1], await createUser(deps.db))),
  );
  let isDone = false;
  let count = 0;
  const visits = visitors.map(async (ctx) => {
    for (; !isDone; count += 1) await openPaymentPage(ctx, { projectId: project.id });
  });
  try {
    await expect.poll(() => count).toBeGreaterThan(visitors.length);
    const look = await seen(deps.db, payment.id);
    // The product itself waits for no lock longer than ten seconds.
    await setPaymentStatus(await one(), { ...look, status: "approved" });
  } finally {
    isDone = true;
    await Promise.all(visits);
  }
});

test("the payment page of a project that is removed at this moment is not found", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const project = await createProject(deps.db);
    const ctx = await contextOf(replicas[0], await createUser(deps.db));
    const [page] = await Promise.allSettled([
      openPaymentPage(ctx, { projectId: project.id }),
      deps.db.delete(projects).where(eq(projects.id, project.id)),
    ]);
    if (page.status === "rejected") expect(page.reason).toMatchObject({ reason: "not_found" });
  }
});

test("no deadlock happened", async () => {
  await deps.db.execute(sql`select pg_stat_clear_snapshot()`);
  const [found] = await rows<{ deadlocks: string }>(
    deps.db,
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  expect(Number(found?.deadlocks)).toBe(0);
});
