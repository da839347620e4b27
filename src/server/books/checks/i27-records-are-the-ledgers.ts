import { sql } from "drizzle-orm";
import { recordMoneyOf } from "#server/books/record-money.ts";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * A farm's record and the ledger agree on a round's money.
 *
 * The record reads it from sales, parts, settlements and payouts. A finding means that visitors are told of more or
 * less than was sold, collected or paid, before they pay a farm themselves.
 */
export const recordsAreTheLedgers: Invariant = {
  name: "I27 what a farm's record says of a round's money is in the ledger",
  query: () => sql`
    with record as (${recordMoneyOf(sql`true`)}), of_harvests as (
      select h.project_id, h.round,
        sum(e.amount_kobo) filter (where e.account = 'backer_due' and t.kind in ('payout_sent', 'payout_failed', 'payout_failure_undone'))
          as sent,
        sum(e.amount_kobo) filter (where e.account = 'produce_due' and t.kind = 'produce_collected') as produce,
        -sum(e.amount_kobo) filter (where e.account = 'harvest_proceeds' and not h.is_insurance
          and t.kind in ('match', 'undone_match', 'sale_declared', 'sale_taken_back')) as received
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id join harvests h on h.id = e.harvest_id
      group by h.project_id, h.round
    ), of_payout as (
      select o.settlement_id, o.return_id, sum(e.amount_kobo) filter (where t.kind in ('match', 'undone_match')) as seen,
        -sum(e.amount_kobo) filter (where t.kind in ('payout_sent', 'payout_failed', 'payout_failure_undone')) as sent
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id join payouts o on o.id = e.payout_id
      where e.account = 'payouts_in_transit' and o.kind in ('harvest', 'returned')
      group by o.id
    ), of_settlements as (
      select h.project_id, h.round, sum(p.seen) filter (where p.sent > 0) as seen
      from of_payout p join settlements s on s.id = p.settlement_id join harvests h on h.id = s.harvest_id
      group by h.project_id, h.round
    ), of_returns as (
      select b.project_id, b.round, sum(p.sent) as sent, sum(p.seen) filter (where p.sent > 0) as seen
      from of_payout p join round_returns b on b.id = p.return_id group by b.project_id, b.round
    )
    select 'record and ledger differ in what backers were sent' as violation, jsonb_build_object('projectId', r.project_id,
      'round', r.round, 'recordKobo', r.harvest_paid + r.insurance_paid + r.harvest_sent, 'ledgerKobo', coalesce(e.sent, 0)) as row
    from record r left join of_harvests e on e.project_id = r.project_id and e.round = r.round
    where r.harvest_paid + r.insurance_paid + r.harvest_sent <> coalesce(e.sent, 0)
    union all
    select 'record and ledger differ in what the bank shows of it', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'recordKobo', r.harvest_seen + r.insurance_seen, 'ledgerKobo', coalesce(e.seen, 0))
    from record r left join of_settlements e on e.project_id = r.project_id and e.round = r.round
    where r.harvest_seen + r.insurance_seen <> coalesce(e.seen, 0)
    union all
    select 'record and ledger differ in what was returned', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'recordKobo', r.returned_paid + r.returned_sent, 'seenKobo', r.returned_seen, 'ledgerKobo', coalesce(e.sent, 0))
    from record r left join of_returns e on e.project_id = r.project_id and e.round = r.round
    where (r.returned_paid + r.returned_sent, r.returned_seen) <> (coalesce(e.sent, 0), coalesce(e.seen, 0))
    union all
    select 'record and ledger differ in the produce that was taken', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'recordKobo', r.produce, 'ledgerKobo', coalesce(e.produce, 0))
    from record r left join of_harvests e on e.project_id = r.project_id and e.round = r.round
    where r.produce <> coalesce(e.produce, 0)
    union all
    select 'record and ledger differ in what sales brought', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'recordKobo', r.received, 'ledgerKobo', coalesce(e.received, 0))
    from record r left join of_harvests e on e.project_id = r.project_id and e.round = r.round
    where r.received <> coalesce(e.received, 0)`,
};
