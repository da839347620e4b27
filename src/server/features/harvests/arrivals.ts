import { asc, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { readMatchedOf, type Sale } from "#server/features/harvests/selling/sales.ts";
import { readPoolProceeds } from "#server/features/harvests/settling/pool.ts";
import { AppError } from "#server/platform/errors.ts";
import { harvestLineTexts as texts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { type Harvest, isWithoutSales, lockHarvest } from "./harvest-rows.ts";

/** The rules of harvests for bank lines: a line may be booked to a sale or a cost, and its match may be undone. */

export type HarvestPlaces = { harvests: ReadonlyMap<number, Harvest>; sales: ReadonlyMap<number, Sale> };

/** Locks harvests and sales, by their ids. The caller has locked the harvests' projects, and locks the lines after. */
export async function lockHarvestsAndSales(
  tx: Tx,
  { saleIds, harvestIds }: { saleIds: number[]; harvestIds: number[] },
): Promise<HarvestPlaces> {
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

/** The sale, if so much of it is missing. Throws "conflict" otherwise, or if nothing of its harvest is sold any more. */
export async function requireMissing(
  tx: Tx,
  places: HarvestPlaces,
  { saleId, amountKobo }: { saleId: number; amountKobo: Kobo },
): Promise<Sale> {
  const sale = places.sales.get(saleId);
  if (!sale || sale.removedAt !== null) throw new AppError("conflict", texts.saleGone);
  const harvest = places.harvests.get(sale.harvestId);
  if (!harvest || isWithoutSales(harvest)) throw new AppError("conflict", texts.over);
  const missingKobo = sale.amountKobo - (await readMatchedOf(tx, sale.id));
  if (amountKobo > missingKobo) throw new AppError("conflict", texts.moreThanMissing(missingKobo));
  return sale;
}

/** The sale that a match brought money to, undone a moment ago. Throws "conflict" if that money was settled. */
export async function requireUnsettled(tx: Tx, places: HarvestPlaces, saleId: number): Promise<Sale> {
  const sale = places.sales.get(saleId);
  if (!sale) throw new Error(`sale ${saleId} is not locked`);
  if ((await readPoolProceeds(tx, sale.harvestId, sale.pool)) < 0n) throw new AppError("conflict", texts.settled);
  return sale;
}

/** The sum of a sale's standing matches. Nest it in another `sql`: only there drizzle names the table of a column. */
export const matchedOfSale: SQL = sql`coalesce((select sum(m.amount_kobo) from line_matches m
  where m.sale_id = ${harvestSales.id} and m.undone_at is null), 0)`;

/** The part of a sale that no line is matched with. */
export const missingOfSale: SQL = sql`(${harvestSales.amountKobo} - ${matchedOfSale})::bigint`;

/** Condition of a harvest that money of sales may be booked to. */
export const isSaleExpected: SQL = sql`${harvests.state} not in ('withdrawn', 'lost')`;
