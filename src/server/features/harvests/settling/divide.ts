import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { requireWeights } from "#server/features/harvests/choosing/weights.ts";
import { type Harvest, readTerms, requireAllotted } from "#server/features/harvests/harvest-rows.ts";
import { findTaxRates } from "#server/features/settings/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Settlement, settleInsurance, settle as settleSales } from "#shared/harvests/arithmetic.ts";
import type { previewSettlementInput } from "#shared/harvests/inputs.ts";
import { type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { type OpenCost, readCostsOfPool, readUnwritten } from "./open-costs.ts";
import { type PoolPart, readPoolProceeds, requirePool } from "./pool.ts";

type Divided = {
  proceedsKobo: Kobo;
  pool: PoolPart[];
  farmQuantity: bigint;
  rates: { feeRate: number; vatRate: number; whtRate: number };
  openCosts: OpenCost[];
  settlement: Settlement;
};

/**
 * Divides what the sales of a pool have brought. Throws "conflict" if there is nothing to divide, or nobody to divide
 * among.
 */
export async function divide(db: DbOrTx, harvest: Harvest, name: HarvestPool): Promise<Divided> {
  requireAllotted(harvest);
  const { id, isInsurance } = harvest;
  if (isInsurance) await requireWeights(db, harvest);
  const proceedsKobo = await readPoolProceeds(db, id, name);
  if (proceedsKobo <= 0n) throw new AppError("conflict", texts.nothingReceived);
  const { pool, farmQuantity } = await requirePool(db, harvest, name);
  const [terms, taxes] = [await readTerms(db, harvest), await findTaxRates(db)];
  // What was left at the end fell on the farm or was lost.
  const openCosts = harvest.state === "done" ? [] : await readCostsOfPool(db, harvest, name);
  const named = openCosts.map((cost) => ({ ...cost, id: String(cost.id) }));
  const rates = { feeRate: isInsurance ? 0 : terms.feeRate, ...taxes };
  const settlement = isInsurance
    ? settleInsurance({
        proceedsKobo,
        openCosts: named,
        whtRate: rates.whtRate,
        weights: pool.map(({ backingId, weight }) => ({ backingId, weightKobo: weight })),
      })
    : settleSales({
        proceedsKobo,
        openCosts: named,
        farmQuantity,
        pool: pool.map(({ backingId, weight }) => ({ backingId, quantity: weight })),
        rates: { fee: rates.feeRate, vat: rates.vatRate, wht: rates.whtRate },
      });
  return { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement };
}

/**
 * The table that an owner looks at before settling, with its sum row, and whether they wrote down a part of it
 * themselves. Throws as the settlement would.
 */
export async function previewSettlement(ctx: ActorContext, input: z.output<typeof previewSettlementInput>) {
  const { db, actor } = ctx;
  const { openCosts, ...table } = await tabulate(db, input);
  return { ...table, isRecorder: await isRecorded(db, { ...input, costs: table.costs, openCosts, userId: actor.id }) };
}

/** The table of a settlement that would be made now. */
export async function tabulate(db: DbOrTx, { harvestId, pool: name }: z.output<typeof previewSettlementInput>) {
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement } = await divide(db, harvest, name);
  const names = new Map(
    (
      await rows<{ id: string; name: string }>(
        db,
        sql`select id::text, full_name as name from users where id in (
          select user_id from round_weights where project_id = ${harvest.projectId} and round = ${harvest.round}
          union select user_id from project_backings where project_id = ${harvest.projectId})`,
      )
    ).map(({ id, name: fullName }) => [id, fullName]),
  );
  const parts = new Map(pool.map((part) => [part.backingId, part]));
  const labels = new Map(openCosts.map(({ id, label }) => [String(id), label]));
  return {
    proceedsKobo,
    farmQuantity,
    farmKobo: settlement.farmKobo,
    ...rates,
    ...settlement.totals,
    openCosts,
    unwrittenKobo: await readUnwritten(db, harvest),
    costs: settlement.costsTaken.map((cost) => ({ ...cost, label: labels.get(cost.id) ?? "" })),
    rows: settlement.rows.map((row) => {
      const part = parts.get(row.backingId);
      return { ...row, name: names.get(part?.userId ?? "") ?? "", weight: part?.weight ?? 0n };
    }),
  };
}

type Recorded = {
  harvestId: number;
  pool: HarvestPool;
  /** The costs that it takes. */
  costs: readonly { id: string }[];
  openCosts: readonly OpenCost[];
  userId: string;
};

/**
 * True if somebody wrote down a cost that a settlement takes, or a sale of its pool of which money came since the last
 * one, or removed a cost since then that it would have taken.
 */
export async function isRecorded(
  db: DbOrTx,
  { harvestId, pool, costs, openCosts, userId }: Recorded,
): Promise<boolean> {
  const taken = new Set(costs.map(({ id }) => id));
  if (openCosts.some(({ id, recordedBy }) => recordedBy === userId && taken.has(String(id)))) return true;
  const found = await rows(
    db,
    sql`select 1 from harvest_sales s, lateral (
        select coalesce(max(t.created_at), '-infinity') as at from settlements t
        where t.harvest_id = s.harvest_id and t.pool = s.pool and t.reversed_at is null) settled
      where s.harvest_id = ${harvestId} and s.pool = ${pool} and s.recorded_by = ${userId} and s.removed_at is null
        and (s.declared_at >= settled.at or exists (select from line_matches m
          where m.sale_id = s.id and m.kind = 'sale' and m.undone_at is null and m.created_at >= settled.at))
      union all select 1 from harvest_costs c
      where c.harvest_id = ${harvestId} and c.removed_by = ${userId} and c.recorded_by <> ${userId}
        and (c.paid_by = 'platform' or c.request_id is not null)
        and c.removed_at >= (select coalesce(max(t.created_at), '-infinity') from settlements t
          where t.harvest_id = ${harvestId} and t.reversed_at is null) limit 1`,
  );
  return found.length > 0;
}
