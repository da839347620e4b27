import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The money of a sale, in kobo. `seenKobo` is what lines show, less what the bank took back. `settledAwayKobo` is what
 * it took back after it was settled and that hasn't come again; `receivableKobo` is the part of it that two owners
 * haven't given up.
 */
export type SaleMoney = { seenKobo: Kobo; settledAwayKobo: Kobo; receivableKobo: Kobo };

/** The sums of the standing matches of the sale `s`, as a subselect with the columns `seen` and `away`. */
export const moneyOfSaleTable = sql.raw(`(select
    coalesce(sum(case m.kind when 'sale' then m.amount_kobo else -m.amount_kobo end), 0)::bigint as seen,
    coalesce(sum(case m.kind when 'sale' then -m.receivable_kobo else m.receivable_kobo end), 0)::bigint as away
  from line_matches m where m.sale_id = s.id and m.undone_at is null)`);

export async function readSaleMoney(db: DbOrTx, saleId: number): Promise<SaleMoney> {
  const [found] = await rows<{ seen: string; away: string; lost: string }>(
    db,
    sql`select money.seen::text, money.away::text, s.lost_kobo::text as lost
      from harvest_sales s cross join lateral ${moneyOfSaleTable} money where s.id = ${saleId}`,
  );
  const [seen, away, lost] = [BigInt(found?.seen ?? 0), BigInt(found?.away ?? 0), BigInt(found?.lost ?? 0)];
  return { seenKobo: seen, settledAwayKobo: away, receivableKobo: away - lost };
}

/**
 * How much of a credit's money was settled, if the bank takes `amountKobo` of it back now. Each settlement takes all
 * that its pool has, so what other credits brought since the last one isn't this one's. The ledger's ids give the
 * order.
 */
export async function readSettledOf(
  db: DbOrTx,
  sale: { harvestId: number; pool: string },
  { creditMatchId, amountKobo, proceedsKobo }: { creditMatchId: number; amountKobo: Kobo; proceedsKobo: Kobo },
): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`with settled as (
        select coalesce(max(t.id), 0) as at from settlements p
          join ledger_transactions t on t.settlement_id = p.id and t.kind = 'settlement'
        where p.harvest_id = ${sale.harvestId} and p.pool = ${sale.pool} and p.reversed_at is null
      ), sale as (
        select s.*, coalesce((select t.id from ledger_transactions t where t.sale_id = s.id and t.kind = 'sale_declared'), 0)
          as declared_by
        from harvest_sales s where s.harvest_id = ${sale.harvestId} and s.pool = ${sale.pool}
      )
      select (
        coalesce((select sum(case m.kind when 'sale' then 1 else -1 end * (m.amount_kobo - coalesce(m.receivable_kobo, 0)))
          from line_matches m join sale s on s.id = m.sale_id
            join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
          where m.undone_at is null and t.id > settled.at and (s.declared_at is null or s.declared_by > settled.at)
            and coalesce(m.credit_match_id, m.id) <> ${creditMatchId}), 0)
        + coalesce((select sum(s.amount_kobo - money.seen - money.away)
          from sale s cross join lateral ${moneyOfSaleTable} money
          where s.declared_at is not null and s.declared_by > settled.at), 0)
      )::text as kobo from settled`,
  );
  const unsettledKobo = proceedsKobo - BigInt(found?.kobo ?? 0);
  if (unsettledKobo <= 0n) return amountKobo;
  return unsettledKobo < amountKobo ? amountKobo - unsettledKobo : 0n;
}
