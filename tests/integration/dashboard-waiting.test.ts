import { and, eq, like } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notifications } from "#server/db/schema/notifications.ts";
import { notifyOfWaitingMoney } from "#server/features/dashboard/jobs.ts";
import { openTestReplicas, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, fundFarm, openHarvestOf, sell } from "#tests/support/harvests.ts";
import { createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";

/** Farms' money that waits for an owner: on the dashboard as long as it waits, and told to every owner once. */

const { deps, replicas } = await openTestReplicas();
const start = deps.clock.now();
let amaka: TestUser;
let bola: TestUser;
let owner: Caller;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(start);
  amaka = await createAdmin(deps.db, "owner");
  bola = await createAdmin(deps.db, "owner");
  owner = await callAs(deps, amaka);
});
afterEach(() => expectMoneyHolds(deps));

const kinds = async () => (await owner.dashboard.waiting()).map(({ kind }) => kind);
const tell = () => Promise.all([deps, ...replicas].map((process) => notifyOfWaitingMoney(process)));
const subjects = async () => (await queuedMailsTo(deps.db, bola.email)).map(({ subject }) => subject);
const told = async (part: string) =>
  deps.db.$count(notifications, and(eq(notifications.userId, bola.id), like(notifications.eventKey, `%${part}%`)));

test("a round that ended undecided, until an owner decides", async () => {
  const project = await createProject(deps.db, { title: "Ponds at Epe", lots: 4, minimumLots: 1 });
  await createPayment(deps, { project, lots: 1, owner: amaka, status: "approved" });
  expect(await owner.dashboard.waiting()).toEqual([]);
  await owner.projects.close({ projectId: project.id });
  expect(await owner.dashboard.waiting()).toMatchObject([
    { kind: "decide_round", projectId: project.id, projectTitle: "Ponds at Epe", round: 1, lots: 4, approvedLots: 1 },
  ]);
  await tell();
  await tell();
  expect(await told("decide_round")).toBe(1);
  expect(await subjects()).toContain("A round waits for your decision: Ponds at Epe");
  await expect((await callAs(deps, "manager")).dashboard.waiting()).rejects.toMatchObject({ code: "FORBIDDEN" });
  await owner.payments.decideRound({ projectId: project.id, outcome: "funded", seenApprovedLots: 1 });
  expect(await kinds()).toEqual([]);
});

test("money of a funded round that has arrived, and again what arrives after a release", async () => {
  const project = await createProject(deps.db, { title: "Snails at Ijebu" });
  const { payment } = await createPayment(deps, { project, owner: amaka, status: "approved" });
  expect(await kinds()).toEqual([]);
  const account = await openOwnAccount(deps, { importedBy: amaka.id });
  const arrive = async (amountKobo: bigint) => {
    const { id: lineId } = await keepLine(deps, account, { amountKobo, narration: `NIP ${payment.reference}` });
    const part = { kind: "payment" as const, amountKobo, paymentId: payment.id };
    await owner.bank.match({ lineId, seenMatchedKobo: 0n, parts: [part] });
  };
  await arrive(100_00n);
  expect(await owner.dashboard.waiting()).toMatchObject([{ kind: "release_money", amountKobo: 100_00n }]);
  await tell();
  const seenKobo = 100_00n;
  await owner.farmReleases.release({
    part: 1,
    askId: null,
    projectId: project.id,
    round: 1,
    seenKobo,
    amountKobo: seenKobo,
  });
  expect(await kinds()).toEqual([]);
  await arrive(payment.amountKobo - 100_00n);
  await tell();
  expect(await told("release_money")).toBe(2);
});

test("sales that no settlement has divided, by day", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  const harvestId = await openHarvestOf(owner, farm, 100_000n);
  await endChoosing(deps, harvestId);
  owner = await callAs(deps, amaka);
  expect(await kinds()).toEqual([]);
  await sell(deps, { asker: amaka, confirmer: bola }, { harvestId, amountKobo: 500_000_00n });
  expect(await owner.dashboard.waiting()).toMatchObject([
    { kind: "settle_sales", harvestId, number: 1, isInsurance: false, amountKobo: 500_000_00n },
  ]);
  deps.clock.set(new Date(`${deps.clock.now().toISOString().slice(0, 10)}T22:30:00Z`));
  await tell();
  expect(await told("settle_sales")).toBe(0);
  deps.clock.set(new Date(deps.clock.now().getTime() + 12 * 3_600_000));
  await tell();
  expect(await told("settle_sales")).toBe(1);
});
