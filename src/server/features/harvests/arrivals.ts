import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { postCostsLeft, readCostsLost } from "#server/books/events/harvests.ts";
import { readSaleMoney, readSettledOf } from "#server/books/sales.ts";
import { type DbOrTx, rows, type Tx } from "#server/db/open.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import type { Sale } from "#server/features/harvests/selling/sales.ts";
import { readPoolProceeds } from "#server/features/harvests/settling/pool.ts";
import { AppError } from "#server/platform/errors.ts";
import { harvestLineTexts as texts } from "#shared/bank/texts.ts";
import { atLeastNothing, type Kobo } from "#shared/money.ts";
import { type Harvest, isWithoutSales, lockHarvest } from "./harvest-rows.ts";

/** The rules of harvests for bank lines: a line may be booked to a sale or a cost, and its match may be undone. */

export type LockedHarvests = { harvests: ReadonlyMap<number, Harvest>; sales: ReadonlyMap<number, Sale> };

/** Locks harvests and sales, by their ids. The caller has locked the harvests' projects, and locks the lines after. */
export async function lockHarvestsAndSales(
  tx: Tx,
  { saleIds, harvestIds }: { saleIds: number[]; harvestIds: number[] },
): Promise<LockedHarvests> {
  const ofSales =
    saleIds.length === 0
      ? []
      : await tx
          .select({ harvestId: harvestSales.harvestId })
          .from(harvestSales)
          .where(inArray(harvestSales.id, saleIds));
  const ids = [...new Set([...harvestIds, ...ofSales.map(({ harvestId }) => harvestId)])].sort((one, two) => one - two);
  const locked = new Map<number, Harvest>();
  for (const id of ids) locked.set(id, await lockHarvest(tx, id));
  const sales =
    saleIds.length === 0
      ? []
      : await tx
          .select()
          .from(harvestSales)
          .where(inArray(harvestSales.id, saleIds))
          .orderBy(asc(harvestSales.id))
          .for("update");
  return { harvests: locked, sales: new Map(sales.map((sale) => [sale.id, sale])) };
}

/** The amount that a part of a line brings to a sale. */
type Bringing = { saleId: number; amountKobo: Kobo; isRaised?: boolean | undefined };
export type Brought = { sale: Sale; raisedKobo: Kobo; receivableKobo: Kobo };

/**
 * The sale, if so much of it is missing, or may be added to it. Throws "conflict" otherwise, or if nothing of its
 * harvest is sold any more. `receivableKobo` is what of it was taken back before, after it was settled.
 */
export async function requireMissing(
  tx: Tx,
  locked: LockedHarvests,
  { saleId, amountKobo, isRaised = false }: Bringing,
): Promise<Brought> {
  const sale = locked.sales.get(saleId);
  if (!sale || sale.removedAt !== null) throw new AppError("conflict", texts.saleGone);
  const harvest = locked.harvests.get(sale.harvestId);
  if (!harvest || isWithoutSales(harvest)) throw new AppError("conflict", texts.over);
  const { seenKobo, receivableKobo } = await readSaleMoney(tx, sale.id);
  const missingKobo = sale.amountKobo - seenKobo - sale.lostKobo;
  const raisedKobo = amountKobo > missingKobo ? amountKobo - missingKobo : 0n;
  if (raisedKobo > 0n && !isRaised) throw new AppError("conflict", texts.moreThanMissing(missingKobo));
  if (raisedKobo > 0n && sale.declaredAt !== null) throw new AppError("conflict", texts.declaredStays);
  return { sale, raisedKobo, receivableKobo: receivableKobo < amountKobo ? receivableKobo : amountKobo };
}

/** Raises a sale's amount by what its buyer paid more, or lowers it again when that match is undone. */
export async function raiseSale(tx: Tx, { id, amountKobo }: Sale, byKobo: Kobo): Promise<void> {
  if (byKobo === 0n || amountKobo + byKobo <= 0n) return;
  await tx
    .update(harvestSales)
    .set({ amountKobo: amountKobo + byKobo })
    .where(eq(harvestSales.id, id));
}

/** The sale that a match brought money to, undone a moment ago. Throws "conflict" if that money was settled. */
export async function requireUnsettled(tx: Tx, locked: LockedHarvests, saleId: number): Promise<Sale> {
  const sale = findLocked(locked, saleId);
  if ((await readPoolProceeds(tx, sale.harvestId, sale.pool)) < 0n) throw new AppError("conflict", texts.settled);
  return sale;
}

/** Throws "conflict" if a harvest is over, or its costs were booked as a loss, and so much more isn't written down. */
export async function requireCostsOpen(
  tx: Tx,
  locked: LockedHarvests,
  { harvestId, amountKobo }: { harvestId: number; amountKobo: Kobo },
): Promise<void> {
  const harvest = locked.harvests.get(harvestId);
  if (!harvest || (harvest.state !== "done" && harvest.costsLostAt === null)) return;
  const { seenKobo, writtenKobo } = await readCostSums(tx, harvestId);
  if (seenKobo + amountKobo > writtenKobo + harvest.unwrittenLostKobo) throw new AppError("conflict", texts.costsOver);
}

/**
 * Reads the part of a loss, booked because nobody had written its costs down, that lines don't show once `withoutKobo`
 * of them are no longer matched with the harvest.
 */
export async function readLossNotShown(db: DbOrTx, harvestId: number, withoutKobo: Kobo = 0n): Promise<Kobo> {
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest || harvest.unwrittenLostKobo === 0n) return 0n;
  const { seenKobo, writtenKobo } = await readCostSums(db, harvestId);
  const overKobo = writtenKobo + harvest.unwrittenLostKobo - (seenKobo - withoutKobo);
  if (overKobo > harvest.unwrittenLostKobo) return harvest.unwrittenLostKobo;
  return atLeastNothing(overKobo);
}

/**
 * Takes a loss back that lines don't show any more. The harvest, which stays over, says then whether any of its costs
 * are lost.
 */
export async function takeLossBack(
  tx: Tx,
  { harvests: locked }: LockedHarvests,
  { harvestId, actorId, at }: { harvestId: number; actorId: string; at: Date },
): Promise<void> {
  const harvest = locked.get(harvestId);
  const lossKobo = await readLossNotShown(tx, harvestId);
  if (!harvest || lossKobo === 0n) return;
  await postCostsLeft(tx, { harvest, restKobo: -lossKobo, farmKobo: 0n, actorId, at });
  const isNoneLost = (await readCostsLost(tx, harvestId)) === 0n;
  await tx
    .update(harvests)
    .set({
      unwrittenLostKobo: harvest.unwrittenLostKobo - lossKobo,
      ...(isNoneLost && { costsLostAt: null }),
      updatedAt: at,
    })
    .where(eq(harvests.id, harvestId));
}

async function readCostSums(db: DbOrTx, harvestId: number): Promise<{ seenKobo: Kobo; writtenKobo: Kobo }> {
  const [found] = await rows<{ seen: string; written: string }>(
    db,
    sql`select coalesce((select sum(amount_kobo) from line_matches
          where harvest_id = ${harvestId} and kind = 'harvest_cost' and undone_at is null), 0)::text as seen,
        coalesce((select sum(amount_kobo) from harvest_costs
          where harvest_id = ${harvestId} and paid_by = 'platform' and removed_at is null), 0)::text as written`,
  );
  return { seenKobo: BigInt(found?.seen ?? 0), writtenKobo: BigInt(found?.written ?? 0) };
}

function findLocked(locked: LockedHarvests, saleId: number): Sale {
  const sale = locked.sales.get(saleId);
  if (!sale) throw new Error(`sale ${saleId} is not locked`);
  return sale;
}

/**
 * Returns the sale and the settled part of the money that the bank takes back. Throws "conflict" if two owners have
 * declared the rest of the sale's money, which isn't settled: that is taken back first.
 */
export async function requireTakenBack(
  tx: Tx,
  locked: LockedHarvests,
  taken: { saleId: number; amountKobo: Kobo; creditMatchId: number },
): Promise<{ sale: Sale; receivableKobo: Kobo }> {
  const sale = findLocked(locked, taken.saleId);
  const proceedsKobo = await readPoolProceeds(tx, sale.harvestId, sale.pool);
  const receivableKobo = await readSettledOf(tx, sale, { ...taken, proceedsKobo });
  if (sale.declaredAt === null || receivableKobo === taken.amountKobo) return { sale, receivableKobo };
  const { seenKobo, settledAwayKobo } = await readSaleMoney(tx, sale.id);
  if (seenKobo + settledAwayKobo < sale.amountKobo) throw new AppError("conflict", texts.declaredTakenBack);
  // Lines show all that was declared, so the declaration says nothing more.
  await tx.update(harvestSales).set({ declaredAt: null, requestId: null }).where(eq(harvestSales.id, sale.id));
  return { sale, receivableKobo };
}

/**
 * The sale of which money isn't taken back after all. Throws "conflict" if it came again meanwhile, or was booked as a
 * loss.
 */
export async function requireNotAgain(tx: Tx, locked: LockedHarvests, saleId: number): Promise<Sale> {
  const sale = findLocked(locked, saleId);
  const { seenKobo, settledAwayKobo, receivableKobo } = await readSaleMoney(tx, saleId);
  const isThere = receivableKobo >= 0n && seenKobo + settledAwayKobo <= sale.amountKobo;
  if (!isThere) throw new AppError("conflict", texts.cameAgain);
  return sale;
}

/**
 * The sum that lines show of a sale, less what the bank took back. Nest it in another `sql`: only there drizzle names
 * the table of a column.
 */
export const matchedOfSale: SQL = sql`coalesce((select sum(case m.kind when 'sale' then m.amount_kobo else -m.amount_kobo end)
  from line_matches m where m.sale_id = ${harvestSales.id} and m.undone_at is null), 0)`;

/** The amount of a sale that the bank took back after it was settled, and that hasn't come again. */
export const awayOfSale: SQL = sql`coalesce((select sum(case m.kind when 'sale' then -m.receivable_kobo else m.receivable_kobo end)
  from line_matches m where m.sale_id = ${harvestSales.id} and m.undone_at is null), 0)`;

/** The part of a sale that no line is matched with, and that may still come. */
export const missingOfSale: SQL = sql`(${harvestSales.amountKobo} - ${matchedOfSale} - ${harvestSales.lostKobo})::bigint`;

/** Condition of a harvest that money of sales may be booked to. */
export const isSaleExpected: SQL = sql`${harvests.state} not in ('withdrawn', 'lost')`;
