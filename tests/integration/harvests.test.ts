import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { settings } from "#server/db/schema/settings.ts";
import { moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { maxTransferKey, vatKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  endChoosing,
  findHarvest,
  fundFarm,
  keepCost,
  keepEvidence,
  keepSale,
  openHarvestOf,
  partsOf,
  seenDraft,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { isLong } from "#tests/support/length.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun } from "#tests/support/payouts.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { confirmNext, countCosts, removeSale } from "#tests/support/second-person.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/** A harvest from its first counting to the money's way back. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
let chidi: TestUser;
let example: Awaited<ReturnType<typeof workedExample>>;
/** With sessions that begin now, because the clock moves by days. */
const asOwner = () => callAs(deps, amaka);
const asManager = () => callAs(deps, chidi);

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
  chidi = await createAdmin(deps.db, "manager", { fullName: "Chidi Eze" });
  await setBankDetails(deps.db);
  example = await workedExample();
});
afterEach(() => expectMoneyHolds(deps));

const owners = () => ({ asker: amaka, confirmer: bola });
const settle = async (harvestId: number, amount: string, pool: "sold" | "uncollected" = "sold") =>
  (await asOwner()).harvests.settle({ harvestId, pool, amount });
const payoutsOf = (settlementId: number) =>
  deps.db.select().from(payouts).where(eq(payouts.settlementId, settlementId)).orderBy(payouts.id);

/** The worked example: lots for ₦3.0m, ₦1.2m and ₦0.5m; the second takes 200 kg, the third takes all. */
async function workedExample() {
  const farm = await fundFarm(deps, { owner: amaka, lots: [30, 12, 5], farmPart: "10", plannedQuantity: "2,600" });
  const harvestId = await openHarvestOf(await asManager(), farm, 2_514_250n);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "200", given: "0" });
  await (await farm.as(2)).harvests.choose({ harvestId, taken: "240.726", given: "0" });
  return { farm, harvestId };
}

test("the worked example, to the kobo", async () => {
  await deps.db.insert(settings).values({ key: vatKey, value: "7.5" });
  const { farm, harvestId } = example;
  await giveAccount(deps, { userId: farm.backers[0]?.id ?? "" }, { addedBy: farm.backers[0]?.id ?? "" });
  await endChoosing(deps, harvestId);
  expect(await findHarvest(deps, harvestId)).toMatchObject({ state: "allotted", farmQuantity: 251_425n });
  expect(await partsOf(deps, harvestId)).toMatchObject([
    { quantity: 1_444_356n, taken: 0n, given: 0n, sold: 1_444_356n, produceKobo: 0n, code: null },
    { quantity: 577_743n, taken: 200_000n, given: 0n, sold: 377_743n, produceKobo: 55_000_000n },
    { quantity: 240_726n, taken: 240_726n, given: 0n, sold: 0n, produceKobo: 66_199_650n },
  ]);
  const label = "Feed";
  const fileId = await keepEvidence(deps, chidi);
  await (await asManager()).harvests.addCost({ harvestId, label, amount: "185,000", paidBy: "platform", fileId });
  await sell(deps, owners(), { harvestId, quantity: 1_298_000n, amountKobo: 356_950_000n });
  await sell(deps, owners(), { harvestId, quantity: 775_524n, amountKobo: 208_228_194n });

  const preview = await (await asOwner()).harvests.preview({ harvestId, pool: "sold" });
  expect(preview).toMatchObject({ proceedsKobo: 565_178_194n, costsKobo: 18_500_000n, farmKobo: 66_287_424n });
  expect(preview.rows).toMatchObject([
    { shareKobo: 380_799_995n, feeKobo: 19_039_999n, vatKobo: 1_427_999n, netKobo: 360_331_997n },
    { shareKobo: 99_590_775n, feeKobo: 4_979_538n, vatKobo: 373_465n, netKobo: 94_237_772n },
  ]);
  await expect(settle(harvestId, "5,651,781.93")).rejects.toThrow(texts.proceedsChanged);
  await settle(harvestId, "5,651,781.94");
  const [settled] = await settlementsOf(deps, harvestId);
  expect(settled).toMatchObject({ number: 1, netKobo: 454_569_769n, feeKobo: 24_019_537n, vatKobo: 1_801_464n });
  expect(await payoutsOf(settled?.id ?? 0)).toMatchObject([
    { kind: "harvest", amountKobo: 360_331_997n, state: "due" },
    { kind: "harvest", amountKobo: 94_237_772n, state: "waiting" },
    { kind: "farm", amountKobo: 66_287_424n, state: "waiting", userId: null },
  ]);
  await expect(settle(harvestId, "5,651,781.94")).rejects.toThrow(texts.nothingReceived);
  const [mine] = await (await farm.as(1)).harvests.mine({ projectId: farm.project.id });
  expect(mine?.settlements).toMatchObject([
    { mine: { weight: 377_743n, shareKobo: 99_590_775n, netKobo: 94_237_772n }, whole: 2_073_524n },
  ]);
});

test("a choice changes until the last second, and what isn't chosen is sold", async () => {
  const { farm, harvestId } = example;
  await expect((await farm.as(1)).harvests.choose({ harvestId, taken: "577.744", given: "0" })).rejects.toThrow(
    "Your share is 577.743 kg",
  );
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "0", given: "100" });
  const { choosesUntil } = await findHarvest(deps, harvestId);
  deps.clock.advance({ ms: (choosesUntil?.getTime() ?? 0) - deps.clock.now().getTime() });
  await (await farm.as(0)).harvests.choose({ harvestId, taken: "1", given: "0" });
  deps.clock.advance({ seconds: 1 });
  await expect((await farm.as(0)).harvests.choose({ harvestId, taken: "2", given: "0" })).rejects.toThrow(
    texts.notChoosing,
  );
  await endChoosing(deps, harvestId);
  expect(await partsOf(deps, harvestId)).toMatchObject([
    { taken: 1000n, sold: 1_443_356n },
    { taken: 0n, given: 100_000n, sold: 477_743n },
    { taken: 240_726n, sold: 0n },
  ]);
});

test("a quantity that falls cuts what was chosen in proportion, and never rises", async () => {
  const { farm, harvestId } = example;
  const lower = async (quantity: string) =>
    (await asManager()).harvests.lower({ harvestId, quantity, reason: "The scale was wrong by a half." });
  await expect(lower("2,600")).rejects.toThrow(texts.onlyLess);
  await (await asManager()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, chidi) });
  await lower("1,257.125");
  const [mine] = await (await farm.as(1)).harvests.mine({ projectId: farm.project.id });
  // 288.871 of 577.743 kg: 200 and 377.743 in proportion.
  expect(mine?.mine).toMatchObject({ quantity: 288_871n, taken: 100_000n, sold: 188_871n });
  const [mail] = (await queuedMailsTo(deps.db, farm.backers[1]?.email ?? "")).slice(-1);
  expect(mail?.subject).toContain("is smaller than counted");
});

test("below 90 % of the plan it takes a reason and a photo", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1], plannedQuantity: "2,000", harvests: 2 });
  const facts = { projectId: farm.project.id, round: 1, lostQuantity: "0", referencePrice: "2,750", note: "" };
  await expect((await asManager()).harvests.create({ ...facts, quantity: "899.999" })).rejects.toThrow(texts.shortNote);
  await (await asManager()).harvests.create({ ...facts, quantity: "920" });
  const note = "The pond was flooded in October.";
  const { harvestId } = await (await asManager()).harvests.create({ ...facts, quantity: "500", note });
  await expect((await asManager()).harvests.open(await seenDraft(deps.db, harvestId))).rejects.toThrow(
    texts.shortPhoto,
  );
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  await (await asManager()).harvests.open(await seenDraft(deps.db, harvestId));
});

test("produce is collected by code, and what isn't in time is sold and settled by itself", async () => {
  const { farm, harvestId } = example;
  await endChoosing(deps, harvestId);
  const [, b, c] = await partsOf(deps, harvestId);
  const handed = await (await asManager()).harvests.collect({ harvestId, code: b?.code ?? "" });
  expect(handed).toEqual({ name: farm.backers[1]?.fullName, quantity: 200_000n });
  await expect((await asManager()).harvests.collect({ harvestId, code: b?.code ?? "" })).rejects.toThrow(
    texts.collectedAlready,
  );

  await moveUncollected(deps, harvestId);
  expect((await partsOf(deps, harvestId))[2]).toMatchObject({ uncollectedAt: null });
  deps.clock.advance({ days: 8 });
  await expect((await asManager()).harvests.collect({ harvestId, code: c?.code ?? "" })).rejects.toThrow(
    texts.collectingOver,
  );
  await moveUncollected(deps, harvestId);
  await moveUncollected(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 240_726n, amountKobo: 1_000_000n, pool: "uncollected" });
  await expect(settle(harvestId, "10,000")).rejects.toThrow(texts.nothingReceived);
  await settle(harvestId, "10,000", "uncollected");
  const [settled] = await settlementsOf(deps, harvestId);
  expect(settled).toMatchObject({ pool: "uncollected", farmKobo: 0n, netKobo: 950_000n, feeKobo: 50_000n });
});

test("costs that sales don't cover wait, and at the end fall on the farm as far as it is owed something, then are lost", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  const cost = async (amount: string, paidBy: "platform" | "farm") =>
    (await asManager()).harvests.addCost({
      harvestId,
      label: "Feed",
      amount,
      paidBy,
      fileId: await keepEvidence(deps, chidi),
    });
  await cost("300", "farm");
  await countCosts(deps, owners(), harvestId);
  await cost("900", "platform");
  await sell(deps, owners(), { harvestId, amountKobo: 100_000n });
  await settle(harvestId, "1,000");
  const [first] = await settlementsOf(deps, harvestId);
  expect(first).toMatchObject({ costsKobo: 100_000n, farmCostsKobo: 30_000n, farmKobo: 0n, netKobo: 0n });
  await cost("100,000", "platform");
  deps.clock.advance({ days: 8 });
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(texts.stillOpen);
  await moveUncollected(deps, harvestId);
  const sale = await keepSale(deps, await asOwner(), { harvestId, amountKobo: 5_000_000n });
  await removeSale(deps, owners(), sale);
  // What nobody collected was never sold.
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(texts.nothingSettled);
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const reason = "It spoiled before anybody bought it.";
  // ₦200 and ₦100,000 are left; ₦300 of them the farm bears.
  const lostKobo = 20_000n + 10_000_000n - 30_000n;
  const details = { what: "rest" as const, harvestId, lostKobo: String(lostKobo) };
  await (await asOwner()).secondPerson.ask({ kind: "lose", details, reason });
  await confirmNext(deps, bola);
  expect((await settlementsOf(deps, harvestId))[0]).toMatchObject({ farmDeductedKobo: 30_000n });
  const sums = await deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.account, "losses"));
  expect(sums.at(-1)?.amountKobo).toBe(lostKobo);
  expect((await findHarvest(deps, harvestId)).state).toBe("done");
});

test("a total loss takes evidence and two owners, and an insurer's sum is divided by what was paid", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [3, 1] });
  const facts = { projectId: farm.project.id, round: 1, lostQuantity: "800", referencePrice: "2,750" };
  const note = "All fish died in the heat of March.";
  const { harvestId } = await (await asManager()).harvests.create({ ...facts, quantity: "0", note });
  await expect((await asManager()).harvests.open(await seenDraft(deps.db, harvestId))).rejects.toThrow(
    texts.nothingToChoose,
  );
  const ask = async () =>
    (await asOwner()).secondPerson.ask({ kind: "lose", details: { what: "harvest", harvestId }, reason: note });
  await expect(ask()).rejects.toThrow(texts.evidenceFirst);
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  await ask();
  await confirmNext(deps, bola);
  expect((await findHarvest(deps, harvestId)).state).toBe("lost");
  expect((await (await farm.as(0)).harvests.mine({ projectId: farm.project.id }))?.[0]).toMatchObject({
    state: "lost",
    mine: { quantity: 0n },
  });

  const insured = { projectId: farm.project.id, round: 1, note: "The insurer pays a part." };
  const { harvestId: sumId } = await (await asManager()).harvests.createInsurance(insured);
  await sell(deps, owners(), { harvestId: sumId, buyer: "Leadway", quantity: null, amountKobo: 20_000_001n });
  await settle(sumId, "200,000.01");
  const [settled] = await settlementsOf(deps, sumId);
  expect(settled).toMatchObject({ feeKobo: 0n, farmKobo: 0n, netKobo: 20_000_001n });
  expect((await payoutsOf(settled?.id ?? 0)).map(({ amountKobo }) => amountKobo)).toEqual([15_000_001n, 5_000_000n]);
  expect((await (await farm.as(1)).harvests.mine({ projectId: farm.project.id }))?.length).toBe(2);
  const [mail] = (await queuedMailsTo(deps.db, farm.backers[1]?.email ?? "")).slice(-1);
  expect(mail?.subject).toContain("The insurer has paid for");
  expect(mail?.text).not.toMatch(/sold|fee/i);
});

test("a harvest that nobody has chosen about is withdrawn, another isn't", async () => {
  const { farm, harvestId } = example;
  const reason = "It was entered for the wrong farm.";
  await expect((await asManager()).harvests.withdraw({ harvestId, reason })).rejects.toThrow(texts.choicesMade);
  const other = await openHarvestOf(await asManager(), farm, 2_400_000n);
  await (await asManager()).harvests.withdraw({ harvestId: other, reason });
  expect((await findHarvest(deps, other)).state).toBe("withdrawn");
  expect((await findHarvest(deps, other)).number).toBe(2);
});

test("a sale of a harvest that ended isn't declared as received, also if it was asked for before", async () => {
  const farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  const insured = { projectId: farm.project.id, round: 1, note: "The insurer pays a part." };
  const { harvestId } = await (await asManager()).harvests.createInsurance(insured);
  const saleId = await keepSale(deps, await asOwner(), { harvestId, quantity: null, amountKobo: 1_000_000n });
  await (await asOwner()).harvests.addFile({ harvestId, saleId, fileId: await keepEvidence(deps, amaka) });
  const reason = "The insurer paid in cash.";
  const details = { saleId, amountKobo: "1000000" };
  await (await asOwner()).secondPerson.ask({ kind: "declare_sale", details, reason });
  await (await asManager()).harvests.withdraw({ harvestId, reason: "It was entered for the wrong farm." });
  await expect(confirmNext(deps, bola)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await deps.db.$count(ledgerEntries, eq(ledgerEntries.saleId, saleId))).toBe(0);
});

test("no more is sold than there is to sell, of what was sold at first and of what nobody collected", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  const sold = { harvestId, amountKobo: 1_000_000n };
  // The farm's 251.425 kg and the backers' 1,822.099 kg.
  await expect(keepSale(deps, await asManager(), { ...sold, quantity: 2_073_525n })).rejects.toThrow(
    texts.tooMuchSold("2,073.524 kg"),
  );
  await keepSale(deps, await asManager(), { ...sold, quantity: 1_298_000n });
  const rest = await keepSale(deps, await asManager(), { ...sold, quantity: 775_524n });
  await expect(keepSale(deps, await asManager(), { ...sold, quantity: 1n })).rejects.toThrow(texts.tooMuchSold(null));
  await removeSale(deps, owners(), rest);
  await expect(keepSale(deps, await asManager(), { ...sold, quantity: 775_525n })).rejects.toThrow(
    texts.tooMuchSold("775.524 kg"),
  );
  deps.clock.advance({ days: 8 });
  await moveUncollected(deps, harvestId);
  const left = { ...sold, pool: "uncollected" as const };
  await expect(keepSale(deps, await asManager(), { ...left, quantity: 440_727n })).rejects.toThrow(
    texts.tooMuchSold("440.726 kg"),
  );
  await keepSale(deps, await asManager(), { ...left, quantity: 440_726n });
});

test("a sale may be of a hundred billion naira, and is settled in payouts of what one transfer may have", async () => {
  const transfer = isLong ? 40_000_000n : 1_000_000_000n;
  await deps.db.insert(settings).values({ key: maxTransferKey, value: String(transfer) });
  const farm = await fundFarm(deps, { owner: amaka, lots: [1, 1], fee: "30" });
  const harvestId = await openHarvestOf(await asManager(), farm, 500_000_000_000n);
  await endChoosing(deps, harvestId);
  const most = { harvestId, quantity: 500_000_000_000n, amountKobo: 10_000_000_000_000n };
  await expect(keepSale(deps, await asManager(), { ...most, amountKobo: most.amountKobo + 1n })).rejects.toThrow(
    texts.saleAmount,
  );
  await sell(deps, owners(), most);
  await settle(harvestId, "100,000,000,000");
  const [settlement] = await settlementsOf(deps, harvestId);
  expect(settlement).toMatchObject({ netKobo: 7_000_000_000_000n, feeKobo: 3_000_000_000_000n });
  expect(await payoutsOf(settlement?.id ?? 0)).toHaveLength(Number(70_000_000_000n / transfer));
});

test("money of what nobody left uncollected isn't declared, because it could never be divided", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  const early = { harvestId, amountKobo: 1_000_000n, pool: "uncollected" as const };
  await expect(sell(deps, owners(), early)).rejects.toThrow(texts.nothingUncollected);
  deps.clock.advance({ days: 8 });
  await moveUncollected(deps, harvestId);
  await sell(deps, owners(), early);
  await settle(harvestId, "10,000", "uncollected");
});

test("what was left of the costs at the end isn't taken again from money that comes later", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, amountKobo: 100_000n });
  for (const paidBy of ["platform", "farm"] as const) {
    await keepCost(deps, { harvestId, amountKobo: 500_000n, paidBy });
  }
  await countCosts(deps, owners(), harvestId);
  await settle(harvestId, "1,000");
  deps.clock.advance({ days: 8 });
  await moveUncollected(deps, harvestId);
  await sell(deps, owners(), { harvestId, amountKobo: 100_000n, pool: "uncollected" });
  await settle(harvestId, "1,000", "uncollected");
  const { costs } = await (await asOwner()).harvests.one({ harvestId });
  // What nobody collected bears at most its part of each cost.
  expect(costs.map(({ takenKobo }) => takenKobo)).toEqual([187_646n, 12_354n]);
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(texts.unsold);
  await (await asOwner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
  const reason = "Nobody has bought what is left of it.";
  const details = { what: "rest" as const, harvestId, lostKobo: "300000" };
  await (await asOwner()).secondPerson.ask({ kind: "lose", details, reason });
  await confirmNext(deps, bola);
  await sell(deps, owners(), { harvestId, amountKobo: 1_000_000n });
  await settle(harvestId, "10,000");
  const [, , later] = await settlementsOf(deps, harvestId);
  expect(later).toMatchObject({ proceedsKobo: 1_000_000n, costsKobo: 0n, farmCostsKobo: 0n });
});

test("one owner doesn't finish what was settled once a sale is taken out and its quantity left", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  deps.clock.advance({ days: 8 });
  await moveUncollected(deps, harvestId);
  await sell(deps, owners(), { harvestId, quantity: 440_726n, amountKobo: 100_000n, pool: "uncollected" });
  await settle(harvestId, "1,000", "uncollected");
  await sell(deps, owners(), { harvestId, quantity: 2_000_000n, amountKobo: 100_000n });
  await settle(harvestId, "1,000");
  const saleId = await keepSale(deps, await asOwner(), { harvestId, quantity: 73_524n, amountKobo: 5_000n });
  const finish = async () => (await asOwner()).harvests.finish({ harvestId });
  await expect(finish()).rejects.toThrow(texts.salesUnpaid);
  await removeSale(deps, owners(), saleId);
  await expect(finish()).rejects.toThrow(texts.unsold);
  await sell(deps, owners(), { harvestId, quantity: 73_524n, amountKobo: 5_000n });
  await settle(harvestId, "50");
  await finish();
});

test("a harvest of which something was to be sold isn't done before a settlement", async () => {
  const { harvestId } = example;
  await endChoosing(deps, harvestId);
  deps.clock.advance({ days: 8 });
  await moveUncollected(deps, harvestId);
  await expect((await asOwner()).harvests.finish({ harvestId })).rejects.toThrow(texts.nothingSettled);

  const farm = await fundFarm(deps, { owner: amaka, lots: [1] });
  const taken = await openHarvestOf(await asManager(), farm, 10_000n);
  await (await farm.as(0)).harvests.choose({ harvestId: taken, taken: "10", given: "0" });
  await endChoosing(deps, taken);
  const [part] = await partsOf(deps, taken);
  await (await asManager()).harvests.collect({ harvestId: taken, code: part?.code ?? "" });
  await (await asOwner()).harvests.finish({ harvestId: taken });
  expect((await findHarvest(deps, taken)).state).toBe("done");
});

test("a settlement is reversed while no payout of it has left due, and not after", async () => {
  const { farm, harvestId } = example;
  await endChoosing(deps, harvestId);
  await sell(deps, owners(), { harvestId, amountKobo: 100_000_000n });
  await settle(harvestId, "1,000,000");
  const reason = "The buyer's price was typed wrong.";
  const [first] = await settlementsOf(deps, harvestId);
  await (await asOwner()).harvests.reverse({ settlementId: first?.id ?? 0, reason });
  expect((await findHarvest(deps, harvestId)).state).toBe("allotted");
  expect((await payoutsOf(first?.id ?? 0)).map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
  await expect((await asOwner()).harvests.reverse({ settlementId: first?.id ?? 0, reason })).rejects.toThrow(
    texts.reversedAlready,
  );
  await settle(harvestId, "1,000,000");
  const second = (await settlementsOf(deps, harvestId))[1];
  const [backer] = farm.backers;
  const account = await giveAccount(deps, { userId: backer?.id ?? "" }, { addedBy: backer?.id ?? "" });
  const [payout] = await payoutsOf(second?.id ?? 0);
  if (!payout) throw new Error("nothing is due");
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  await keepRun(deps, [{ payout, account }], { ownAccount, owner: amaka, second: bola, isExported: false });
  await expect((await asOwner()).harvests.reverse({ settlementId: second?.id ?? 0, reason })).rejects.toThrow(
    texts.payoutLeft,
  );
});
