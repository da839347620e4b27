import { eq } from "drizzle-orm";
import type { z } from "zod";
import { postSettlement } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { settlementCosts, settlementParts, settlements } from "#server/db/schema/settlements.ts";
import { freezeWeights } from "#server/features/harvests/choosing/weights.ts";
import { factsOf, lockHarvest, requireAllotted } from "#server/features/harvests/harvest-rows.ts";
import { notifySettled } from "#server/features/harvests/notices.ts";
import { makeSettlementStatements } from "#server/features/papers/service.ts";
import { lockPayees } from "#server/features/payouts/payees/service.ts";
import { makePayouts } from "#server/features/payouts/service.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { settleInput } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { divide, isRecorded } from "./divide.ts";
import { sumOf } from "./open-costs.ts";

/**
 * Settles what the sales of a pool have brought: it is owed from now on, and payouts of it are made. Throws "conflict"
 * if that isn't the amount that the owner typed, and "forbidden" to whoever wrote down a cost or a sale of it: another
 * owner settles it, or two do.
 */
export async function settleHarvest(ctx: ActorContext, input: z.output<typeof settleInput>): Promise<void> {
  await inTransaction(ctx.db, (tx) => settle(tx, ctx, input));
}

/** Locks the harvest and divides its pool. Throws "conflict" unless amount and tax rates are still those of `input`. */
export async function requireSettling(tx: Tx, input: z.output<typeof settleInput>) {
  const { harvestId, pool: name, amount, vatRate, whtRate } = input;
  const harvest = await lockHarvest(tx, harvestId);
  requireAllotted(harvest);
  const divided = await divide(tx, harvest, name);
  if (divided.proceedsKobo !== amount) throw new AppError("conflict", texts.proceedsChanged);
  const { rates } = divided;
  if ((vatRate ?? rates.vatRate) !== rates.vatRate || (whtRate ?? rates.whtRate) !== rates.whtRate) {
    throw new AppError("conflict", texts.taxesChanged);
  }
  return { harvest, divided };
}

/** The same within somebody's transaction; `confirmed` where two owners settle it. */
export async function settle(
  tx: Tx,
  ctx: ActorContext,
  input: z.output<typeof settleInput>,
  confirmed?: { requestId: number; reason: string },
): Promise<void> {
  const { harvestId, pool: name } = input;
  const { harvest, divided } = await requireSettling(tx, input);
  if (harvest.isInsurance) await freezeWeights(tx, harvest);
  const { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement } = divided;
  const about = { harvestId, pool: name, costs: settlement.costsTaken, openCosts, userId: ctx.actor.id };
  if (!confirmed && (await isRecorded(tx, about))) throw new AppError("forbidden", texts.settledByRecorder);
  await lockPayees(tx, [...new Set(pool.map(({ userId }) => userId))], "share");
  const at = ctx.clock.now();
  const { costsTaken, farmKobo, totals } = settlement;
  const farmCostsKobo = sumOf(costsTaken.filter(({ paidBy }) => paidBy === "farm"));
  const ofFarmKobo = farmKobo + farmCostsKobo;
  const { farmId } = await findRound(tx, harvest);
  if (farmId === null && ofFarmKobo > 0n) throw new AppError("conflict", farmReleaseTexts.noFarm);
  const number = (await tx.$count(settlements, eq(settlements.harvestId, harvestId))) + 1;
  const sums = {
    proceedsKobo,
    costsKobo: totals.costsKobo,
    farmCostsKobo,
    farmKobo,
    netKobo: totals.netKobo,
    feeKobo: totals.feeKobo,
    vatKobo: totals.vatKobo,
    whtKobo: totals.whtKobo,
  };
  const [settled] = await tx
    .insert(settlements)
    .values({
      harvestId,
      number,
      pool: name,
      ...sums,
      farmQuantity,
      ...rates,
      settledBy: ctx.actor.id,
      createdAt: at,
    })
    .returning();
  if (!settled) throw new Error("the settlement was not written");
  const { id: settlementId } = settled;
  const owners = new Map(pool.map((part) => [part.backingId, part]));
  const parts = settlement.rows.map((row) => {
    const part = owners.get(row.backingId);
    if (!part) throw new Error(`backing ${row.backingId} is not in the pool`);
    return { settlementId, ...row, userId: part.userId, weight: part.weight };
  });
  if (parts.length > 0) await tx.insert(settlementParts).values(parts);
  const taken = costsTaken.map(({ id, amountKobo }) => ({ settlementId, costId: Number(id), amountKobo }));
  if (taken.length > 0) await tx.insert(settlementCosts).values(taken);
  await postSettlement(tx, "settlement", { harvest, divided: settled, nets: parts, actorId: ctx.actor.id, at });
  const paidFor = {
    projectId: harvest.projectId,
    projectTitle: harvest.projectTitle,
    round: harvest.round,
    settlementId,
    at,
  };
  await makePayouts(tx, [
    ...parts.map(({ userId, netKobo }) => ({ ...paidFor, kind: "harvest" as const, userId, amountKobo: netKobo })),
    ...(farmId === null ? [] : [{ ...paidFor, kind: "farm" as const, farmId, amountKobo: ofFarmKobo }]),
  ]);
  if (harvest.state === "allotted" || harvest.state === "draft") {
    await tx.update(harvests).set({ state: "settled", updatedAt: at }).where(eq(harvests.id, harvestId));
  }
  const openCount = openCosts.length - costsTaken.length;
  await recordAudit(tx, ctx, "settle_harvest", {
    ...factsOf(harvest),
    settlementId,
    pool: name,
    ...texted(sums),
    openCount,
    ...confirmed,
  });
  const statements = await makeSettlementStatements(tx, settlementId, at);
  await notifySettled(tx, ctx, { harvest, settlement: settled, parts, statements });
}

const texted = (sums: Record<string, Kobo>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([key, kobo]) => [key, kobo.toString()]));
