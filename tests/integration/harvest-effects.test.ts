import { and, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { forgetContacts } from "#server/features/people/users/service.ts";
import { accountTexts, returnDays } from "#shared/accounts/texts.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  findHarvest,
  fundFarm,
  keepEvidence,
  openHarvestOf,
  partsOf,
  seenDraft,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { createPayment, decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { findPayout, giveAccount, keepRun } from "#tests/support/payouts.ts";
import { blockUser, callAs, createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { agree, confirmNext, giveWeight } from "#tests/support/second-person.ts";

/** Effects of a harvest elsewhere: on its round's payments and grants, the project, and its backers' accounts. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let farm: Farm;
const sure = { currentPassword: testPassword, confirmation: "close my account" } as const;
const reason = "It was entered for the wrong farm.";

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  const first = await fundFarm(deps, { owner: amaka, lots: [2, 1] });
  return () => {
    farm = first;
  };
});
afterEach(() => expectMoneyHolds(deps));

const asOwner = () => callAs(deps, amaka);
const owners = () => ({ asker: amaka, confirmer: bola });
const open = async () => openHarvestOf(await asOwner(), farm, 100_000n);
const sellAll = (harvestId: number, amountKobo = 30_000_000n) =>
  sell(deps, { asker: amaka, confirmer: bola }, { harvestId, amountKobo, quantity: 100_000n });
const backerOf = (index: number): TestUser => {
  const backer = farm.backers[index];
  if (!backer) throw new Error("no such backer");
  return backer;
};
const paymentOf = async (index: number) => {
  const [payment] = await deps.db
    .select()
    .from(projectPayments)
    .where(eq(projectPayments.userId, backerOf(index).id));
  if (!payment) throw new Error("no payment");
  return payment;
};
const takeBack = async (index: number) =>
  decide(deps, amaka, { paymentId: (await paymentOf(index)).id, status: "rejected" });
const deleteIt = async () => (await asOwner()).projects.delete({ projectId: farm.project.id });
const contactOf = async ({ id }: TestUser) =>
  (await deps.db.select().from(users).where(eq(users.id, id)))[0]?.contactEmail;

/** A harvest that was sold and settled; its payouts wait for accounts. */
async function settled(): Promise<number> {
  const harvestId = await open();
  await endChoosing(deps, harvestId);
  await sellAll(harvestId);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "300,000" });
  return harvestId;
}
/** Pays all that is owed of the farm's harvests, so long ago that no bank sends it back. */
async function payAll(): Promise<void> {
  const ownAccountId = await keepOwnAccount(deps.db);
  const owed = await deps.db.select().from(payouts).where(eq(payouts.projectId, farm.project.id));
  const lines = [];
  for (const { id, userId } of owed) {
    const account = await giveAccount(deps, { userId: userId ?? "" }, { addedBy: userId ?? "" });
    lines.push({ payout: await findPayout(deps, id), account });
  }
  await keepRun(deps, lines, { ownAccount: { id: ownAccountId }, owner: amaka, second: bola });
  const owner = await asOwner();
  for (const { id: payoutId } of owed) {
    await owner.payouts.markPaid({
      payoutId,
      sessionId: String(payoutId).padStart(30, "9"),
      reason: "Seen in the bank's app today",
    });
  }
  deps.clock.advance({ days: returnDays + 1 });
}

test("once a harvest has begun no payment of its round leaves approved, and once it is settled neither", async () => {
  const harvestId = await open();
  await expect(takeBack(0)).rejects.toThrow(texts.begun);
  expect((await paymentOf(0)).status).toBe("approved");
  await endChoosing(deps, harvestId);
  await expect(takeBack(0)).rejects.toThrow(texts.begun);
  await sellAll(harvestId);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "300,000" });
  await expect(takeBack(0)).rejects.toThrow(texts.roundSettled);
  // Another harvest of the round is open again.
  await open();
  await expect(takeBack(0)).rejects.toThrow(texts.begun);
});

const draft = async () => {
  const facts = { quantity: "100", lostQuantity: "0", referencePrice: "1,000", note: "" };
  return (await asOwner()).harvests.create({ projectId: farm.project.id, round: 1, ...facts });
};

test("a draft leaves payments as they are, and isn't opened while its round isn't funded", async () => {
  const { harvestId } = await draft();
  await takeBack(1);
  const start = async () => (await asOwner()).harvests.open(await seenDraft(deps.db, harvestId));
  await expect(start()).rejects.toThrow(texts.notFunded);
  await decide(deps, amaka, { paymentId: (await paymentOf(1)).id, status: "approved" });
  await start();
  await expect(takeBack(1)).rejects.toThrow(texts.begun);
});

test("while its round isn't funded nobody asks for what two owners couldn't confirm: a loss, an insurer's settlement", async () => {
  const owner = await asOwner();
  const facts = { quantity: "0", lostQuantity: "100", referencePrice: "1,000", note: "The ponds were flooded." };
  const { harvestId } = await owner.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const insured = { projectId: farm.project.id, round: 1, note: "The insurer pays a part." };
  const { harvestId: sumId } = await owner.harvests.createInsurance(insured);
  await sell(deps, owners(), { harvestId: sumId, buyer: "Leadway", quantity: null, amountKobo: 1_000_000n });
  const taxes = { vatRate: 0, whtRate: 0 };
  const details = { harvestId: sumId, pool: "sold" as const, amountKobo: "1000000", ...taxes };
  const settling = { kind: "settle_harvest" as const, details, reason };
  await owner.secondPerson.ask(settling);
  await takeBack(1);
  const [asked] = (await owner.secondPerson.list()).requests;
  expect(asked).toMatchObject({ isPossible: false, consequences: [texts.notFunded] });
  await expect(confirmNext(deps, bola)).rejects.toThrow(texts.notFunded);
  await owner.secondPerson.withdraw({ requestId: asked?.id ?? 0 });
  const losing = {
    kind: "lose" as const,
    details: { what: "harvest" as const, harvestId },
    reason: "All fish died in the flood.",
  };
  for (const request of [settling, losing]) {
    await expect(owner.secondPerson.ask(request)).rejects.toThrow(texts.notFunded);
  }
  await expect(owner.harvests.preview({ harvestId: sumId, pool: "sold" })).rejects.toThrow(texts.notFunded);
  expect((await owner.secondPerson.list()).requests).toEqual([]);
  await decide(deps, amaka, { paymentId: (await paymentOf(1)).id, status: "approved" });
  for (const request of [settling, losing]) await agree(deps, owners(), request);
  expect((await settlementsOf(deps, sumId)).map(({ proceedsKobo }) => proceedsKobo)).toEqual([1_000_000n]);
  expect((await findHarvest(deps, harvestId)).state).toBe("lost");
});

test("a payment that waits isn't approved in a round whose harvest has begun", async () => {
  farm = await fundFarm(deps, { owner: amaka, lots: [1, 1], minimumLots: 1 });
  await takeBack(1);
  const owner = await asOwner();
  await owner.payments.decideRound({ projectId: farm.project.id, outcome: "funded", seenApprovedLots: 1 });
  const harvestId = await open();
  const { id: paymentId } = await paymentOf(1);
  await expect(decide(deps, amaka, { paymentId, status: "approved" })).rejects.toThrow(texts.begun);
  expect((await paymentOf(1)).status).toBe("rejected");
  expect(await partsOf(deps, harvestId)).toHaveLength(1);
});

const askToWriteOff = async () =>
  (await asOwner()).secondPerson.ask({
    kind: "write_off",
    details: { projectId: farm.project.id, round: 1 },
    reason: "The ponds were flooded and the farmers left.",
  });

test("a round isn't written off while its harvest goes on, nor while one is being entered", async () => {
  const { harvestId } = await draft();
  const owner = await asOwner();
  const shown = async () =>
    (await owner.writeOffs.rounds({ projectId: farm.project.id })).map(({ refusal }) => refusal);
  await expect(askToWriteOff()).rejects.toThrow(texts.isDrafted);
  expect(await shown()).toEqual([texts.isDrafted]);
  await owner.harvests.open(await seenDraft(deps.db, harvestId));
  await expect(askToWriteOff()).rejects.toThrow(texts.begun);
  expect(await shown()).toEqual([texts.begun]);
});

test("where the terms plan more harvests than came, a project is deleted once two owners wrote the rest off", async () => {
  farm = await fundFarm(deps, { owner: amaka, lots: [1], harvests: 12 });
  const harvestId = await settled();
  await expect(askToWriteOff()).rejects.toThrow(texts.roundSettled);
  await (await asOwner()).harvests.finish({ harvestId });
  await payAll();
  await expect(deleteIt()).rejects.toThrow(projectAdminTexts.hasMoney);
  await askToWriteOff();
  await confirmNext(deps, bola);
  await expect(draft()).rejects.toThrow(texts.notFunded);
  await deleteIt();
  expect(await deps.db.$count(projects, eq(projects.id, farm.project.id))).toBe(0);
});

test("a round whose harvests were all withdrawn may be written off, one whose harvests are over may not", async () => {
  const harvestId = await settled();
  await (await asOwner()).harvests.finish({ harvestId });
  await expect(askToWriteOff()).rejects.toThrow(texts.roundSettled);
  farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  await (await asOwner()).harvests.withdraw({ harvestId: await open(), reason });
  await askToWriteOff();
  await confirmNext(deps, bola);
});

test("a grant's weight is fixed by the first harvest, and who loses the grant keeps their part, also with a new grant", async () => {
  const guest = await createUser(deps.db);
  const owner = await asOwner();
  const backing = { projectId: farm.project.id, userId: guest.id };
  await owner.backings.grant(backing);
  const weigh = (weightKobo: bigint) => giveWeight(deps, owners(), { ...backing, weightKobo });
  await weigh(10_000_000n);
  // Who gave it can't take it away by the back door.
  await expect(owner.backings.revokeGrant(backing)).rejects.toThrow(backingTexts.weightFirst);
  const harvestId = await open();
  await expect(weigh(20_000_000n)).rejects.toThrow(texts.begun);
  await owner.backings.revokeGrant(backing);
  expect((await partsOf(deps, harvestId)).filter(({ userId }) => userId === guest.id)).toMatchObject([
    { weightKobo: 10_000_000n },
  ]);
  await endChoosing(deps, harvestId);
  await sellAll(harvestId);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "300,000" });
  const [due] = await deps.db.select().from(payouts).where(eq(payouts.userId, guest.id));
  expect(due).toMatchObject({ kind: "harvest", state: "waiting" });
  await (await asOwner()).backings.grant(backing);
});

test("a weight counts in the harvests of its round alone, also of an earlier one whose harvest hasn't begun", async () => {
  const guest = await createUser(deps.db);
  const owner = await asOwner();
  const { id: projectId } = farm.project;
  const backing = { projectId, userId: guest.id };
  await owner.backings.grant(backing);
  await owner.projects.reopen({ projectId });
  const weigh = (round: number, weightKobo: bigint) => giveWeight(deps, owners(), { ...backing, round, weightKobo });
  expect((await owner.backings.listForProject({ projectId })).weightRounds).toEqual([2, 1]);
  await weigh(2, 10_000_000n);
  const first = await open();
  expect((await partsOf(deps, first)).map(({ userId }) => userId)).not.toContain(guest.id);
  expect((await owner.backings.listForProject({ projectId })).weightRounds).toEqual([2]);
  await expect(weigh(1, 10_000_000n)).rejects.toThrow(texts.begun);
  await weigh(2, 20_000_000n);
  expect(await (await callAs(deps, guest)).users.closing()).toMatchObject({ keepsContact: true });
  await weigh(2, 0n);
  expect(await (await callAs(deps, guest)).users.closing()).toMatchObject({ keepsContact: false });
});

test("a project with a harvest is deleted once all of it is done and paid, and the books stay", async () => {
  const harvestId = await settled();
  const shown = async () => (await asOwner()).projects.deletion({ projectId: farm.project.id });
  await expect(deleteIt()).rejects.toThrow(texts.keepsProject);
  expect(await shown()).toEqual({ refusal: texts.keepsProject });
  await (await asOwner()).harvests.finish({ harvestId });
  await expect(deleteIt()).rejects.toThrow(texts.owesBackers);
  expect(await deps.db.$count(projects, eq(projects.id, farm.project.id))).toBe(1);
  const { id: paymentId } = await paymentOf(0);
  await payAll();
  expect(await shown()).toEqual({ refusal: null });
  await deleteIt();
  expect(await deps.db.$count(projects, eq(projects.id, farm.project.id))).toBe(0);
  await expect(decide(deps, amaka, { paymentId, status: "rejected" })).rejects.toThrow(texts.roundSettled);
});

test("a project without a harvest, or with one that was withdrawn, keeps the money of its backers", async () => {
  await expect(deleteIt()).rejects.toThrow(projectAdminTexts.hasMoney);
  const harvestId = await open();
  await (await asOwner()).harvests.withdraw({ harvestId, reason });
  await expect(deleteIt()).rejects.toThrow(projectAdminTexts.hasMoney);
});

test("who leaves while a harvest runs keeps an address until all of it is paid", async () => {
  const [leaver, guest] = [backerOf(0), await createUser(deps.db)];
  const owner = await asOwner();
  const backing = { projectId: farm.project.id, userId: guest.id };
  await owner.backings.grant(backing);
  await giveWeight(deps, owners(), { ...backing, weightKobo: 10_000_000n });
  const harvestId = await open();
  for (const person of [leaver, guest]) {
    const mine = await callAs(deps, person);
    expect(await mine.users.closing()).toMatchObject({ keptOpenBy: null, keepsContact: true });
    await mine.users.close(sure);
    expect(await contactOf(person)).toBe(person.email);
  }
  await endChoosing(deps, harvestId);
  await sellAll(harvestId);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "300,000" });
  const stays = await callAs(deps, backerOf(1));
  const [due] = await deps.db
    .select()
    .from(payouts)
    .where(eq(payouts.userId, backerOf(1).id));
  await expect(stays.users.close(sure)).rejects.toThrow(accountTexts.moneyDue(formatNaira(due?.amountKobo ?? 0n)));

  await (await asOwner()).harvests.finish({ harvestId });
  await forgetContacts(deps);
  expect([await contactOf(leaver), await contactOf(guest)]).toEqual([leaver.email, guest.email]);
  await payAll();
  await forgetContacts(deps);
  expect([await contactOf(leaver), await contactOf(guest)]).toEqual([null, null]);
});

test("where the terms plan another harvest, an address is kept for it", async () => {
  farm = await fundFarm(deps, { owner: amaka, lots: [1], harvests: 2 });
  const harvestId = await settled();
  await (await asOwner()).harvests.finish({ harvestId });
  const leaver = backerOf(0);
  await payAll();
  await (await callAs(deps, leaver)).users.close(sure);
  await forgetContacts(deps);
  expect(await contactOf(leaver)).toBe(leaver.email);
});

test("somebody who is blocked can't choose, and their part is sold", async () => {
  const harvestId = await open();
  const mine = await farm.as(0);
  await blockUser(deps.db, backerOf(0).id);
  await expect(mine.harvests.choose({ harvestId, taken: "10", given: "0" })).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });
  await endChoosing(deps, harvestId);
  await moveUncollected(deps, harvestId);
  const [part] = await partsOf(deps, harvestId);
  expect(part).toMatchObject({ taken: 0n, given: 0n, sold: part?.quantity });
});

test("what people are told of a harvest leads to the farm's harvest", async () => {
  await open();
  const { id, email } = backerOf(0);
  const [notice] = await deps.db
    .select()
    .from(notifications)
    .where(and(eq(notifications.userId, id), eq(notifications.kind, "harvest")));
  expect(notice).toMatchObject({ projectId: farm.project.id });
  const mail = (await queuedMailsTo(deps.db, email)).find(({ subject }) => subject.includes("has harvested"));
  expect(mail?.text).toContain(`/backed-project/${farm.project.id}?tab=harvest`);
});

test("buying into a round whose harvest has begun isn't possible", async () => {
  await open();
  const buyer = createPayment(deps, { project: farm.project, owner: amaka });
  await expect(buyer).rejects.toMatchObject({ reason: "conflict" });
});
