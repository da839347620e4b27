import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { harvestCosts, harvestSales } from "#server/db/schema/harvests.ts";
import { backingWeights } from "#server/db/schema/projects.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  findHarvest,
  fundFarm,
  keepCost,
  keepEvidence,
  keepSale,
  openHarvestOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { createPayment, expectMoneyHolds, findPayment, seen, setBankDetails } from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { agree, confirmNext, countCosts } from "#tests/support/second-person.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/** Acts that one owner of two tries alone, and that both do together. */

const deps = await openTestDeps();
let amaka: TestUser;
let bola: TestUser;
const as = (who: TestUser) => callAs(deps, who);
const owners = () => ({ asker: amaka, confirmer: bola });
const naira = (amount: number): Kobo => BigInt(amount) * 100n;
const reason = "We have looked at it together.";

beforeAll(async () => {
  await setBankDetails(deps.db);
});
beforeEach(async () => {
  await dismissAdmins(deps.db);
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  bola = await createAdmin(deps.db, "owner", { fullName: "Bola Ade" });
});
afterEach(() => expectMoneyHolds(deps));

const lastAudit = async (action: string) =>
  (
    await deps.db.select().from(auditLogs).where(eq(auditLogs.actionType, action)).orderBy(desc(auditLogs.id)).limit(1)
  )[0]?.details;

describe("of a round", () => {
  let farm: Farm;
  let harvestId: number;
  /** Lots of ₦1,000,000 together. */
  beforeEach(async () => {
    farm = await fundFarm(deps, { owner: amaka, lots: [6, 4], fee: "5", plannedQuantity: "1,000" });
  });
  /** A harvest of 1,000 kg that is open for choosing. */
  const open = async () => {
    harvestId = await openHarvestOf(await as(amaka), farm, 1_000_000n);
  };
  const allot = async () => {
    await open();
    await endChoosing(deps, harvestId);
  };
  const settle = async (by: TestUser, amount: string) =>
    (await as(by)).harvests.settle({ harvestId, pool: "sold", amount });

  type Request = Parameters<Caller["secondPerson"]["ask"]>[0];
  /** One owner asks, reads what it means, and can't confirm it; the other does. */
  async function askInFigures(asked: Request, meaning: RegExp, unchanged: () => unknown) {
    const owner = await as(amaka);
    await owner.secondPerson.ask(asked);
    const request = (await (await as(bola)).secondPerson.list()).requests.at(-1);
    expect([request?.title, ...(request?.consequences ?? [])].join(" ")).toMatch(meaning);
    const requestId = request?.id ?? 0;
    await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    await unchanged();
    await confirmNext(deps, bola);
    return requestId;
  }

  test("a part of ₦800,000 that nobody paid for is given by two, in figures, and never beyond the lots", async () => {
    const puppet = await createUser(deps.db, { fullName: "Puppet Obi" });
    const owner = await as(amaka);
    const { id: projectId } = farm.project;
    await owner.backings.grant({ projectId, userId: puppet.id });
    const about = { projectId, userId: puppet.id, round: 1, seenKobo: "0" };
    const weight = (kobo: Kobo) => ({
      kind: "set_weight" as const,
      details: { ...about, weightKobo: String(kobo) },
      reason,
    });
    await expect(owner.secondPerson.ask(weight(naira(1_000_001)))).rejects.toThrow("worth ₦1,000,000 together");
    await askInFigures(weight(naira(800_000)), /₦1,000,000 that backers paid.*44.4%.*₦800,000 together/s, async () =>
      expect(await deps.db.$count(backingWeights)).toBe(0),
    );
    expect(await deps.db.select().from(backingWeights)).toMatchObject([{ weightKobo: naira(800_000), reason }]);
  });

  test("₦1,000,000 of costs paid by the farm are taken from sales only once two have counted them", async () => {
    await allot();
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(1_000_000), paidBy: "farm" });
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(1_500_000) });
    const preview = async () => (await as(amaka)).harvests.preview({ harvestId, pool: "sold" });
    expect(await preview()).toMatchObject({ costsKobo: 0n, isRecorder: false });
    const [cost] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    const details = { costId: cost?.id ?? 0, amountKobo: String(naira(1_000_000)) };
    const asked = { kind: "count_cost" as const, details, reason };
    const requestId = await askInFigures(
      asked,
      /The farm gets the ₦1,000,000 back from the next settlement/,
      async () => expect(await preview()).toMatchObject({ costsKobo: 0n }),
    );
    expect(await preview()).toMatchObject({ costsKobo: naira(1_000_000), isRecorder: true });
    expect(await lastAudit("count_harvest_cost")).toMatchObject({ costId: cost?.id, requestId, reason });
    await expect((await as(amaka)).secondPerson.ask(asked)).rejects.toThrow(harvestTexts.costCounted);
  });

  test("who wrote a cost or a sale down doesn't settle it: the other owner does, or confirms it", async () => {
    await allot();
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(10_000) });
    // Whoever confirms it has written it down.
    await sell(deps, owners(), { harvestId, quantity: 500_000n, amountKobo: naira(500_000) });
    for (const by of [amaka, bola]) {
      await expect(settle(by, "500,000")).rejects.toThrow(harvestTexts.settledByRecorder);
    }
    deps.clock.advance({ minutes: 1 });
    const taxes = { vatRate: 0, whtRate: 0 };
    const details = { harvestId, pool: "sold" as const, amountKobo: String(naira(500_000)), ...taxes };
    const asked = { kind: "settle_harvest" as const, details, reason };
    await askInFigures(asked, /Feed ₦10,000.*2 backers get ₦465,500 together/s, async () =>
      expect(await settlementsOf(deps, harvestId)).toEqual([]),
    );
    expect(await settlementsOf(deps, harvestId)).toMatchObject([{ settledBy: bola.id, netKobo: naira(465_500) }]);
    // What was settled is nobody's reason any more.
    deps.clock.advance({ minutes: 1 });
    await sell(deps, { asker: bola, confirmer: amaka }, { harvestId, quantity: 500_000n, amountKobo: naira(400_000) });
    await expect(settle(amaka, "400,000")).rejects.toThrow(harvestTexts.settledByRecorder);
    await settle(bola, "400,000");
    expect(await settlementsOf(deps, harvestId)).toHaveLength(2);
  });

  test("who removed a cost doesn't settle without it", async () => {
    await allot();
    await keepCost(deps, { harvestId, amountKobo: naira(400_000) });
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(500_000) });
    const [cost] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    await (await as(amaka)).harvests.removeCost({ costId: cost?.id ?? 0 });
    await expect(settle(amaka, "500,000")).rejects.toThrow(harvestTexts.settledByRecorder);
    expect(await settlementsOf(deps, harvestId)).toEqual([]);
  });

  test("who wrote down a cost that the farm would bear doesn't end the harvest: the other owner does", async () => {
    await allot();
    await keepCost(deps, { harvestId, amountKobo: naira(100_000), paidBy: "farm" });
    await countCosts(deps, owners(), harvestId);
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(500_000) });
    const end = async (by: TestUser) => (await as(by)).harvests.finish({ harvestId });
    await settle(amaka, "500,000");
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(60_000) });
    await expect(end(amaka)).rejects.toThrow(harvestTexts.endedByRecorder);
    expect((await findHarvest(deps, harvestId)).state).toBe("settled");
    await end(bola);
    expect((await findHarvest(deps, harvestId)).state).toBe("done");
  });

  test("taxes that two changed the minute before are settled only by who has seen them", async () => {
    await allot();
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(1_000_000) });
    const { harvests } = await as(amaka);
    const { vatRate, whtRate } = await harvests.preview({ harvestId, pool: "sold" });
    const change = { key: "withholdingpercent" as const, from: "0", to: "10" };
    await agree(deps, owners(), { kind: "change_setting", details: change, reason });
    const settled = { harvestId, pool: "sold" as const, amount: "1,000,000", vatRate };
    await expect(harvests.settle({ ...settled, whtRate })).rejects.toThrow(harvestTexts.taxesChanged);
    await harvests.settle({ ...settled, whtRate: 1000 });
    expect(await settlementsOf(deps, harvestId)).toMatchObject([{ whtKobo: naira(100_000) }]);
    const back = { ...change, from: "10", to: "0" };
    await agree(deps, owners(), { kind: "change_setting", details: back, reason });
  });

  test("an insurer's promise of ₦9,990,000 is removed by two", async () => {
    const owner = await as(amaka);
    const about = { projectId: farm.project.id, round: 1, note: "For the flood of the spring." };
    const { harvestId: insured } = await owner.harvests.createInsurance(about);
    const promise = { harvestId: insured, quantity: null, buyer: "Leadway", amountKobo: naira(9_990_000) };
    const saleId = await keepSale(deps, owner, promise);
    const details = { saleId, amountKobo: String(naira(9_990_000)) };
    const removedAt = async () =>
      (await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId)))[0]?.removedAt;
    const asked = { kind: "remove_sale" as const, details, reason };
    const requestId = await askInFigures(asked, /Leadway.*Nobody waits for the ₦9,990,000/s, async () =>
      expect(await removedAt()).toBeNull(),
    );
    expect(await removedAt()).toEqual(deps.clock.now());
    expect(await lastAudit("remove_harvest_sale")).toMatchObject({ ...details, requestId });
  });

  test("1,000 kg become 950 by one, less with a photo from since, and 0.001 by two", async () => {
    await open();
    const owner = await as(amaka);
    const lower = (quantity: string) => owner.harvests.lower({ harvestId, quantity, reason });
    const quantityNow = async () => (await findHarvest(deps, harvestId)).quantity;
    await lower("950");
    for (const short of ["0.001", "899.999"]) await expect(lower(short)).rejects.toThrow(harvestTexts.lowerPhoto);
    await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
    await lower("899.999");
    for (const steep of ["0.001", "499.999"]) await expect(lower(steep)).rejects.toThrow(harvestTexts.lowerSteep);
    await lower("500");
    const details = { harvestId, quantity: "1", seenQuantity: "500000" };
    const asked = { kind: "lower_harvest" as const, details, reason };
    const ask = (change: Partial<typeof details>) =>
      owner.secondPerson.ask({ ...asked, details: { ...details, ...change } });
    await expect(ask({ seenQuantity: "950000" })).rejects.toThrow(harvestTexts.changed);
    await expect(ask({ quantity: "500000" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const requestId = await askInFigures(asked, /1,000 kg were opened.*0.001 kg are left/s, async () =>
      expect(await quantityNow()).toBe(500_000n),
    );
    expect(await quantityNow()).toBe(1n);
    const [backer] = farm.backers;
    expect((await queuedMailsTo(deps.db, backer?.email ?? "")).some(({ text }) => text.includes(reason))).toBe(true);
    expect(await lastAudit("lower_harvest")).toMatchObject({ before: "500000", quantity: "1", requestId });
  });
});

test("what one owner approves unseen is added up, also of two at once, and is said beside the next", async () => {
  await openOwnAccount(deps, { importedBy: amaka.id, openingKobo: naira(1000) });
  const price = naira(400_000);
  const project = await createProject(deps.db, { fundingGoalKobo: 40n * price, lots: 40, minimumLots: 40 });
  const buy = async () => (await createPayment(deps, { project, owner: amaka })).payment.id;
  const approve = async (by: TestUser, paymentId: number) =>
    (await as(by)).payments.setStatus({
      ...(await seen(deps.db, paymentId)),
      status: "approved",
      unseenReason: reason,
    });
  await approve(amaka, await buy());
  // ₦400,000 of ₦1,000,000 are used: one more fits, of two at once.
  const [second, third, fourth] = [await buy(), await buy(), await buy()];
  const atOnce = await Promise.allSettled([approve(amaka, second), approve(amaka, third)]);
  expect(atOnce.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const left = atOnce[0]?.status === "rejected" ? second : third;
  await expect(approve(amaka, left)).rejects.toThrow(paymentTexts.needsSecondPerson("₦1,000,000", "₦800,000"));
  const shown = async (by: TestUser) => {
    const { items, unseenLimit } = await (await as(by)).payments.list({ projectId: project.id });
    return { need: items.find(({ id }) => id === left)?.bank?.need, unseenLimit };
  };
  expect(await shown(amaka)).toEqual({
    need: "second_person",
    unseenLimit: { limitKobo: naira(1_000_000), usedKobo: naira(800_000) },
  });
  // Another's isn't used up, what two approved counts for nobody, and thirty days later nothing is used.
  expect(await shown(bola)).toMatchObject({ need: "reason", unseenLimit: { usedKobo: 0n } });
  const details = { ...(await seen(deps.db, left)), missingKobo: String(price), writtenOffKobo: "0" };
  await agree(deps, owners(), { kind: "approve_payment", details, reason });
  await approve(bola, fourth);
  deps.clock.advance({ days: 31 });
  const later = await buy();
  await approve(amaka, later);
  for (const id of [left, fourth, later]) expect(await findPayment(deps.db, id)).toMatchObject({ status: "approved" });
});
