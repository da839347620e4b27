import { type SQL, sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";
import { dayMs } from "#shared/lagos-time.ts";

/** How long money that nobody has seen at the bank counts as being on its way. */
const transitDays = 14;

/** How many sums of a kind the alarm names, the largest first. */
const shownSums = 20;

/** The named sums of a table of the query below, and what they are together. */
const listed = (name: string, table: string): SQL =>
  sql.raw(`'${name}', (select coalesce(jsonb_agg(what || ': ' || kobo || ' kobo'), '[]') from (
              select * from ${table} limit ${shownSums}) shown),
          '${name}Kobo', (select coalesce(sum(kobo), 0) from ${table})`);

const daysBefore = (now: Date): string => new Date(now.getTime() - transitDays * dayMs).toISOString();

/**
 * The money at the bank, and on its way for at most 14 days, covers what is owed.
 *
 * It is an alarm and no constraint, so `npm run check:money` and the tests don't run it: charges that the platform
 * bears and losses can break it until the company adds money of its own. Receivables never count as there. Money of an
 * undone match is on its way for as long as the payment or sale was; arrivals are taken from the oldest. A finding
 * means that not everybody could be paid today, and names what is on its way for longer and what is receivable. A site
 * that never imported a statement has nothing to compare.
 */
export const owedIsCovered: Invariant = {
  name: "I18 what is at the bank, and on its way for at most 14 days, is at least what is owed",
  query: (now) => sql`
    with moved as (
      select e.payment_id, e.sale_id, e.amount_kobo, case t.kind when 'undone_match'
        then min(t.created_at) over (partition by e.payment_id, e.sale_id) else t.created_at end as since
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where e.account = 'in_transit'
    ), overdue as (
      select payment_id, sale_id, greatest(coalesce(sum(amount_kobo) filter (where amount_kobo < 0 or since <= ${daysBefore(now)}::timestamptz), 0), 0) as kobo
      from moved group by payment_id, sale_id
    ), receivable as (
      select payment_id, sale_id, payout_id, sum(amount_kobo) as kobo from ledger_entries
      where account = 'receivable' group by payment_id, sale_id, payout_id
    ), named_overdue as (
      select o.kobo, coalesce(p.reference, 'sale ' || o.sale_id) as what
      from overdue o left join project_payments p on p.id = o.payment_id
      where o.kobo > 0 order by o.kobo desc, o.payment_id, o.sale_id
    ), named_receivable as (
      select r.kobo, coalesce(p.reference, o.reference, 'sale ' || r.sale_id) as what
      from receivable r left join project_payments p on p.id = r.payment_id left join payouts o on o.id = r.payout_id
      where r.kobo > 0 order by r.kobo desc, r.payment_id, r.sale_id, r.payout_id
    ), sums as (
      select coalesce(sum(amount_kobo) filter (where account in ('bank', 'in_transit')), 0)
          - (select coalesce(sum(kobo), 0) from named_overdue) as there,
        coalesce(-sum(amount_kobo) filter (where account in ('unmatched_in', 'unallocated', 'project_funding', 'farm_released',
            'backer_due', 'farm_due', 'sender_due', 'payouts_in_transit', 'harvest_proceeds', 'vat_due', 'wht_due')), 0)
          as owed
      from ledger_entries
    )
    select 'less money is there than is owed to others' as violation,
      jsonb_build_object('thereKobo', there, 'owedKobo', owed, 'missingKobo', owed - there,
        ${listed("inTransitTooLong", "named_overdue")}, ${listed("receivable", "named_receivable")}) as row
    from sums
    where there < owed and exists (select from ledger_transactions where kind in ('opening', 'line'))`,
};
