import { sql } from "drizzle-orm";
import { moneyOfSaleTable } from "#server/books/sales.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Harvest } from "#server/features/harvests/harvest-rows.ts";
import type { HarvestPool } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";

type PoolRest = {
  pool: HarvestPool;
  /** The backers' quantity. */
  backers: bigint;
  /** The quantity that is in no sale. */
  unsold: bigint;
  /** The part of its sales that hasn't arrived. */
  missingKobo: Kobo;
  isSettled: boolean;
};

/** The part of a quantity of the part `a` that still brings its person money, rounded down as settlements count it. */
const keptOf = (quantity: "sold" | "taken") =>
  sql.raw(`div(a.${quantity}::numeric * (a.weight_kobo - a.struck_kobo), a.weight_kobo)`);

/** Reads of each pool of a harvest what isn't sold, paid or settled. */
export async function readRests(db: DbOrTx, { id }: Pick<Harvest, "id">): Promise<PoolRest[]> {
  const found = await rows<{ pool: HarvestPool; backers: string; unsold: string; missing: string; isSettled: boolean }>(
    db,
    sql`select p.pool, p.backers::text, greatest(p.whole - coalesce(s.quantity, 0), 0)::text as unsold,
        coalesce(s.missing, 0)::text as missing,
        exists (select from settlements t where t.harvest_id = ${id} and t.pool = p.pool and t.reversed_at is null) as "isSettled"
      from (
        select 'sold' as pool, coalesce(sum(${keptOf("sold")}), 0) as backers, coalesce(sum(a.sold), 0) + coalesce(max(h.farm_quantity), 0) as whole
        from harvests h left join harvest_parts a on a.harvest_id = h.id where h.id = ${id}
        union all
        select 'uncollected', coalesce(sum(${keptOf("taken")}), 0), coalesce(sum(a.taken), 0)
        from harvest_parts a where a.harvest_id = ${id} and a.uncollected_at is not null
      ) p left join (
        select s.pool, sum(s.quantity) as quantity, sum(case when s.declared_at is not null then money.away else s.amount_kobo - money.seen end
          - s.lost_kobo) as missing
        from harvest_sales s cross join lateral ${moneyOfSaleTable} money where s.harvest_id = ${id} and s.removed_at is null group by s.pool
      ) s on s.pool = p.pool`,
  );
  return found.map(({ pool, backers, unsold, missing, isSettled }) => ({
    pool,
    isSettled,
    backers: BigInt(backers),
    unsold: BigInt(unsold),
    missingKobo: BigInt(missing),
  }));
}

/** True if backers' produce of a pool is in no sale. An insurer's sum has no quantity. */
export const isUnsold =
  ({ isInsurance }: Pick<Harvest, "isInsurance">) =>
  ({ backers, unsold }: PoolRest): boolean =>
    !isInsurance && backers > 0n && unsold > 0n;

/** The pools of which something is lost. */
export const listLost = (rests: PoolRest[], harvest: Pick<Harvest, "isInsurance">): PoolRest[] =>
  rests.filter((rest) => {
    const isOpen = !harvest.isInsurance && rest.backers > 0n && !rest.isSettled;
    return rest.missingKobo > 0n || isUnsold(harvest)(rest) || isOpen;
  });
