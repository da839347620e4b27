import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import {
  factsOf,
  type Harvest,
  lockHarvest,
  readTerms,
  requireAllotted,
} from "#server/features/harvests/harvest-rows.ts";
import { requirePool } from "#server/features/harvests/settling/pool.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { addSaleInput } from "#shared/harvests/inputs.ts";
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

/** The sum of a sale's standing matches, in kobo. */
export async function readMatchedOf(db: DbOrTx, saleId: number): Promise<Kobo> {
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
