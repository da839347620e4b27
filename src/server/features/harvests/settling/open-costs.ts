import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { harvestCosts } from "#server/db/schema/harvests.ts";
import type { Harvest } from "#server/features/harvests/harvest-rows.ts";
import type { CostPayer } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";

export type OpenCost = { id: number; label: string; amountKobo: Kobo; paidBy: CostPayer; recordedBy: string };

/** The sum that settlements have taken of a cost. Nest it in another `sql`: only there drizzle names the table of a column. */
export const takenOfCost: SQL = sql`coalesce((select sum(c.amount_kobo) from settlement_costs c
  join settlements s on s.id = c.settlement_id where c.cost_id = ${harvestCosts.id} and s.reversed_at is null), 0)`;

/** A cost that stands, and that two owners have counted if no line can ever show it. */
export const isCountedCost: SQL = sql`(${harvestCosts.removedAt} is null
  and (${harvestCosts.paidBy} = 'platform' or ${harvestCosts.requestId} is not null))`;

/** The rest of each counted cost of a harvest, in the order of recording. */
export async function readOpenCosts(db: DbOrTx, harvestId: number): Promise<OpenCost[]> {
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

export const sumOf = (costs: readonly { amountKobo: Kobo }[]): Kobo =>
  costs.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);

/** The platform's costs of a harvest that no settlement has taken, in kobo. */
export async function readPlatformRest(db: DbOrTx, { id }: Pick<Harvest, "id">): Promise<Kobo> {
  return sumOf((await readOpenCosts(db, id)).filter(({ paidBy }) => paidBy === "platform"));
}

/** True if this person recorded a cost of the platform that no settlement has taken whole. */
export async function isRecorderOfRest(db: DbOrTx, { id }: Pick<Harvest, "id">, userId: string): Promise<boolean> {
  return (await readOpenCosts(db, id)).some(({ paidBy, recordedBy }) => paidBy === "platform" && recordedBy === userId);
}
