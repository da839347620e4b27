import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { openPaymentPage, setPaymentStatus } from "#server/features/payments/service.ts";
import type { PaymentStatus } from "#shared/payment-statuses.ts";
import { paymentTexts } from "#shared/payments-texts.ts";
import { openTestReplicas, type TestDeps } from "#tests/support/deps.ts";
import { raceRounds } from "#tests/support/length.ts";
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
import { createProject } from "#tests/support/projects.ts";

const { deps, replicas } = await openTestReplicas();
let owners: [TestUser, TestUser];

beforeAll(async () => {
  owners = [
    await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" }),
    await createAdmin(deps.db, "owner", { fullName: "Tunde Bello" }),
  ];
});
afterEach(() => expectMoneyHolds(deps.db));

type Decision = { paymentId: number; status: PaymentStatus };

/** Both owners decide at the same moment, each through a replica of their own, on what they have just seen. */
async function decideAtOnce(decisions: [Decision, Decision]) {
  const inputs = await Promise.all(
    decisions.map(async (decision, index) => ({
      ctx: await contextOf(replicas[index] as TestDeps, owners[index] as TestUser),
      input: { ...(await seen(deps.db, decision.paymentId)), ...decision },
    })),
  );
  return Promise.allSettled(inputs.map(({ ctx, input }) => setPaymentStatus(ctx, input)));
}

const statuses = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status).sort();
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));

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
    expect(statuses(results)).toEqual(["fulfilled", "rejected"]);
    const winner = results[0]?.status === "fulfilled" ? 0 : 1;
    expect(refusals(results)).toMatchObject([
      { reason: "conflict", message: paymentTexts.roundTaken(owners[winner].fullName) },
    ]);
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
}, 180_000);

test("one owner approves and the other rejects the same receipt at once: one succeeds, the other looks again", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project } = await createPayment(deps, { owner: owners[0] });
    const results = await decideAtOnce([
      { paymentId: payment.id, status: "approved" },
      { paymentId: payment.id, status: "rejected" },
    ]);
    expect(statuses(results)).toEqual(["fulfilled", "rejected"]);
    expect(refusals(results)).toMatchObject([{ reason: "conflict", message: paymentTexts.changed }]);
    const { status } = await findPayment(deps.db, payment.id);
    expect(status).toBe(results[0]?.status === "fulfilled" ? "approved" : "rejected");
    expect((await findProject(deps.db, project.id)).isClosed).toBe(status === "approved");
  }
}, 60_000);

test("both decide at once on a payment whose project was removed: one succeeds, one entry is audited", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project } = await createPayment(deps, { owner: owners[0] });
    await deps.db.delete(projects).where(eq(projects.id, project.id));
    const results = await decideAtOnce([
      { paymentId: payment.id, status: "rejected" },
      { paymentId: payment.id, status: "rejected" },
    ]);
    expect(statuses(results)).toEqual(["fulfilled", "rejected"]);
    expect(refusals(results)).toMatchObject([{ message: paymentTexts.changed }]);
    await expectMoneyHolds(deps.db);
  }
}, 60_000);

test("one approval is taken back while another receipt is approved: any order, and the books agree", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const project = await createProject(deps.db);
    const waiting = await createPayment(deps, { project, owner: owners[0] });
    const approved = await createPayment(deps, { project, owner: owners[0], status: "approved" });
    const results = await decideAtOnce([
      { paymentId: approved.payment.id, status: "rejected" },
      { paymentId: waiting.payment.id, status: "approved" },
    ]);
    expect(results[0]?.status).toBe("fulfilled");
    const isTaken = results[1]?.status === "fulfilled";
    expect(await findProject(deps.db, project.id)).toMatchObject({
      isClosed: true,
      currentFundingKobo: isTaken ? project.fundingGoalKobo : 0n,
      backersCount: isTaken ? 1 : 0,
    });
  }
}, 60_000);

test("a receipt is replaced while it is approved: it is never approved unseen", async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { payment, project, backer } = await createPayment(deps, { owner: owners[0] });
    const ctx = await contextOf(replicas[0], owners[0]);
    const look = await seen(deps.db, payment.id);
    const [approval, sent] = await Promise.allSettled([
      setPaymentStatus(ctx, { ...look, status: "approved" }),
      sendReceipt(replicas[1], { backer, projectId: project.id }),
    ]);
    expect(sent.status).toBe("fulfilled");
    const payments = await deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, project.id));
    const now = await findPayment(deps.db, payment.id);
    if (approval.status === "fulfilled") {
      // Sent after the approval: a payment of its own.
      expect(now).toMatchObject({ status: "approved", currentReceiptId: payment.currentReceiptId });
      expect(payments).toHaveLength(2);
    } else {
      expect(approval.reason).toMatchObject({ message: paymentTexts.changed });
      expect(now.status).toBe("pending");
      expect(payments).toHaveLength(1);
    }
  }
}, 60_000);

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
    await setPaymentStatus(await contextOf(replicas[0], owners[0]), { ...look, status: "approved" });
  } finally {
    isDone = true;
    await Promise.all(visits);
  }
}, 60_000);

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
