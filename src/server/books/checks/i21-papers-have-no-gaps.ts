import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Papers are numbered without gaps, and each approval, refund, settlement and sent run has its valid one.
 *
 * A paper is numbered in the transaction of what it tells of. A finding means that a paper is missing, or that a valid
 * one tells something that doesn't stand any more.
 */
export const papersHaveNoGaps: Invariant = {
  name: "I21 papers are numbered without gaps, and each approval, refund, settlement and sent run has its valid one",
  query: () => sql`
    with numbers as (
      select kind, year, count(*) as papers, max(sequence) as highest from papers group by kind, year
    ), parts as (
      select q.settlement_id, q.user_id, s.created_at, s.reversed_at, sum(q.net_kobo) - coalesce((select sum(k.net_kobo) from settlement_strikes k
          where k.settlement_id = q.settlement_id and k.backing_id = any(array_agg(q.backing_id))), 0) as net
      from settlement_parts q join settlements s on s.id = q.settlement_id
      group by q.settlement_id, q.user_id, s.id
    )
    select 'paper numbers have a gap' as violation, jsonb_build_object('kind', coalesce(c.kind, n.kind),
      'year', coalesce(c.year, n.year), 'last', c.last, 'papers', n.papers, 'highest', n.highest) as row
    from paper_counters c full join numbers n on n.kind = c.kind and n.year = c.year
    where c.last is distinct from n.highest or c.last is distinct from n.papers
    union all
    select 'approved payment without its receipt', jsonb_build_object('paymentId', p.id, 'amountKobo', p.amount_kobo)
    from project_payments p
    where p.status = 'approved' and not exists (select from payment_strikes k where k.payment_id = p.id) and not exists (
      select from papers r where r.payment_id = p.id and r.replaced_at is null)
    union all
    select 'valid receipt of a payment that is not approved for its amount',
      jsonb_build_object('paperId', r.id, 'paymentId', p.id, 'status', p.status, 'amountKobo', r.amount_kobo)
    from papers r join project_payments p on p.id = r.payment_id
    where r.replaced_at is null
      and (p.status <> 'approved' or exists (select from payment_strikes k where k.payment_id = p.id) or r.amount_kobo <> p.amount_kobo or not has_held(p.id, r.user_id))
    union all
    select 'refund without its note', jsonb_build_object('refundId', f.id, 'amountKobo', f.amount_kobo)
    from refunds f
    where f.taken_back_at is null and not exists (
      select from papers r where r.refund_id = f.id and r.replaced_at is null)
    union all
    select 'valid note of a refund that is not due for its amount',
      jsonb_build_object('paperId', r.id, 'refundId', f.id, 'amountKobo', r.amount_kobo)
    from papers r join refunds f on f.id = r.refund_id
    where r.replaced_at is null
      and (f.taken_back_at is not null or r.amount_kobo <> f.amount_kobo or r.user_id <> f.user_id)
    union all
    select 'person of a settlement without a statement', jsonb_build_object('settlementId', q.settlement_id,
      'userId', q.user_id)
    from parts q
    where q.reversed_at is null and not exists (
      select from papers r where r.settlement_id = q.settlement_id and r.user_id = q.user_id and r.replaced_at is null)
    union all
    select 'valid statement of a settlement is not what its person gets', jsonb_build_object('paperId', r.id,
      'settlementId', r.settlement_id, 'amountKobo', r.amount_kobo, 'netKobo', q.net)
    from papers r left join parts q on q.settlement_id = r.settlement_id and q.user_id = r.user_id
    where r.settlement_id is not null and r.replaced_at is null
      and (q.reversed_at is not null or r.amount_kobo is distinct from q.net)
    union all
    select 'sent run without its sheet', jsonb_build_object('runId', n.id, 'totalKobo', n.total_kobo)
    from payout_runs n
    where n.exported_at is not null and not exists (
      select from papers r where r.run_id = n.id and r.replaced_at is null and r.amount_kobo = n.total_kobo)
    union all
    select 'several valid papers of one range', jsonb_build_object('kind', kind, 'userId', user_id,
      'firstDay', first_day, 'lastDay', last_day, 'papers', count(*))
    from papers where first_day is not null and replaced_at is null
    group by kind, user_id, first_day, last_day having count(*) > 1
    union all
    select 'file of a paper is none', jsonb_build_object('paperId', r.id, 'fileId', f.id, 'kind', f.kind)
    from papers r join stored_files f on f.id = r.file_id
    where f.kind <> 'paper' or f.content_type <> 'application/pdf'`,
};
