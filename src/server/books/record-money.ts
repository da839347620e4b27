import { type SQL, sql } from "drizzle-orm";
import { moneyOfSaleTable } from "./sales.ts";

/**
 * The money of rounds that a farm's record shows, from the rows that say what was sold, settled and paid; I27 compares
 * it with the ledger. `chosen` is a condition on `r`, the round. A row for each: `…_paid` is what reached backers,
 * `…_seen` what of it lines of a statement show, `…_sent` what is in a bank's file, `on_its_way` all that is owed and
 * not paid. `produce` is the value of what was collected, at the price for estimates; `received` what buyers paid,
 * `priced` what of it is of sales that are paid in whole.
 */
export const recordMoneyOf = (chosen: SQL): SQL => sql`
  select r.project_id, r.round, paid.harvest_paid, paid.harvest_seen, paid.insurance_paid, paid.insurance_seen, paid.on_its_way,
    paid.harvest_sent, back.returned_paid, back.returned_seen, back.returned_sent, taken.produce, sold.received, sold.received_seen, sold.priced, sold.priced_quantity
  from project_rounds r cross join lateral (
    select coalesce(sum(o.amount_kobo) filter (where o.state = 'paid' and not h.is_insurance), 0) as harvest_paid,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'paid' and not h.is_insurance and ${isSeen}), 0) as harvest_seen,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'paid' and h.is_insurance), 0) as insurance_paid,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'paid' and h.is_insurance and ${isSeen}), 0) as insurance_seen,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'sent'), 0) as harvest_sent,
      coalesce(sum(o.amount_kobo) filter (where o.state in ('waiting', 'due', 'in_run', 'sent')), 0) as on_its_way
    from harvests h join settlements s on s.harvest_id = h.id join payouts o on o.settlement_id = s.id and o.kind = 'harvest'
    where h.project_id = r.project_id and h.round = r.round
  ) paid cross join lateral (
    select coalesce(sum(o.amount_kobo) filter (where o.state = 'paid'), 0) as returned_paid,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'paid' and ${isSeen}), 0) as returned_seen,
      coalesce(sum(o.amount_kobo) filter (where o.state = 'sent'), 0) as returned_sent
    from round_returns b join payouts o on o.return_id = b.id
    where b.project_id = r.project_id and b.round = r.round
  ) back cross join lateral (
    select coalesce(sum(p.produce_kobo), 0) as produce
    from harvests h join harvest_parts p on p.harvest_id = h.id and p.collected_at is not null
    where h.project_id = r.project_id and h.round = r.round
  ) taken cross join lateral (
    select coalesce(sum(s.got), 0) as received, coalesce(sum(s.seen), 0) as received_seen,
      coalesce(sum(s.got) filter (where s.is_whole), 0) as priced, coalesce(sum(s.quantity) filter (where s.is_whole), 0) as priced_quantity
    from (
      select s.quantity, money.seen + money.away as seen,
        case when s.declared_at is null then money.seen + money.away else s.amount_kobo end as got,
        s.declared_at is not null or money.seen + money.away >= s.amount_kobo as is_whole
      from harvests h join harvest_sales s on s.harvest_id = h.id cross join lateral ${moneyOfSaleTable} money
      where h.project_id = r.project_id and h.round = r.round and not h.is_insurance and s.removed_at is null
    ) s
  ) sold
  where ${chosen}`;

/** Condition on a payout `o`: a line of a statement shows that it left. */
const isSeen: SQL = sql.raw(
  "exists (select from line_matches m where m.payout_id = o.id and m.kind = 'payout' and m.undone_at is null)",
);
