import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { readSaleMoney } from "#server/books/sales.ts";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import {
  factsOf,
  type Harvest,
  isBeforeAllotment,
  lockHarvest,
  readTerms,
  requireAllotted,
} from "#server/features/harvests/harvest-rows.ts";
import { requirePool } from "#server/features/harvests/settling/pool.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { addSaleInput, saleQuantityInput } from "#shared/harvests/inputs.ts";
import { type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";

/** A sale that stands, with its harvest; undefined if it is gone. */
export async function findSale(db: DbOrTx, saleId: number) {
  const [found] = await db
    .select({ sale: harvestSales, harvest: harvests })
    .from(harvestSales)
    .innerJoin(harvests, eq(harvests.id, harvestSales.harvestId))
    .where(and(eq(harvestSales.id, saleId), isNull(harvestSales.removedAt)));
  return found;
}

/**
 * Writes down who bought of a harvest, or what an insurer owes. Its money counts once it has arrived. Without a
 * quantity it is an advance while the harvest isn't allotted, and later a further payment for what was sold: both are
 * shared like the rest of their pool. Throws "conflict" if the pool has less left to sell.
 */
export async function addSale(ctx: ActorContext, input: z.output<typeof addSaleInput>): Promise<void> {
  const { harvestId, pool, buyer, amount: amountKobo } = input;
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    const quantity = harvest.isInsurance ? null : await requireQuantity(tx, harvest, input);
    if (quantity !== null || harvest.isInsurance) requireAllotted(harvest);
    const about = { harvestId, pool, buyer, quantity, amountKobo };
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

/**
 * The quantity of a new sale; null for an advance or a further payment. Throws "invalid", or "conflict" if it can't be
 * sold.
 */
async function requireQuantity(
  tx: Tx,
  harvest: Harvest,
  { pool, quantity, isWithoutQuantity }: z.output<typeof addSaleInput>,
): Promise<bigint | null> {
  if (isWithoutQuantity) {
    await requireMayPay(tx, harvest, pool);
    return null;
  }
  requireAllotted(harvest);
  if (quantity === null) {
    throw new AppError("invalid", texts.quantityMissing, { fields: { quantity: [texts.quantityMissing] } });
  }
  await requireLeftToSell(tx, harvest, { pool, quantity });
  return quantity;
}

/** Throws "conflict" unless a harvest takes advances, or something of the pool was sold that more may be paid for. */
async function requireMayPay(tx: Tx, harvest: Harvest, pool: HarvestPool): Promise<void> {
  if (isBeforeAllotment(harvest) && pool === "sold") return;
  requireAllotted(harvest);
  await requirePool(tx, harvest, pool);
  const { harvestId, quantity, removedAt } = harvestSales;
  const isSold = and(eq(harvestId, harvest.id), eq(harvestSales.pool, pool), isNotNull(quantity), isNull(removedAt));
  if ((await tx.$count(harvestSales, isSold)) === 0) throw new AppError("conflict", texts.nothingToPayMoreFor);
}

/** Says how much an advance turned out to be for. Throws "conflict" if it is known, or the pool has less left to sell. */
export async function setSaleQuantity(
  ctx: ActorContext,
  { saleId, quantity }: z.output<typeof saleQuantityInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { sale, harvest } = await lockSale(tx, saleId);
    requireAllotted(harvest);
    if (harvest.isInsurance || sale.quantity !== null) throw new AppError("conflict", texts.changed);
    await requireLeftToSell(tx, harvest, { pool: sale.pool, quantity });
    await tx.update(harvestSales).set({ quantity }).where(eq(harvestSales.id, saleId));
    await recordAudit(tx, ctx, "set_sale_quantity", {
      ...factsOf(harvest),
      saleId,
      buyer: sale.buyer,
      saleQuantity: String(quantity),
    });
  });
}

/** Throws "conflict" if a pool of a harvest has less left to sell. The caller has locked the harvest. */
async function requireLeftToSell(
  tx: Tx,
  harvest: Harvest,
  { pool: name, quantity }: { pool: HarvestPool; quantity: bigint },
): Promise<void> {
  const { toSell } = await requirePool(tx, harvest, name);
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

/** The sum that lines show of a sale, and what the bank took back of it after it was settled, in kobo. */
export async function readMatchedOf(db: DbOrTx, saleId: number): Promise<Kobo> {
  const { seenKobo, settledAwayKobo } = await readSaleMoney(db, saleId);
  return seenKobo + settledAwayKobo;
}

/** Throws "conflict" if money of a sale has arrived. */
export async function requireNothingOf(db: DbOrTx, sale: Sale): Promise<void> {
  if (sale.declaredAt !== null || (await readMatchedOf(db, sale.id)) > 0n) {
    throw new AppError("conflict", texts.saleReceived);
  }
}
