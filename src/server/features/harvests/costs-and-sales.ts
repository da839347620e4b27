import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { postCostsLeft } from "#server/books/events/harvests.ts";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestCosts, harvestFiles, harvestSales, harvests, settlementCosts } from "#server/db/schema/harvests.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { discardUpload, type ReceivedFile } from "#server/files/uploads.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { addCostInput, addHarvestFileInput, addSaleInput, costIdInput } from "#shared/harvests/inputs.ts";
import {
  type HarvestFilePurpose,
  type HarvestPool,
  harvestLimits as limits,
  harvestTexts as texts,
} from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { type Harvest, isWithoutSales, lockHarvest, readTerms, requireAllotted } from "./rows.ts";
import { factsOf } from "./service.ts";
import { readPlatformRest, requirePool } from "./settlement.ts";

/** What is written down beside a harvest: photos and documents, costs, and who bought of it. */

type Attached = { harvestId: number; fileId: string; purpose: HarvestFilePurpose; costId?: number; saleId?: number };

/** Keeps the row of an uploaded document, whose bytes are removed if that fails. Returns its id. */
export async function keepDocument(ctx: ActorContext, { key, ...file }: ReceivedFile): Promise<string> {
  try {
    const [stored] = await ctx.db
      .insert(storedFiles)
      .values({ ...file, kind: "evidence", storageKey: key, uploadedBy: ctx.actor.id, createdAt: ctx.clock.now() })
      .returning({ id: storedFiles.id });
    if (!stored) throw new Error("the evidence's file was not written");
    return stored.id;
  } catch (error) {
    await discardUpload(ctx, key);
    throw error;
  }
}

/** Keeps an uploaded file with a harvest. Throws "invalid" if it isn't the actor's own evidence, or kept elsewhere. */
async function attachFile(tx: Tx, ctx: ActorContext, attached: Attached): Promise<void> {
  const { harvestId, fileId } = attached;
  const isOwn = and(eq(storedFiles.id, fileId), eq(storedFiles.uploadedBy, ctx.actor.id));
  const [file] = await tx.select({ kind: storedFiles.kind }).from(storedFiles).where(isOwn).for("update");
  const isUsed = (await tx.$count(harvestFiles, eq(harvestFiles.fileId, fileId))) > 0;
  const kept = await tx.$count(harvestFiles, eq(harvestFiles.harvestId, harvestId));
  if (file?.kind !== "evidence" || isUsed || kept >= limits.files) {
    throw new AppError("invalid", texts.evidenceFirst, { fields: { fileId: [texts.evidenceFirst] } });
  }
  await tx
    .insert(harvestFiles)
    .values({ ...attached, idempotencyKey: fileId, addedBy: ctx.actor.id, createdAt: ctx.clock.now() });
}

/** Adds a photo or a document of the harvest itself, of its loss, or of a sale. */
export async function addHarvestFile(ctx: ActorContext, input: z.output<typeof addHarvestFileInput>): Promise<void> {
  const { harvestId, saleId, fileId } = input;
  await inTransaction(ctx.db, async (tx) => {
    const { harvest } =
      saleId === undefined ? { harvest: await lockHarvest(tx, harvestId) } : await lockSale(tx, saleId);
    if (harvest.id !== harvestId) throw new AppError("not_found", texts.saleGone);
    const purpose = saleId === undefined ? "harvest" : "sale";
    await attachFile(tx, ctx, { harvestId, fileId, purpose, ...(saleId !== undefined && { saleId }) });
    await recordAudit(tx, ctx, "add_harvest_file", {
      ...factsOf(harvest),
      fileId,
      ...(saleId !== undefined && { saleId }),
    });
  });
}

/**
 * Writes a cost down that the terms name, with its evidence. Throws "conflict" if the harvest is done. Of a lost or withdrawn one
 * only what the platform paid is written down. Where what came before was booked as a loss, an owner writes it down, and the
 * booking is taken back: two owners book all of it anew. What the farm paid isn't taken from sales before two owners count it.
 */
export async function addCost(ctx: ActorContext, input: z.output<typeof addCostInput>): Promise<void> {
  const { harvestId, label, amount: amountKobo, paidBy, fileId } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
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
    const lostKobo = isLost ? await readPlatformRest(tx, harvest) : null;
    if (lostKobo !== null) {
      const at = ctx.clock.now();
      await postCostsLeft(tx, { harvest, restKobo: -lostKobo, farmKobo: 0n, actorId: ctx.actor.id, at });
      await tx.update(harvests).set({ costsLostAt: null, updatedAt: at }).where(eq(harvests.id, harvestId));
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
  });
}

/** Takes a cost back that no settlement has taken from sales. */
export async function removeCost(ctx: ActorContext, { costId }: z.output<typeof costIdInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { cost, harvest } = await lockCost(tx, costId);
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

/**
 * Writes down who bought of a harvest, or what an insurer owes. Its money counts once it has arrived. Throws "conflict" if the
 * pool has less left to sell.
 */
export async function addSale(ctx: ActorContext, input: z.output<typeof addSaleInput>): Promise<void> {
  const { harvestId, pool, buyer, quantity, amount: amountKobo } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    requireAllotted(harvest);
    if (!harvest.isInsurance && quantity === null) {
      throw new AppError("invalid", texts.quantityMissing, { fields: { quantity: [texts.quantityMissing] } });
    }
    if (!harvest.isInsurance && quantity !== null) await requireLeftToSell(tx, harvest, { pool, quantity });
    const about = { harvestId, pool, buyer, quantity: harvest.isInsurance ? null : quantity, amountKobo };
    const [sale] = await tx
      .insert(harvestSales)
      .values({ ...about, recordedBy: ctx.actor.id, createdAt: ctx.clock.now() })
      .returning({ id: harvestSales.id });
    await recordAudit(tx, ctx, "add_harvest_sale", {
      ...factsOf(harvest),
      saleId: sale?.id,
      buyer,
      amountKobo: amountKobo.toString(),
    });
  });
}

/** Throws "conflict" if a pool of a harvest has less left to sell. The caller has locked the harvest. */
async function requireLeftToSell(
  tx: Tx,
  harvest: Harvest,
  { pool: name, quantity }: { pool: HarvestPool; quantity: bigint },
): Promise<void> {
  const { pool, farmQuantity } = await requirePool(tx, harvest, name);
  const toSell = pool.reduce((sum, { weight }) => sum + weight, farmQuantity);
  const [found] = await rows<{ sold: string }>(
    tx,
    sql`select coalesce(sum(quantity), 0)::text as sold from harvest_sales
      where harvest_id = ${harvest.id} and pool = ${name} and removed_at is null`,
  );
  const left = toSell - BigInt(found?.sold ?? 0);
  if (quantity <= left) return;
  const { unit } = await readTerms(tx, harvest);
  const message = texts.tooMuchSold(left > 0n ? formatQuantity(left, unit) : null);
  throw new AppError("conflict", message, { fields: { quantity: [message] } });
}

export type Sale = typeof harvestSales.$inferSelect;

/** Locks a sale after its harvest. Throws "not_found". */
export async function lockSale(tx: Tx, saleId: number): Promise<{ sale: Sale; harvest: Harvest }> {
  const isIt = and(eq(harvestSales.id, saleId), isNull(harvestSales.removedAt));
  const [found] = await tx.select().from(harvestSales).where(isIt);
  if (!found) throw new AppError("not_found", texts.saleGone);
  const harvest = await lockHarvest(tx, found.harvestId);
  const [sale] = await tx.select().from(harvestSales).where(isIt).for("update");
  if (!sale) throw new AppError("not_found", texts.saleGone);
  return { sale, harvest };
}

/** Whether a file shows that a sale was paid. */
export async function hasSaleEvidence(db: DbOrTx, saleId: number): Promise<boolean> {
  return (await db.$count(harvestFiles, eq(harvestFiles.saleId, saleId))) > 0;
}

/** What lines have shown of a sale. */
export async function readSeenOf(db: DbOrTx, saleId: number): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(amount_kobo), 0)::text as kobo from line_matches
      where sale_id = ${saleId} and undone_at is null`,
  );
  return BigInt(found?.kobo ?? 0);
}

/** Throws "conflict" if money of a sale has arrived. */
export async function requireNothingOf(db: DbOrTx, sale: Sale): Promise<void> {
  const isOfSale = and(eq(lineMatches.saleId, sale.id), isNull(lineMatches.undoneAt));
  if (sale.declaredAt !== null || (await db.$count(lineMatches, isOfSale)) > 0) {
    throw new AppError("conflict", texts.saleReceived);
  }
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
