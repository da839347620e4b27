import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { roundWeights } from "#server/db/schema/harvests.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { harvestTexts as texts } from "#shared/harvests-texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  confirmNext,
  endChoosing,
  findHarvest,
  fundFarm,
  keepEvidence,
  keepSale,
  openHarvestOf,
  partsOf,
  sell,
} from "#tests/support/harvests.ts";
import { decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";

/** What may go wrong in a harvest's life: guessed codes, sales that bring nothing, mistakes that are taken back. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
/** With a session that begins now, because the clock moves by days. */
const asOwner = () => callAs(deps, amaka);
const owners = () => ({ asker: amaka, confirmer: bola });

beforeEach(async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
});
afterEach(() => expectMoneyHolds(deps));

test("of twenty wrong codes at once five are looked at, and the right one waits ten minutes", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  const harvestId = await openHarvestOf(await asOwner(), farm, 100_000n);
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "100", given: "0" });
  await endChoosing(deps, harvestId);
  const code = (await partsOf(deps, harvestId))[0]?.code ?? "";
  const wrong = code === "000000" ? "999999" : "000000";
  const caller = await asOwner();
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => caller.harvests.collect({ harvestId, code: wrong })),
  );
  const said = tries.map((one) => (one.status === "rejected" ? (one.reason as Error).message : "handed over"));
  expect(said.filter((one) => one === texts.codeUnknown)).toHaveLength(5);
  expect(said.filter((one) => one === texts.codesLocked)).toHaveLength(15);
  await expect(caller.harvests.collect({ harvestId, code })).rejects.toThrow(texts.codesLocked);
  deps.clock.advance({ minutes: 10 });
  await caller.harvests.collect({ harvestId, code });
});

test("whom the costs leave nothing is told so, with the calculation", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  const harvestId = await openHarvestOf(await asOwner(), farm, 100_000n);
  await endChoosing(deps, harvestId);
  const fileId = await keepEvidence(deps, amaka);
  await (await asOwner()).harvests.addCost({ harvestId, label: "Feed", amount: "5,000", paidBy: "farm", fileId });
  await sell(deps, owners(), { harvestId, amountKobo: 200_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "2,000" });
  const told = (await queuedMailsTo(deps.db, farm.backers[0]?.email ?? "")).at(-1);
  expect(told?.subject).toContain("was sold: nothing is left for you");
  expect(told?.text).toContain("What the sales brought: ₦2,000.00");
  expect(told?.text).toContain("Costs, by the terms: ₦2,000.00");
  expect(told?.text).toContain("You get: ₦0.00");
});

test("a harvest that was opened by mistake and withdrawn lets payments be taken back again, while no other began", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1], minimumLots: 1 });
  const [payment] = await deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, farm.project.id));
  const paymentId = payment?.id ?? 0;
  const takeBack = () => decide(deps, amaka, { paymentId, status: "rejected", arrivedKobo: 0n });
  const reason = "It was entered for the wrong farm.";
  const first = await openHarvestOf(await asOwner(), farm, 100_000n);
  const second = await openHarvestOf(await asOwner(), farm, 200_000n);
  await (await asOwner()).harvests.withdraw({ harvestId: first, reason });
  await expect(takeBack()).rejects.toThrow(texts.begun);
  await (await asOwner()).harvests.withdraw({ harvestId: second, reason });
  await takeBack();
  expect(await deps.db.$count(roundWeights, eq(roundWeights.projectId, farm.project.id))).toBe(0);
});

test("a harvest that was lost keeps what its round's backings count, whatever is withdrawn", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  const lost = await openHarvestOf(await asOwner(), farm, 100_000n);
  const reason = "The pond was flooded in October.";
  await (await asOwner()).harvests.addFile({ harvestId: lost, fileId: await keepEvidence(deps, amaka) });
  await (await asOwner()).secondPerson.ask({ kind: "lose_harvest", details: { harvestId: lost }, reason });
  await confirmNext(deps, bola);
  const other = await openHarvestOf(await asOwner(), farm, 200_000n);
  await (await asOwner()).harvests.withdraw({ harvestId: other, reason });
  expect(await deps.db.$count(roundWeights, eq(roundWeights.projectId, farm.project.id))).toBe(2);
});

test("where a buyer never pays two people say that the rest is lost, and no owner ends it alone", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1, 1] });
  const harvestId = await openHarvestOf(await asOwner(), farm, 300_000n);
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "100", given: "0" });
  await endChoosing(deps, harvestId);
  const [part] = await partsOf(deps, harvestId);
  deps.clock.advance({ minutes: 1 });
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  await (await asOwner()).harvests.collect({ harvestId, code: part?.code ?? "" });
  const finish = async () => (await asOwner()).harvests.finish({ harvestId });
  const reason = "The buyer went out of business.";
  const ask = async () => (await asOwner()).secondPerson.ask({ kind: "lose_rest", details: { harvestId }, reason });
  await expect(finish()).rejects.toThrow(texts.nothingSettled);
  await sell(deps, owners(), { harvestId, amountKobo: 1_000_000n });
  await expect(ask()).rejects.toThrow(texts.moneyLeft);
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
  await keepSale(deps, await asOwner(), { harvestId, quantity: 100_000n, amountKobo: 50_000_000n });
  await expect(finish()).rejects.toThrow(texts.salesUnpaid);

  await ask();
  expect((await findHarvest(deps, harvestId)).state).toBe("settled");
  await confirmNext(deps, bola);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "done", restLostReason: reason });
  const subject = `The rest of your harvest of ${farm.project.title} is lost`;
  const told = [];
  for (const { email } of farm.backers) told.push((await queuedMailsTo(deps.db, email)).at(-1));
  expect(told.map((mail) => mail?.subject === subject)).toEqual([false, true, true]);
  expect(told[1]?.text).toContain(reason);
  const [mine] = await (await farm.as(1)).harvests.mine({ projectId: farm.project.id });
  expect(mine).toMatchObject({ state: "done", restLostReason: reason });
});

test("the rest is lost only where something is, with evidence from since the allotment", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1] });
  const harvestId = await openHarvestOf(await asOwner(), farm, 200_000n);
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  await endChoosing(deps, harvestId);
  const reason = "The buyer went out of business.";
  const ask = async () => (await asOwner()).secondPerson.ask({ kind: "lose_rest", details: { harvestId }, reason });
  await expect(ask()).rejects.toThrow(texts.loseInstead);
  await sell(deps, owners(), { harvestId, quantity: 150_000n, amountKobo: 1_000_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
  await expect(ask()).rejects.toThrow(texts.restEvidence);
  await sell(deps, owners(), { harvestId, quantity: 50_000n, amountKobo: 1_000_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
  await expect(ask()).rejects.toThrow(texts.nothingLost);
  await (await asOwner()).harvests.finish({ harvestId });
});
