import { and, desc, eq, ne, sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { harvestCosts, harvestSales, roundWeights } from "#server/db/schema/harvests.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  askToLoseCosts,
  endChoosing,
  findHarvest,
  fundFarm,
  keepCost,
  keepEvidence,
  keepSale,
  openHarvestOf,
  partsOf,
  sell,
  sumOfLosses,
} from "#tests/support/harvests.ts";
import { decide, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { farmOf } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { confirmNext, countCosts } from "#tests/support/second-person.ts";

/** Mishaps in a harvest's life: guessed codes, sales that bring nothing, mistakes that are taken back. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let sold: Awaited<ReturnType<typeof sellOut>>;
/** Signs Amaka in anew, because the clock moves by days. */
const asOwner = () => callAs(deps, amaka);
const owners = () => ({ asker: amaka, confirmer: bola });

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  await setBankDetails(deps.db);
  sold = await sellOut();
});
afterEach(() => expectMoneyHolds(deps));

test("whom the costs leave nothing is told so, with the calculation", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  const harvestId = await openHarvestOf(await asOwner(), farm, 100_000n);
  await endChoosing(deps, harvestId);
  await keepCost(deps, { harvestId, amountKobo: 500_000n, paidBy: "farm" });
  await countCosts(deps, owners(), harvestId);
  await sell(deps, owners(), { harvestId, amountKobo: 200_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "2,000" });
  const told = (await queuedMailsTo(deps.db, farm.backers[0]?.email ?? "")).at(-1);
  expect(told?.subject).toContain("was sold: nothing is left for you");
  expect(told?.text).toContain("Proceeds of the sales: ₦2,000.00");
  expect(told?.text).toContain("Costs under the terms: ₦2,000.00");
  expect(told?.text).toContain("You get: ₦0.00");
});

test("a harvest that was opened by mistake and withdrawn lets payments be taken back again, while no other began", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1], minimumLots: 1 });
  const [payment] = await deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, farm.project.id));
  const paymentId = payment?.id ?? 0;
  const takeBack = () => decide(deps, amaka, { paymentId, status: "rejected" });
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
  await (await asOwner()).secondPerson.ask({ kind: "lose", details: { what: "harvest", harvestId: lost }, reason });
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
  const ask = async () =>
    (await asOwner()).secondPerson.ask({ kind: "lose", details: { what: "rest", harvestId }, reason });
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
  const ask = async () =>
    (await asOwner()).secondPerson.ask({ kind: "lose", details: { what: "rest", harvestId }, reason });
  await expect(ask()).rejects.toThrow(texts.loseInstead);
  await sell(deps, owners(), { harvestId, quantity: 150_000n, amountKobo: 1_000_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
  await expect(ask()).rejects.toThrow(texts.restEvidence);
  await sell(deps, owners(), { harvestId, quantity: 50_000n, amountKobo: 1_000_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "10,000" });
  await expect(ask()).rejects.toThrow(texts.nothingLost);
  await (await asOwner()).harvests.finish({ harvestId });
});

const auditOf = async (action: string, harvestId: number) => {
  const isOf = and(eq(auditLogs.actionType, action), sql`${auditLogs.details}->>'harvestId' = ${String(harvestId)}`);
  const [entry] = await deps.db.select().from(auditLogs).where(isOf);
  return entry?.details;
};
/** A harvest that was sold for ₦1,000 and settled: ₦100 of it is owed to the farm. */
async function sellOut() {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1], farmPart: "10" });
  const harvestId = await openHarvestOf(await asOwner(), farm, 100_000n);
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 100_000n, amountKobo: 100_000n });
  await (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "1,000" });
  return { farm, harvestId };
}
const payoutOfFarm = async () => {
  const [payout] = await deps.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.kind, "farm"), ne(payouts.state, "cancelled")))
    .orderBy(desc(payouts.id));
  if (!payout) throw new Error("nothing is owed to the farm");
  return payout;
};

test("costs that the farm is owed more than end with the harvest, by one owner, and nothing is lost", async () => {
  const { harvestId } = sold;
  const before = await sumOfLosses(deps);
  await keepCost(deps, { harvestId, amountKobo: 6000n });
  const one = await (await asOwner()).harvests.one({ harvestId });
  expect(one).toMatchObject({ finishRefusal: null, costsRefusal: texts.nothingLost });
  expect(one.costsAtEnd).toEqual({ ofFarmKobo: 6000n, lostKobo: 0n, unwrittenKobo: 0n });
  await expect(askToLoseCosts(deps, amaka, { harvestId, amountKobo: 1n })).rejects.toThrow(texts.nothingLost);
  await (await asOwner()).harvests.finish({ harvestId });
  expect([(await payoutOfFarm()).amountKobo, await sumOfLosses(deps)]).toEqual([4000n, before]);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "done", costsLostAt: null });
  expect(await auditOf("finish_harvest", harvestId)).toMatchObject({ ofFarmKobo: "6000", lostKobo: "0" });
});

test("where the platform's costs would be lost no owner ends a harvest alone, and two book that sum and no other", async () => {
  const { harvestId } = sold;
  const before = await sumOfLosses(deps);
  await keepCost(deps, { harvestId, amountKobo: 15_000n });
  const refusal = "₦50 that the platform paid as costs would be lost. Two owners end it by booking that as a loss.";
  const one = await (await asOwner()).harvests.one({ harvestId });
  expect(one).toMatchObject({ finishRefusal: refusal, costsRefusal: null, restRefusal: texts.nothingLost });
  expect(one.costsAtEnd).toEqual({ ofFarmKobo: 10_000n, lostKobo: 5000n, unwrittenKobo: 0n });
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(refusal);
  await expect(askToLoseCosts(deps, amaka, { harvestId, amountKobo: 4999n })).rejects.toThrow(texts.changed);

  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: 5000n });
  await expect(confirmNext(deps, amaka)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const chidi = await createAdmin(deps.db, "manager");
  await expect(confirmNext(deps, chidi)).rejects.toMatchObject({ code: "FORBIDDEN" });
  // More would be lost than the request says.
  await keepCost(deps, { harvestId, amountKobo: 100n });
  await expect(confirmNext(deps, bola)).rejects.toThrow(texts.changed);
  expect([(await findHarvest(deps, harvestId)).state, await sumOfLosses(deps)]).toEqual(["settled", before]);
  expect(await payoutOfFarm()).toMatchObject({ amountKobo: 10_000n, state: "waiting" });
  const [, late] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
  await (await asOwner()).harvests.removeCost({ costId: late?.id ?? 0 });

  await confirmNext(deps, bola);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "done", costsLostAt: deps.clock.now() });
  expect(await sumOfLosses(deps)).toBe(before + 5000n);
  expect(await auditOf("lose_costs", harvestId)).toMatchObject({ amountKobo: "5000", ofFarmKobo: "10000" });
  expect(await auditOf("finish_harvest", harvestId)).toBeUndefined();
  await expect(askToLoseCosts(deps, amaka, { harvestId, amountKobo: 5000n })).rejects.toThrow(texts.notAllotted);
});

test("the loss that ends a harvest isn't confirmed once a run has taken what is owed to its farm", async () => {
  const { farm, harvestId } = sold;
  const before = await sumOfLosses(deps);
  await keepCost(deps, { harvestId, amountKobo: 15_000n });
  await askToLoseCosts(deps, amaka, { harvestId, amountKobo: 5000n });
  const account = await giveAccount(deps, farmOf(farm.project), { addedBy: amaka.id });
  const ownAccount = { id: await keepOwnAccount(deps.db) };
  const run = [{ payout: await payoutOfFarm(), account }];
  await keepRun(deps, run, { ownAccount, owner: amaka, second: bola, isExported: false });
  await expect(confirmNext(deps, bola)).rejects.toThrow(texts.changed);
  expect([(await findHarvest(deps, harvestId)).state, await sumOfLosses(deps)]).toEqual(["settled", before]);
});

test("what of the platform's costs is lost with the rest of a harvest is named, and confirmed as it was", async () => {
  const { harvestId } = sold;
  const before = await sumOfLosses(deps);
  await keepCost(deps, { harvestId, amountKobo: 15_000n });
  const [sale] = (await (await asOwner()).harvests.one({ harvestId })).sales;
  await deps.db
    .update(harvestSales)
    .set({ quantity: 99_000n })
    .where(eq(harvestSales.id, sale?.id ?? 0));
  deps.clock.advance({ minutes: 1 });
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  await expect(askToLoseCosts(deps, amaka, { harvestId, amountKobo: 5000n })).rejects.toThrow(texts.unsold);
  const ask = async (lostKobo?: string) =>
    (await asOwner()).secondPerson.ask({
      kind: "lose",
      details: { what: "rest", harvestId, lostKobo },
      reason: "The last fish were spoilt before they were sold.",
    });
  await expect(ask()).rejects.toThrow(texts.changed);
  await ask("5000");
  const { requests } = await (await asOwner()).secondPerson.list();
  expect(requests.at(-1)?.consequences).toContain("₦50 that the platform paid for it is lost too.");
  await keepCost(deps, { harvestId, amountKobo: 100n });
  await expect(confirmNext(deps, bola)).rejects.toThrow(texts.changed);
  const [, late] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
  await (await asOwner()).harvests.removeCost({ costId: late?.id ?? 0 });
  await confirmNext(deps, bola);
  expect([(await findHarvest(deps, harvestId)).state, await sumOfLosses(deps)]).toEqual(["done", before + 5000n]);
});
