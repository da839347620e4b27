import { desc, eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { auditLogs } from "#server/db/schema/audit.ts";
import { harvestCosts, harvestSales } from "#server/db/schema/harvests.ts";
import { backingWeights } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { twoFactors } from "#server/db/schema/users.ts";
import { findTaxRates } from "#server/features/settings/queries.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import type { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import {
  endChoosing,
  type Farm,
  findHarvest,
  fundFarm,
  keepCost,
  keepEvidence,
  keepSale,
  openHarvestOf,
  settlementsOf,
} from "#tests/support/harvests.ts";
import {
  createPayment,
  expectMoneyHolds,
  findPayment,
  rejectArrived,
  seen,
  setBankDetails,
} from "#tests/support/money.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startEachWith } from "#tests/support/scene.ts";
import { keepLine, openOwnAccount } from "#tests/support/statements.ts";
import { codeAt, enrol } from "#tests/support/two-factor.ts";

/** Acts that elsewhere take two owners, on a site that has one: a code and a reason suffice, and nobody is stuck. */

const deps = await openTestDeps();
let amaka: TestUser;
let secret: string;
let farm: Farm;
const naira = (amount: number) => BigInt(amount) * 100n;
const reason = "Nobody else owns this site, and I have looked at it.";
const owner = () => callAs(deps, amaka);

type Asked = z.input<typeof askSecondPersonInput>;
type Deed = { request: Asked; isDone: () => Promise<boolean> };

startEachWith(deps, async () => {
  amaka = await createAdmin(deps.db, "owner", { fullName: "Amaka Obi" });
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner: amaka, lots: [4, 2], plannedQuantity: "1,000" });
  ({ secret } = await enrol(deps, amaka));
});
afterEach(() => expectMoneyHolds(deps));

async function openHarvest(): Promise<number> {
  return openHarvestOf(await owner(), farm, 1_000_000n);
}
async function allotHarvest(): Promise<number> {
  const harvestId = await openHarvest();
  await endChoosing(deps, harvestId);
  return harvestId;
}
/** A sale of a whole harvest whose money the owner says came, as they do alone. */
async function sellAll(): Promise<{ harvestId: number; saleId: number }> {
  const harvestId = await allotHarvest();
  const sold = { harvestId, quantity: 1_000_000n, amountKobo: naira(500_000) };
  const saleId = await keepSale(deps, await owner(), sold);
  await (await owner()).harvests.addFile({ harvestId, saleId, fileId: await keepEvidence(deps, amaka) });
  await agreeAlone({ reason, kind: "declare_sale", details: { saleId, amountKobo: String(sold.amountKobo) } });
  return { harvestId, saleId };
}

async function askAlone(request: Asked): Promise<number> {
  await (await owner()).secondPerson.ask(request);
  const { requests } = await (await owner()).secondPerson.list();
  const [asked] = requests;
  if (!asked || requests.length > 1) throw new Error("one request was expected");
  expect(asked.refusal).toBeNull();
  return asked.id;
}

async function confirmAlone(requestId: number): Promise<void> {
  deps.clock.advance({ minutes: 1 });
  const code = codeAt(secret, deps.clock.now());
  await (await owner()).secondPerson.confirm({ requestId, currentPassword: amaka.password, code });
}

const agreeAlone = async (request: Asked) => confirmAlone(await askAlone(request));

const deeds: Record<string, () => Promise<Deed>> = {
  "taxes sales": async () => ({
    request: { reason, kind: "change_setting", details: { key: "withholdingpercent", from: "0", to: "10" } },
    isDone: async () => (await findTaxRates(deps.db)).whtRate === 1000,
  }),
  "gives a part that nobody paid for": async () => {
    const { id: userId } = await createUser(deps.db);
    const { id: projectId } = farm.project;
    await (await owner()).backings.grant({ projectId, userId });
    const details = { projectId, userId, round: 1, weightKobo: String(naira(50_000)), seenKobo: "0" };
    return {
      request: { reason, kind: "set_weight", details },
      isDone: async () => (await deps.db.$count(backingWeights)) === 1,
    };
  },
  "counts a cost that the farm paid": async () => {
    const harvestId = await allotHarvest();
    await keepCost(deps, { by: amaka, harvestId, amountKobo: naira(20_000), paidBy: "farm" });
    const cost = async () =>
      (await deps.db.select().from(harvestCosts).where(eq(harvestCosts.harvestId, harvestId)))[0];
    const details = { costId: (await cost())?.id ?? 0, amountKobo: String(naira(20_000)) };
    return {
      request: { reason, kind: "count_cost", details },
      isDone: async () => typeof (await cost())?.requestId === "number",
    };
  },
  "waits for a buyer no more": async () => {
    const harvestId = await allotHarvest();
    const saleId = await keepSale(deps, await owner(), { harvestId, amountKobo: naira(30_000) });
    return {
      request: { reason, kind: "remove_sale", details: { saleId, amountKobo: String(naira(30_000)) } },
      isDone: async () => {
        const [sale] = await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId));
        return sale?.removedAt instanceof Date;
      },
    };
  },
  "lowers a harvest to a tenth": async () => {
    const harvestId = await openHarvest();
    await (await owner()).harvests.addFile({ harvestId, fileId: await keepEvidence(deps, amaka) });
    const details = { harvestId, quantity: "100000", seenQuantity: "1000000" };
    return {
      request: { reason, kind: "lower_harvest", details },
      isDone: async () => (await findHarvest(deps, harvestId)).quantity === 100_000n,
    };
  },
  "settles what they wrote down": async () => {
    const { harvestId } = await sellAll();
    const details = { harvestId, pool: "sold" as const, amountKobo: String(naira(500_000)), vatRate: 0, whtRate: 0 };
    return {
      request: { reason, kind: "settle_harvest", details },
      isDone: async () => (await settlementsOf(deps, harvestId)).length === 1,
    };
  },
};

describe("the only owner", () => {
  test.each(Object.entries(deeds))("%s, with a code and a reason", async (_, prepare) => {
    const { request, isDone } = await prepare();
    const requestId = await askAlone(request);
    const bare = { requestId, currentPassword: amaka.password };
    await expect((await owner()).secondPerson.confirm(bare)).rejects.toThrow(twoFactorTexts.codeMissing);
    expect(await isDone()).toBe(false);
    await confirmAlone(requestId);
    expect(await isDone()).toBe(true);
    const [kept] = await deps.db.select().from(secondPersonRequests).where(eq(secondPersonRequests.id, requestId));
    expect(kept).toMatchObject({ decision: "confirmed", isAlone: true, decidedBy: amaka.id, reason });
  });
});

describe("the only owner's own payment", () => {
  const ownReason = "Nobody else owns this site, and my transfer is there.";
  async function payThemselves() {
    const project = await createProject(deps.db);
    const { payment } = await createPayment(deps, { project, backer: amaka, owner: amaka });
    return payment.id;
  }
  const decideAs = async (paymentId: number, how: Partial<Parameters<Caller["payments"]["setStatus"]>[0]>) => {
    const { payments } = await callAs(deps, amaka, { isProved: true });
    return payments.setStatus({ ...(await seen(deps.db, paymentId)), status: "approved", ...how });
  };

  test("is approved, rejected and taken up again by them, with a reason and the second factor", async () => {
    const paymentId = await payThemselves();
    const [listed] = (await (await owner()).payments.list({ status: "pending" })).items;
    expect(listed).toMatchObject({ id: paymentId, ownDecider: "alone" });
    await expect(decideAs(paymentId, {})).rejects.toThrow(secondPersonTexts.ownMoneyAlone);
    await expect(decideAs(paymentId, { ownReason: "Short." })).rejects.toThrow(secondPersonTexts.reasonTooShort);
    const unproved = (await callAs(deps, amaka, { isProved: false })).payments;
    await expect(
      unproved.setStatus({ ...(await seen(deps.db, paymentId)), status: "approved", ownReason }),
    ).rejects.toThrow(accountTexts.proofRequired);
    expect((await findPayment(deps.db, paymentId)).status).toBe("pending");
    for (const status of ["rejected", "pending", "approved"] as const) {
      await decideAs(paymentId, { status, ownReason });
      expect((await findPayment(deps.db, paymentId)).status).toBe(status);
    }
    const [entry] = await deps.db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
    expect(entry).toMatchObject({ actionType: "update_payment_status", details: { ownReason } });
  });

  test("misses a rest that they write off, by a request that they confirm alone", async () => {
    const paymentId = await payThemselves();
    const { amountKobo, reference } = await findPayment(deps.db, paymentId);
    const account = await openOwnAccount(deps, { importedBy: amaka.id });
    const arrived = amountKobo - 5_000_00n;
    const line = await keepLine(deps, account, { amountKobo: arrived, narration: `NIP ${reference}` });
    const asOwner = await owner();
    const part = { kind: "payment" as const, amountKobo: arrived, paymentId };
    await asOwner.bank.match({ lineId: line.id, seenMatchedKobo: 0n, parts: [part] });
    const rest = { missingKobo: "500000", writtenOffKobo: "500000" };
    const details = { ...(await seen(deps.db, paymentId)), ...rest };
    await asOwner.secondPerson.ask({ kind: "approve_payment", details, reason: ownReason });
    await confirmAlone((await asOwner.secondPerson.list()).requests[0]?.id ?? 0);
    expect((await findPayment(deps.db, paymentId)).status).toBe("approved");
  });

  test("isn't decided without a second factor", async () => {
    const paymentId = await payThemselves();
    await deps.db.delete(twoFactors);
    await expect(decideAs(paymentId, { ownReason })).rejects.toThrow(secondPersonTexts.needsFactor);
    expect((await findPayment(deps.db, paymentId)).status).toBe("pending");
  });
});

test("what is held of an owner's own payment is given back by another, where there is one", async () => {
  const bola = await createAdmin(deps.db, "owner");
  const project = await createProject(deps.db);
  const { payment } = await createPayment(deps, { project, backer: amaka, owner: bola, status: "approved" });
  await rejectArrived(deps, bola, payment);
  const held = { paymentId: payment.id, seenUnallocatedKobo: payment.amountKobo };
  await expect((await owner()).payments.giveUnallocatedBack(held)).rejects.toThrow(secondPersonTexts.ownMoney);
  expect(await deps.db.$count(refunds)).toBe(0);
  await (await callAs(deps, bola)).payments.giveUnallocatedBack(held);
  const [refund] = await deps.db.select().from(refunds);
  const takeBack = { refundId: refund?.id ?? 0, reason };
  await expect((await owner()).payments.takeRefundBack(takeBack)).rejects.toThrow(secondPersonTexts.ownMoney);
  expect(await deps.db.$count(refunds)).toBe(1);
});
