import { desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLogs } from "#server/db/schema/audit.ts";
import { harvestCosts, harvestSales } from "#server/db/schema/harvests.ts";
import { backingWeights } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { findTaxRates } from "#server/features/settings/queries.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { secondPersonKey, settingTexts } from "#shared/settings/texts.ts";
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
  partsOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { createPayment, expectMoneyHolds, findPayment, seen, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { agree, confirmNext, countCosts } from "#tests/support/second-person.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/** What one owner of two tries alone, and what both do together. */

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
  /** Lots of ₦1,000,000 together, and a harvest of 1,000 kg that is open for choosing. */
  beforeEach(async () => {
    farm = await fundFarm(deps, { owner: amaka, lots: [6, 4], fee: "5", plannedQuantity: "1,000" });
  });
  const open = async () => {
    harvestId = await openHarvestOf(await as(amaka), farm, 1_000_000n);
  };
  const allot = async () => {
    await open();
    await endChoosing(deps, harvestId);
  };
  const request = async () => {
    const found = (await (await as(bola)).secondPerson.list()).requests.at(-1);
    if (!found) throw new Error("nothing is asked");
    return found;
  };

  test("a part of ₦800,000 that nobody paid for is given by two, in figures, and never beyond the lots", async () => {
    const puppet = await createUser(deps.db, { fullName: "Puppet Obi" });
    const owner = await as(amaka);
    const { id: projectId } = farm.project;
    await owner.backings.grant({ projectId, userId: puppet.id });
    const about = { projectId, userId: puppet.id, round: 1, seenKobo: "0" };
    const ask = (weightKobo: Kobo) =>
      owner.secondPerson.ask({ kind: "set_weight", details: { ...about, weightKobo: String(weightKobo) }, reason });
    await expect(ask(naira(1_000_001))).rejects.toThrow("worth ₦1,000,000 together");
    await ask(naira(800_000));
    const { id: requestId, consequences } = await request();
    expect(consequences.join(" ")).toMatch(/₦1,000,000 that backers paid.*44.4%.*₦800,000 together/s);
    await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    expect(await deps.db.$count(backingWeights)).toBe(0);
    await confirmNext(deps, bola);
    expect(await deps.db.select().from(backingWeights)).toMatchObject([{ weightKobo: naira(800_000), reason }]);
    await agree(deps, owners(), {
      kind: "set_weight",
      reason,
      details: { ...about, seenKobo: String(naira(800_000)), weightKobo: "0" },
    });
  });

  test("₦1,000,000 of costs paid by the farm are taken from sales only once two have counted them", async () => {
    await allot();
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(1_000_000), paidBy: "farm" });
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(1_500_000) });
    const owner = await as(amaka);
    const preview = async () => owner.harvests.preview({ harvestId, pool: "sold" });
    expect(await preview()).toMatchObject({ costsKobo: 0n, isRecorder: false });
    const [cost] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    const details = { costId: cost?.id ?? 0, amountKobo: String(naira(1_000_000)) };
    await owner.secondPerson.ask({ kind: "count_cost", details, reason });
    const { id: requestId, consequences } = await request();
    expect(consequences.join(" ")).toContain("The farm gets the ₦1,000,000 back from the next settlement");
    await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    expect(await preview()).toMatchObject({ costsKobo: 0n });
    await confirmNext(deps, bola);
    expect(await preview()).toMatchObject({ costsKobo: naira(1_000_000), isRecorder: true });
    expect(await lastAudit("count_harvest_cost")).toMatchObject({ costId: cost?.id, requestId, reason });
    await expect(owner.secondPerson.ask({ kind: "count_cost", details, reason })).rejects.toThrow(
      harvestTexts.costCounted,
    );
  });

  test("who wrote a cost or a sale down doesn't settle it: the other owner does, or confirms it", async () => {
    await allot();
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(10_000) });
    // Whoever confirms it has written it down.
    await sell(deps, owners(), { harvestId, quantity: 500_000n, amountKobo: naira(500_000) });
    const settle = async (by: TestUser, amount: string) =>
      (await as(by)).harvests.settle({ harvestId, pool: "sold", amount });
    for (const by of [amaka, bola]) {
      await expect(settle(by, "500,000")).rejects.toThrow(harvestTexts.settledByRecorder);
    }
    expect(await settlementsOf(deps, harvestId)).toEqual([]);
    deps.clock.advance({ minutes: 1 });
    const taxes = { vatRate: 0, whtRate: 0 };
    const details = { harvestId, pool: "sold" as const, amountKobo: String(naira(500_000)), ...taxes };
    await (await as(amaka)).secondPerson.ask({ kind: "settle_harvest", details, reason });
    expect((await request()).consequences.join(" ")).toMatch(/Feed ₦10,000.*2 backers get ₦465,500 together/s);
    await confirmNext(deps, bola);
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
    await sell(
      deps,
      { asker: amaka, confirmer: bola },
      { harvestId, quantity: 1_000_000n, amountKobo: naira(500_000) },
    );
    const owner = await as(amaka);
    const [cost] = await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId));
    await owner.harvests.removeCost({ costId: cost?.id ?? 0 });
    const settled = { harvestId, pool: "sold" as const, amount: "500,000" };
    await expect(owner.harvests.settle(settled)).rejects.toThrow(harvestTexts.settledByRecorder);
    expect(await settlementsOf(deps, harvestId)).toEqual([]);
  });

  test("who wrote down a cost that the farm would bear doesn't end the harvest: the other owner does", async () => {
    await allot();
    await keepCost(deps, { harvestId, amountKobo: naira(100_000), paidBy: "farm" });
    await countCosts(deps, owners(), harvestId);
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(500_000) });
    const end = async (by: TestUser) => (await as(by)).harvests.finish({ harvestId });
    await (await as(amaka)).harvests.settle({ harvestId, pool: "sold", amount: "500,000" });
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(60_000) });
    await expect(end(amaka)).rejects.toThrow(harvestTexts.endedByRecorder);
    expect((await findHarvest(deps, harvestId)).state).toBe("settled");
    await end(bola);
    expect((await findHarvest(deps, harvestId)).state).toBe("done");
  });

  test("taxes of 30% the minute before a settlement: not by one, and not unseen by two", async () => {
    await allot();
    await sell(deps, owners(), { harvestId, quantity: 1_000_000n, amountKobo: naira(1_000_000) });
    const owner = await as(amaka);
    for (const key of ["vatpercent", "withholdingpercent"] as const) {
      await expect(owner.settings.save({ values: { [key]: "30" } })).rejects.toThrow(settingTexts.takesTwo);
    }
    expect(await findTaxRates(deps.db)).toEqual({ vatRate: 0, whtRate: 0 });
    const seenTaxes = await owner.harvests.preview({ harvestId, pool: "sold" });
    const change = { key: "withholdingpercent" as const, from: "0", to: "10" };
    await agree(deps, owners(), { kind: "change_setting", details: change, reason });
    const { vatRate, whtRate } = seenTaxes;
    const settled = { harvestId, pool: "sold" as const, amount: "1,000,000" };
    await expect(owner.harvests.settle({ ...settled, vatRate, whtRate })).rejects.toThrow(harvestTexts.taxesChanged);
    for (const { email } of [amaka, bola]) {
      const mails = (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
      expect(mails).toContain("Gona: the tax withheld from backers was changed");
    }
    await owner.harvests.settle({ ...settled, vatRate, whtRate: 1000 });
    expect(await settlementsOf(deps, harvestId)).toMatchObject([{ whtKobo: naira(100_000) }]);
    const back = { ...change, from: "10", to: "0" };
    await agree(deps, owners(), { kind: "change_setting", details: back, reason });
  });

  test("an insurer's promise of ₦9,990,000 is removed by two", async () => {
    const owner = await as(amaka);
    const about = { projectId: farm.project.id, round: 1, note: "For the flood of the spring." };
    const { harvestId: insured } = await owner.harvests.createInsurance(about);
    const saleId = await keepSale(deps, owner, {
      harvestId: insured,
      quantity: null,
      buyer: "Leadway",
      amountKobo: naira(9_990_000),
    });
    const details = { saleId, amountKobo: String(naira(9_990_000)) };
    await owner.secondPerson.ask({ kind: "remove_sale", details, reason });
    const { id: requestId, title, consequences } = await request();
    expect([title, ...consequences].join(" ")).toMatch(/Leadway.*Nobody waits for the ₦9,990,000/s);
    await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    const [sale] = await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId));
    expect(sale?.removedAt).toBeNull();
    await confirmNext(deps, bola);
    expect(await lastAudit("remove_harvest_sale")).toMatchObject({ saleId, requestId, amountKobo: details.amountKobo });
  });

  test("1,000 kg become 950 by one, less with a photo from since, and 0.001 by two", async () => {
    await open();
    const owner = await as(amaka);
    const lower = (quantity: string) => owner.harvests.lower({ harvestId, quantity, reason });
    const quantityNow = async () => (await findHarvest(deps, harvestId)).quantity;
    await lower("950");
    await expect(lower("0.001")).rejects.toThrow(harvestTexts.lowerPhoto);
    await expect(lower("899.999")).rejects.toThrow(harvestTexts.lowerPhoto);
    await owner.harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
    await lower("899.999");
    await expect(lower("0.001")).rejects.toThrow(harvestTexts.lowerSteep);
    await expect(lower("499.999")).rejects.toThrow(harvestTexts.lowerSteep);
    await lower("500");
    expect(await quantityNow()).toBe(500_000n);
    const details = { harvestId, quantity: "1", seenQuantity: "500000" };
    const stale = { ...details, seenQuantity: "950000" };
    const ask = (asked: typeof details) => owner.secondPerson.ask({ kind: "lower_harvest", details: asked, reason });
    await expect(ask(stale)).rejects.toThrow(harvestTexts.changed);
    await expect(ask({ ...details, quantity: "500000" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await ask(details);
    const { id: requestId, consequences } = await request();
    expect(consequences.join(" ")).toMatch(/1,000 kg were opened.*0.001 kg are left/s);
    await expect(owner.secondPerson.confirm({ requestId })).rejects.toThrow(secondPersonTexts.needsAnother);
    expect(await quantityNow()).toBe(500_000n);
    await confirmNext(deps, bola);
    expect(await quantityNow()).toBe(1n);
    const [backer] = farm.backers;
    expect((await queuedMailsTo(deps.db, backer?.email ?? "")).some(({ text }) => text.includes(reason))).toBe(true);
    expect(await lastAudit("lower_harvest")).toMatchObject({ before: "500000", quantity: "1", requestId });
  });

  test("twenty wrong codes of a day lock the list for the rest of it, and owners are told", async () => {
    await open();
    const [backer] = farm.backers;
    await (await callAs(deps, backer ?? amaka)).harvests.choose({ harvestId, taken: "600", given: "0" });
    await endChoosing(deps, harvestId);
    const [part] = await partsOf(deps, harvestId);
    const right = part?.code ?? "";
    const wrong = right === "111111" ? "222222" : "111111";
    const collect = async (code: string) => (await as(amaka)).harvests.collect({ harvestId, code });
    const told = async () =>
      (await queuedMailsTo(deps.db, bola.email)).filter(({ subject }) => subject.includes("wrong codes")).length;
    for (let round = 1; round <= 4; round++) {
      for (let tries = 0; tries < 5; tries++) await expect(collect(wrong)).rejects.toThrow(harvestTexts.codeUnknown);
      await expect(collect(right)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
      expect(await told()).toBe(round);
      deps.clock.advance({ minutes: 10, seconds: 1 });
    }
    await expect(collect(right)).rejects.toThrow(harvestTexts.codesLockedToday);
    deps.clock.advance({ hours: 24 });
    expect(await collect(right)).toMatchObject({ quantity: 600_000n });
  });
});

describe("the limit of what one owner approves unseen", () => {
  const price = naira(99_000);
  const offer = { fundingGoalKobo: 40n * price, lots: 40, minimumLots: 40 };
  const unseenReason = "I have the receipt before me.";
  const approve = async (by: TestUser, paymentId: number) =>
    (await as(by)).payments.setStatus({ ...(await seen(deps.db, paymentId)), status: "approved", unseenReason });

  beforeAll(async () => {
    const first = await createAdmin(deps.db, "owner");
    await openOwnAccount(deps, { importedBy: first.id, openingKobo: naira(1000) });
  });

  test("is used up by many payments just under it, also by two at once, and is said beside the next", async () => {
    const project = await createProject(deps.db, offer);
    const buy = async () => (await createPayment(deps, { project, owner: amaka })).payment.id;
    const paymentIds: number[] = [];
    for (let count = 0; count < 12; count++) paymentIds.push(await buy());
    for (const paymentId of paymentIds.slice(0, 9)) await approve(amaka, paymentId);
    // ₦891,000 of ₦1,000,000 are used: one more fits, of two at once.
    const [tenth = 0, eleventh = 0, twelfth = 0] = paymentIds.slice(9);
    const atOnce = await Promise.allSettled([approve(amaka, tenth), approve(amaka, eleventh)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const left = atOnce[0]?.status === "rejected" ? tenth : eleventh;
    await expect(approve(amaka, left)).rejects.toThrow(paymentTexts.needsSecondPerson("₦1,000,000", "₦990,000"));
    const shown = async (by: TestUser) =>
      (await (await as(by)).payments.list({ projectId: project.id })).items.find(({ id }) => id === left)?.bank;
    expect(await shown(amaka)).toMatchObject({
      need: "second_person",
      limit: { limitKobo: naira(1_000_000), usedKobo: naira(990_000) },
    });
    // What is another's isn't used up, and thirty days later nothing is.
    expect(await shown(bola)).toMatchObject({ need: "reason", limit: { usedKobo: 0n } });
    const details = { ...(await seen(deps.db, left)), missingKobo: String(price), writtenOffKobo: "0" };
    await agree(deps, owners(), { kind: "approve_payment", details, reason });
    expect(await findPayment(deps.db, left)).toMatchObject({ status: "approved" });
    await approve(bola, twelfth);
    deps.clock.advance({ days: 31 });
    const later = await buy();
    await approve(amaka, later);
    expect(await findPayment(deps.db, later)).toMatchObject({ status: "approved" });
  });

  test("isn't raised by whoever has used it up", async () => {
    const owner = await as(amaka);
    await expect(owner.settings.save({ values: { [secondPersonKey]: "1000000000" } })).rejects.toThrow(
      settingTexts.takesTwo,
    );
    expect(await deps.db.$count(settings, eq(settings.key, secondPersonKey))).toBe(0);
  });
});
