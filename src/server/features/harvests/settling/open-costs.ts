import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvestCosts } from "#server/db/schema/harvests.ts";
import type { Harvest } from "#server/features/harvests/harvest-rows.ts";
import { byLargestRemainder } from "#shared/harvests/arithmetic.ts";
import type { CostPayer, HarvestPool } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";

export type OpenCost = { id: number; label: string; amountKobo: Kobo; paidBy: CostPayer; recordedBy: string };

/**
 * The sum that settlements have taken of a cost. Nest it in another `sql`: only there drizzle names the table of a
 * column.
 */
export const takenOfCost: SQL = sql`coalesce((select sum(c.amount_kobo) from settlement_costs c
  join settlements s on s.id = c.settlement_id where c.cost_id = ${harvestCosts.id} and s.reversed_at is null), 0)`;

/** A cost that stands, and that two owners have counted if no line can ever show it. */
export const isCountedCost: SQL = sql`(${harvestCosts.removedAt} is null
  and (${harvestCosts.paidBy} = 'platform' or ${harvestCosts.requestId} is not null))`;

/** The rest of each counted cost of a harvest, in the order of recording. */
async function readOpenCosts(db: DbOrTx, harvestId: number): Promise<OpenCost[]> {
  const open = sql`(${harvestCosts.amountKobo} - ${takenOfCost})::bigint`;
  return db
    .select({
      id: harvestCosts.id,
      label: harvestCosts.label,
      amountKobo: open.mapWith(harvestCosts.amountKobo),
      paidBy: harvestCosts.paidBy,
      recordedBy: harvestCosts.recordedBy,
    })
    .from(harvestCosts)
    .where(and(eq(harvestCosts.harvestId, harvestId), isCountedCost, sql`${open} > 0`))
    .orderBy(asc(harvestCosts.id));
}

/**
 * The open costs of a harvest as far as they may fall on a pool: on each at most its part of the quantity, so that a few bags
 * that nobody collected don't bear what was spent on all. What no pool bears falls at the end.
 */
export async function readCostsOfPool(
  db: DbOrTx,
  harvest: Pick<Harvest, "id" | "isInsurance" | "farmQuantity">,
  pool: HarvestPool,
): Promise<OpenCost[]> {
  const open = await readOpenCosts(db, harvest.id);
  if (harvest.isInsurance || open.length === 0) return open;
  const [found] = await rows<{ sold: string; uncollected: string }>(
    db,
    sql`select coalesce(sum(sold), 0)::text as sold,
        coalesce(sum(taken) filter (where uncollected_at is not null), 0)::text as uncollected
      from harvest_parts where harvest_id = ${harvest.id}`,
  );
  const sold = BigInt(found?.sold ?? 0) + (harvest.farmQuantity ?? 0n);
  const quantities = [sold, BigInt(found?.uncollected ?? 0)];
  if (quantities.every((quantity) => quantity === 0n)) return open;
  const costs = await rows<{ id: number; whole: string; taken: string }>(
    db,
    sql`select c.id::float8 as id, c.amount_kobo::text as whole, coalesce((
        select sum(t.amount_kobo) from settlement_costs t join settlements s on s.id = t.settlement_id
        where t.cost_id = c.id and s.pool = ${pool} and s.reversed_at is null), 0)::text as taken
      from harvest_costs c where c.harvest_id = ${harvest.id}`,
  );
  const limits = new Map(
    costs.map(({ id, whole, taken }) => {
      const [ofSold = 0n, ofUncollected = 0n] = byLargestRemainder(BigInt(whole), quantities);
      return [id, (pool === "sold" ? ofSold : ofUncollected) - BigInt(taken)];
    }),
  );
  return open.flatMap((cost) => {
    const limitKobo = limits.get(cost.id) ?? 0n;
    if (limitKobo <= 0n) return [];
    return [{ ...cost, amountKobo: limitKobo < cost.amountKobo ? limitKobo : cost.amountKobo }];
  });
}

export const sumOf = (costs: readonly { amountKobo: Kobo }[]): Kobo =>
  costs.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);

/** The platform's costs of a harvest that no settlement has taken, in kobo. */
export async function readPlatformRest(db: DbOrTx, { id }: Pick<Harvest, "id">): Promise<Kobo> {
  return sumOf((await readOpenCosts(db, id)).filter(({ paidBy }) => paidBy === "platform"));
}

/**
 * Reads the costs of a harvest that lines show beyond what is written down as paid by the platform or was booked as
 * lost, in kobo.
 */
export async function readUnwritten(db: DbOrTx, { id }: Pick<Harvest, "id">): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select greatest(coalesce((select sum(m.amount_kobo) from line_matches m
          where m.harvest_id = h.id and m.kind = 'harvest_cost' and m.undone_at is null), 0)
        - coalesce((select sum(c.amount_kobo) from harvest_costs c
          where c.harvest_id = h.id and c.paid_by = 'platform' and c.removed_at is null), 0)
        - h.unwritten_lost_kobo, 0)::text as kobo
      from harvests h where h.id = ${id}`,
  );
  return BigInt(found?.kobo ?? 0);
}

/** True if this person recorded a cost of the platform that no settlement has taken whole. */
export async function isRecorderOfRest(db: DbOrTx, { id }: Pick<Harvest, "id">, userId: string): Promise<boolean> {
  return (await readOpenCosts(db, id)).some(({ paidBy, recordedBy }) => paidBy === "platform" && recordedBy === userId);
}
