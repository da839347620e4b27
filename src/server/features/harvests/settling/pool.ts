import { and, asc, eq, isNotNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { moneyOfSaleTable } from "#server/books/sales.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { type RoundWeight, readWeights } from "#server/features/harvests/choosing/weights.ts";
import type { Harvest } from "#server/features/harvests/harvest-rows.ts";
import { AppError } from "#server/platform/errors.ts";
import { type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The money of a pool's sales that has arrived and that no settlement has divided, in kobo, with what strikes took out
 * of those that did.
 */
export async function readPoolProceeds(db: DbOrTx, harvestId: number, pool: HarvestPool): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select (
        (select coalesce(sum(case when s.declared_at is not null then s.amount_kobo else money.seen + money.away end), 0)
          from harvest_sales s cross join lateral ${moneyOfSaleTable} money where s.harvest_id = ${harvestId} and s.pool = ${pool})
        + (select coalesce(sum(k.share_kobo), 0) from settlement_strikes k join settlements t on t.id = k.settlement_id
          where t.harvest_id = ${harvestId} and t.pool = ${pool} and t.reversed_at is null)
        - (select coalesce(sum(proceeds_kobo), 0) from settlements
          where harvest_id = ${harvestId} and pool = ${pool} and reversed_at is null))::text as kobo`,
  );
  return BigInt(found?.kobo ?? 0);
}

export type PoolPart = { backingId: number; userId: string; weight: bigint };

/** The backings' quantities in a pool. An insurer's sum is divided by the round's weights instead. */
async function readPool(db: DbOrTx, harvest: Harvest, pool: HarvestPool): Promise<PoolPart[]> {
  if (harvest.isInsurance) {
    const weights: RoundWeight[] = await readWeights(db, harvest);
    return weights.map(({ weightKobo, ...part }) => ({ ...part, weight: weightKobo }));
  }
  const { backingId, userId, sold, taken } = harvestParts;
  const weight = keptOf(pool === "sold" ? sold : taken).mapWith(sold);
  const isIn: SQL | undefined = pool === "sold" ? undefined : isNotNull(harvestParts.uncollectedAt);
  const found = await db
    .select({ backingId, userId, weight })
    .from(harvestParts)
    .where(and(eq(harvestParts.harvestId, harvest.id), isIn))
    .orderBy(asc(backingId));
  return found.flatMap(({ weight: kept, ...part }) => (kept !== null && kept > 0n ? [{ ...part, weight: kept }] : []));
}

/**
 * The part of an allotted quantity that still brings its person money after payments of theirs were struck, rounded
 * down.
 */
const keptOf = (quantity: SQLWrapper): SQL =>
  sql`div(${quantity}::numeric * (${harvestParts.weightKobo} - ${harvestParts.struckKobo}), ${harvestParts.weightKobo})::bigint`;

/** Reads the quantity of a pool that was allotted to backers, struck or not: all of it is sold. */
async function readAllotted(db: DbOrTx, { id }: Harvest, pool: HarvestPool): Promise<bigint> {
  const [found] = await rows<{ quantity: string }>(
    db,
    pool === "sold"
      ? sql`select coalesce(sum(sold), 0)::text as quantity from harvest_parts where harvest_id = ${id}`
      : sql`select coalesce(sum(taken), 0)::text as quantity from harvest_parts
          where harvest_id = ${id} and uncollected_at is not null`,
  );
  return BigInt(found?.quantity ?? 0);
}

/**
 * A pool, what the farm has of it, and what there is to sell. What was allotted to backers who all were struck falls to
 * the farm. Throws "conflict" if the pool is nobody's, because its money could never be divided.
 */
export async function requirePool(db: DbOrTx, harvest: Harvest, name: HarvestPool) {
  const pool = await readPool(db, harvest, name);
  const ofFarm = name === "sold" ? (harvest.farmQuantity ?? 0n) : 0n;
  const toSell = ofFarm + (await readAllotted(db, harvest, name));
  const farmQuantity = pool.length === 0 ? toSell : ofFarm;
  if (pool.length === 0 && farmQuantity === 0n) {
    throw new AppError("conflict", name === "sold" ? texts.nothingSold : texts.nothingUncollected);
  }
  return { pool, farmQuantity, toSell };
}
