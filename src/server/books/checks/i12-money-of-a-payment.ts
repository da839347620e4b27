import { sql } from "drizzle-orm";
import { missingOfApproved, moneySums } from "#server/books/places.ts";
import type { Invariant } from "#server/platform/findings.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

/**
 * A payment's money stands where its matches, refunds and status say.
 *
 * With amount a, what arrived r (matches and what people said, less refunds and what was taken back), what only people
 * said u, what was written off w, lost by a strike x and taken back since the approval t, missing m = max(a − r − w −
 * x, 0) and beyond s = max(r + w + x − a, 0): an approved payment has m − min(m, t) + u in transit, min(m, t)
 * receivable and s unallocated, or kept as the company's own below ₦100; any other has u in transit and r unallocated.
 * All of it is worked out anew from the matches, not from the postings. A finding means that a backer is owed more or
 * less than the books say.
 */
export const paymentMoneyStandsRight: Invariant = {
  name: "I12 a payment's money stands where its matches, refunds and status say",
  query: () => sql`
    with approvals as (
      select t.payment_id, max(t.id) as id from ledger_transactions t
      where t.kind = 'approval' and not exists (select from ledger_transactions r where r.reverses_id = t.id)
      group by t.payment_id
    ), matched as (
      -- The order of what people said and lines showed is that of the ledger.
      select m.payment_id, m.kind, m.amount_kobo, t.id from line_matches m
        join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
      where m.payment_id is not null and m.undone_at is null
    ), words as (
      select t.payment_id, t.id, e.amount_kobo from ledger_transactions t
        join ledger_entries e on e.transaction_id = t.id and e.account = 'in_transit'
      where t.kind in ('declared_arrival', 'assumed_arrival')
    ), steps as (
      select payment_id, id, sum(by) over (partition by payment_id order by id) as said from (
        select payment_id, id, amount_kobo as by from words
        union all
        select payment_id, id, -amount_kobo from matched where kind = 'payment'
      ) both_sides
    ), unshown as (
      select payment_id, (array_agg(said order by id desc))[1] - least(min(said), 0) as said
      from steps where payment_id in (select payment_id from words) group by payment_id
    ), money as (
      select p.id, p.status, p.amount_kobo as amount, u.said, coalesce(k.lost_kobo, 0) as lost,
        u.said + coalesce((select sum(case m.kind when 'payment' then m.amount_kobo when 'taken_back' then -m.amount_kobo else 0 end)
          from matched m where m.payment_id = p.id), 0)
        - coalesce((select sum(f.amount_kobo) from refunds f where f.payment_id = p.id and f.taken_back_at is null), 0)
          as arrived,
        coalesce((select sum(m.amount_kobo) from matched m
          where m.payment_id = p.id and m.kind = 'taken_back' and m.id > a.id), 0) as taken_back,
        coalesce((select sum(e.amount_kobo) from ledger_entries e
          where e.transaction_id = a.id and e.account = 'bank_charges'), 0) as written_off,
        posted.in_transit, posted.receivable, posted.unallocated, own.kept
      from project_payments p left join approvals a on a.payment_id = p.id left join payment_strikes k on k.payment_id = p.id
        cross join lateral (
          -- What people said of a payment that was struck since didn't come.
          select case when k.id is null then coalesce((select said from unshown where payment_id = p.id), 0) else 0 end as said
        ) u
        cross join lateral (
          select coalesce(sum(e.amount_kobo) filter (where e.account = 'in_transit'), 0) as in_transit,
            coalesce(sum(e.amount_kobo) filter (where e.account = 'receivable'), 0) as receivable,
            -coalesce(sum(e.amount_kobo) filter (where e.account = 'unallocated'), 0) as unallocated
          from ledger_entries e
          where e.account in ('in_transit', 'receivable', 'unallocated') and e.payment_id = p.id
        ) posted
        cross join lateral (
          select coalesce(-sum(e.amount_kobo), 0) as kept
          from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'operator'
          where t.payment_id = p.id
        ) own
    ), placed as (
      select *, greatest(amount - written_off - lost - arrived, 0) as missing,
        greatest(arrived + written_off + lost - amount, 0) as surplus
      from money
    ), split as (
      select *, case when surplus < ${paymentLimits.smallRestKobo.toString()}::bigint then surplus else 0 end as own
      from placed
    )
    select 'more was given back of a payment than had arrived' as violation, jsonb_build_object('paymentId', id,
      'unallocatedKobo', unallocated) as row
    from money where unallocated < 0
    union all
    select 'money of an approved payment stands elsewhere than its matches say', jsonb_build_object('paymentId', id,
      'amountKobo', amount, 'arrivedKobo', arrived, 'writtenOffKobo', written_off, 'lostKobo', lost, 'saidKobo', said,
      'takenBackKobo', taken_back, 'inTransitKobo', in_transit, 'receivableKobo', receivable,
      'unallocatedKobo', unallocated, 'keptKobo', kept)
    from split
    where status = 'approved' and (in_transit, receivable, unallocated, kept)
      <> (missing - least(missing, taken_back) + said, least(missing, taken_back), surplus - own, own)
    union all
    select 'money of a payment that is not approved stands elsewhere than its matches say', jsonb_build_object('paymentId', id,
      'arrivedKobo', arrived, 'saidKobo', said, 'inTransitKobo', in_transit, 'receivableKobo', receivable,
      'unallocatedKobo', unallocated, 'keptKobo', kept)
    from money where status <> 'approved' and (in_transit, receivable, unallocated, kept) <> (said, 0, arrived, 0)
    union all
    select 'more or less is read to have arrived of an approved payment than its matches say', jsonb_build_object(
      'paymentId', m.id, 'arrivedKobo', m.arrived, 'readKobo', r.arrived)
    from money m join (
      select id, amount_kobo - written_off - struck - ${missingOfApproved} + unallocated + kept as arrived
      from (${moneySums(sql`true`)}) sums
    ) r on r.id = m.id
    where m.status = 'approved' and r.arrived <> m.arrived
    union all
    select 'strike lost more or less than was missing', jsonb_build_object('paymentId', k.payment_id, 'lostKobo', k.lost_kobo,
      'postedKobo', coalesce(posted.lost, 0), 'status', p.status)
    from payment_strikes k join project_payments p on p.id = k.payment_id left join (
      select t.payment_id, sum(e.amount_kobo) as lost from ledger_transactions t
        join ledger_entries e on e.transaction_id = t.id and e.account = 'losses'
      where t.kind = 'strike' group by t.payment_id
    ) posted on posted.payment_id = k.payment_id
    where k.lost_kobo <> coalesce(posted.lost, 0) or p.status <> 'approved'
    union all
    select 'posted as struck, and isn''t', jsonb_build_object('transactionId', t.id, 'paymentId', t.payment_id)
    from ledger_transactions t
    where t.kind = 'strike' and not exists (select from payment_strikes k where k.payment_id = t.payment_id)
    union all
    select 'counted as arrived without a line, though statements were imported', jsonb_build_object('transactionId', t.id,
      'paymentId', t.payment_id)
    from ledger_transactions t
    where t.kind = 'assumed_arrival' and exists (
      select from ledger_transactions first where first.kind in ('opening', 'line') and first.id < t.id)
    union all
    select 'approved payment with a refund due', jsonb_build_object('paymentId', p.id, 'refundId', f.id)
    from refunds f join project_payments p on p.id = f.payment_id
    where p.status = 'approved' and f.reason <> 'surplus' and f.taken_back_at is null`,
};
