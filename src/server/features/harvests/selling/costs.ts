import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { postCostsLeft } from "#server/books/events/harvests.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestCosts, harvests } from "#server/db/schema/harvests.ts";
import { settlementCosts } from "#server/db/schema/settlements.ts";
import { attachFile } from "#server/features/harvests/harvest-files.ts";
import { factsOf, isWithoutSales, lockHarvest, readTerms } from "#server/features/harvests/harvest-rows.ts";
import { notifyCostEntered } from "#server/features/harvests/notices.ts";
import { readPlatformRest } from "#server/features/harvests/settling/open-costs.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { lockKeepersRight } from "#server/platform/farm-rights.ts";
import type { addCostInput, costIdInput } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";

/**
 * Writes a cost down that the terms name, with its evidence. Throws "conflict" if the harvest is done. Of a lost or
 * withdrawn one only what the platform paid is written down. Where what came before was booked as a loss, an owner
 * writes it down, and the booking is taken back: two owners book all of it anew. What the farm paid isn't taken from
 * sales before two owners count it.
 */
export async function addCost(ctx: ActorContext, input: z.output<typeof addCostInput>): Promise<void> {
  const { harvestId, label, amount: amountKobo, paidBy, fileId } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    await lockKeepersRight(tx, ctx);
    if (harvest.state === "done") throw new AppError("conflict", texts.changed);
    if (isWithoutSales(harvest) && paidBy === "farm") throw new AppError("conflict", texts.onlyPlatformCosts);
    const isLost = harvest.costsLostAt !== null;
    if (isLost && !ctx.actor.permissions.includes("harvests:settle")) {
      throw new AppError("forbidden", texts.costsLostAlready);
    }
    const { deductibleCosts } = await readTerms(tx, harvest);
    if (!deductibleCosts.includes(label)) {
      throw new AppError("invalid", texts.costUnknown, { fields: { label: [texts.costUnknown] } });
    }
    const lostKobo = isLost ? (await readPlatformRest(tx, harvest)) + harvest.unwrittenLostKobo : null;
    if (lostKobo !== null) {
      const at = ctx.clock.now();
      await postCostsLeft(tx, { harvest, restKobo: -lostKobo, farmKobo: 0n, actorId: ctx.actor.id, at });
      await tx
        .update(harvests)
        .set({ costsLostAt: null, unwrittenLostKobo: 0n, updatedAt: at })
        .where(eq(harvests.id, harvestId));
    }
    const [cost] = await tx
      .insert(harvestCosts)
      .values({ harvestId, label, amountKobo, paidBy, recordedBy: ctx.actor.id, createdAt: ctx.clock.now() })
      .returning({ id: harvestCosts.id });
    if (!cost) throw new Error("the cost was not written");
    await attachFile(tx, ctx, { harvestId, fileId, purpose: "cost", costId: cost.id });
    await recordAudit(tx, ctx, "add_harvest_cost", {
      ...factsOf(harvest),
      costId: cost.id,
      label,
      amountKobo: amountKobo.toString(),
      paidBy,
      // The booking of two people that it takes back.
      ...(lostKobo !== null && { lossTakenBackKobo: lostKobo.toString() }),
    });
    await notifyCostEntered(tx, ctx, { harvest, cost: { id: cost.id, label, amountKobo } });
  });
}

type Cost = typeof harvestCosts.$inferSelect;

/** Takes a cost back that no settlement has taken from sales, and that `require` doesn't refuse. */
export async function removeCost(
  ctx: ActorContext,
  { costId }: z.output<typeof costIdInput>,
  require?: (cost: Cost) => void,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { cost, harvest } = await lockCost(tx, costId);
    await lockKeepersRight(tx, ctx);
    require?.(cost);
    const taken = sql`${settlementCosts.costId} = ${costId} and exists (
      select from settlements s where s.id = ${settlementCosts.settlementId} and s.reversed_at is null)`;
    if (harvest.state === "done" || harvest.costsLostAt !== null || (await tx.$count(settlementCosts, taken)) > 0) {
      throw new AppError("conflict", texts.costTaken);
    }
    const removed = { removedAt: ctx.clock.now(), removedBy: ctx.actor.id };
    await tx.update(harvestCosts).set(removed).where(eq(harvestCosts.id, costId));
    await recordAudit(tx, ctx, "remove_harvest_cost", { ...factsOf(harvest), costId, label: cost.label });
  });
}

/** Locks a cost after its harvest. Throws "not_found". */
export async function lockCost(tx: Tx, costId: number) {
  const isIt = and(eq(harvestCosts.id, costId), isNull(harvestCosts.removedAt));
  const [found] = await tx.select().from(harvestCosts).where(isIt);
  if (!found) throw new AppError("not_found", texts.costGone);
  const harvest = await lockHarvest(tx, found.harvestId);
  const [cost] = await tx.select().from(harvestCosts).where(isIt).for("update");
  if (!cost) throw new AppError("not_found", texts.costGone);
  return { cost, harvest };
}
