import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";
import { wallLimits } from "#shared/bank/texts.ts";
import { holderChangeLimits } from "#shared/payments/holder-changes-texts.ts";
import { paymentLimits } from "#shared/payments/texts.ts";

/**
 * Acts of two people were confirmed by a second person, or by the only owner with a second factor.
 *
 * Each of these acts names the request that another owner confirmed. A finding means that one person did alone what
 * takes two. The acts about harvests are I22.
 */
export const secondPersonConfirmed: Invariant = {
  name: "I19 what takes a second person was confirmed by one, or by the only owner with a second factor",
  query: () => sql`
    select 'round written off without a second person' as violation, jsonb_build_object('projectId', r.project_id,
      'round', r.round, 'decidedBy', r.decided_by) as row
    from project_rounds r
    where r.outcome = 'written_off' and not exists (
      select from second_person_requests q
      where q.kind = 'write_off' and q.subject = r.project_id || '/' || r.round and q.decision = 'confirmed'
        and q.decided_by = r.decided_by)
    union all
    select 'confirmed, and not done', jsonb_build_object('requestId', q.id, 'subject', q.subject)
    from second_person_requests q
    where q.kind = 'write_off' and q.decision = 'confirmed' and not exists (
      select from project_rounds r
      where r.outcome = 'written_off' and q.subject = r.project_id || '/' || r.round)
    union all
    select 'rest written off without a second person', jsonb_build_object('transactionId', t.id,
      'paymentId', t.payment_id, 'writtenOffKobo', e.amount_kobo)
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'bank_charges'
    where t.kind = 'approval' and e.amount_kobo > ${paymentLimits.smallRestKobo.toString()}::bigint and not exists (
      select from second_person_requests q
      where q.kind = 'approve_payment' and q.subject = t.payment_id::text and q.decision = 'confirmed'
        and q.decided_by = t.actor_id and q.details->>'writtenOffKobo' = e.amount_kobo::text)
    union all
    select 'confirmed, and not approved', jsonb_build_object('requestId', q.id, 'subject', q.subject)
    from second_person_requests q
    where q.kind = 'approve_payment' and q.decision = 'confirmed' and not exists (
      select from ledger_transactions t
      where t.kind = 'approval' and t.payment_id::text = q.subject and t.actor_id = q.decided_by
        and t.created_at >= q.decided_at)
    union all
    select 'declared arrivals are not what second people confirmed', jsonb_build_object('paymentId', payment_id,
      'confirmedKobo', sum(confirmed), 'postedKobo', sum(posted))
    from (
      select subject as payment_id, (details->>'amountKobo')::bigint as confirmed, 0 as posted
      from second_person_requests where kind = 'declare_arrived' and decision = 'confirmed'
      union all
      select t.payment_id::text, 0, e.amount_kobo
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.kind = 'declared_arrival' and e.account = 'in_transit'
    ) both_sides
    group by payment_id having sum(confirmed) <> sum(posted)
    union all
    select 'charges on one line that take a second person' as violation, jsonb_build_object('lineId', line_id,
      'amountKobo', sum(kobo)) as row
    from (
      select line_id, amount_kobo as kobo from line_matches
      where kind = 'bank_charges' and undone_at is null and request_id is null
      union all
      select m.line_id, p.amount_kobo - m.amount_kobo from line_matches m join payouts p on p.id = m.payout_id
      where m.kind = 'returned' and m.undone_at is null and m.request_id is null
    ) charges
    group by line_id having sum(kobo) > ${wallLimits.chargesOfLineKobo.toString()}::bigint
    union all
    select 'money of an approved payment taken back without a second person', jsonb_build_object('matchId', m.id,
      'paymentId', m.payment_id)
    from line_matches m join ledger_transactions t on t.match_id = m.id and t.kind = 'match'
      join ledger_entries e on e.transaction_id = t.id and e.account = 'receivable'
    where m.kind = 'taken_back' and m.request_id is null
    union all
    select 'money that no line names given back without a second person', jsonb_build_object('refundId', r.id,
      'paymentId', r.payment_id)
    from refunds r
    where r.request_id is null and r.reason <> 'not_funded' and exists (
      select from line_matches m
      where m.payment_id = r.payment_id and m.kind = 'payment' and not m.is_named and m.created_at < r.created_at
        and (m.undone_at is null or m.undone_at > r.created_at))
    union all
    select 'refund by a request that nobody confirmed', jsonb_build_object('refundId', r.id, 'requestId', q.id)
    from refunds r join second_person_requests q on q.id = r.request_id
    where q.kind not in ('give_unallocated_back', 'declare_arrived') or q.decision is distinct from 'confirmed'
      or q.subject <> r.payment_id::text
    union all
    select 'match by a request that nobody confirmed', jsonb_build_object('matchId', m.id, 'requestId', q.id)
    from line_matches m join second_person_requests q on q.id = m.request_id
    where q.kind <> 'match_line' or q.decision is distinct from 'confirmed' or q.subject <> m.line_id::text
      and q.subject is distinct from m.counter_line_id::text
    union all
    select 'payment struck by a request that nobody confirmed', jsonb_build_object('strikeId', k.id, 'requestId', q.id)
    from payment_strikes k join second_person_requests q on q.id = k.request_id
    where q.kind <> 'strike_payment' or q.decision is distinct from 'confirmed' or q.subject <> k.payment_id::text
      or q.decided_by <> k.struck_by
    union all
    select 'holder changed by a request that nobody confirmed', jsonb_build_object('changeId', c.id, 'requestId', q.id)
    from holder_changes c join second_person_requests q on q.id = c.request_id
    where q.kind <> 'change_holder' or q.decision is distinct from 'confirmed' or q.subject <> c.payment_id::text
      or q.decided_by <> c.made_by or q.details->>'fromUserId' <> c.from_user_id::text
      or q.details->>'toUserId' <> c.to_user_id::text
    union all
    select 'holder changed before its days were over, or though it was stopped', jsonb_build_object('paymentId', m.payment_id,
      'changeId', c.id, 'outcome', c.outcome)
    from holder_change_payments m join holder_changes c on c.id = m.change_id
    where c.outcome is distinct from 'carried_out' or c.ended_at < c.until
      or c.until < c.created_at + ${holderChangeLimits.days}::int * interval '1 day'`,
};
