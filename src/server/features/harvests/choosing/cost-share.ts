import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Harvest, RoundTerms } from "#server/features/harvests/harvest-rows.ts";
import { type CostShare, produceValue } from "#shared/harvests/arithmetic.ts";
import { allotHarvest } from "./current-shares.ts";

type Sums = { costsKobo: string; salesKobo: string };

/**
 * Estimates the part of sales that deductible costs will take, for backers who choose:
 * the recorded costs against the sale of all that isn't taken or given away so far, else what the costs were of the last
 * harvest's sales. Null where no costs are deductible or neither is known.
 */
export async function findCostShare(db: DbOrTx, harvest: Harvest, terms: RoundTerms): Promise<CostShare | null> {
  if (harvest.state !== "choosing" || terms.deductibleCosts.length === 0) return null;
  return (await findRecorded(db, harvest, terms)) ?? (await findOfLast(db, harvest));
}

async function findRecorded(db: DbOrTx, harvest: Harvest, terms: RoundTerms): Promise<CostShare | null> {
  const [recorded] = await rows<{ costsKobo: string }>(
    db,
    sql`select coalesce(sum(amount_kobo), 0)::text as "costsKobo" from harvest_costs
      where harvest_id = ${harvest.id} and removed_at is null and (paid_by = 'platform' or request_id is not null)`,
  );
  const costsKobo = BigInt(recorded?.costsKobo ?? 0);
  if (costsKobo === 0n) return null;
  const { farmQuantity, rows: parts } = await allotHarvest(db, harvest, terms);
  const sold = parts.reduce((sum, part) => sum + part.sold, farmQuantity);
  const salesKobo = produceValue(sold, harvest.referencePriceKobo ?? 0n);
  return salesKobo === 0n ? null : { costsKobo, salesKobo, source: "recorded" };
}

/** The sales of the farm's last settled harvest before this one, with what costs took of them. */
async function findOfLast(db: DbOrTx, { id, projectId }: Harvest): Promise<CostShare | null> {
  const [last] = await rows<Sums>(
    db,
    sql`select sum(s.costs_kobo)::text as "costsKobo", sum(s.proceeds_kobo)::text as "salesKobo"
      from settlements s join harvests h on h.id = s.harvest_id
      where h.project_id = ${projectId} and h.id < ${id} and not h.is_insurance and s.reversed_at is null
      group by h.id order by h.id desc limit 1`,
  );
  return last ? { costsKobo: BigInt(last.costsKobo), salesKobo: BigInt(last.salesKobo), source: "last_harvest" } : null;
}
