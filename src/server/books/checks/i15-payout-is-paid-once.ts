import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * A payout is in at most one run that isn't void and is paid at most once; a run is its lines.
 *
 * A run's total and hash are those of its lines, to the account that the payee gave. A finding means that somebody may
 * be paid twice, or that a run was changed after two people looked at it: don't give its files to the bank.
 */
export const payoutIsPaidOnce: Invariant = {
  name: "I15 a payout is in at most one run that isn't void and is paid at most once; a run is its lines",
  query: () => sql`
    with lines as (
      select l.run_id, count(*) as payouts, sum(p.amount_kobo) as total,
        encode(sha256(convert_to(string_agg(concat_ws('|', p.reference, p.amount_kobo, a.bank_code, a.account_number,
          a.account_name), chr(10) order by l.position), 'UTF8')), 'hex') as hash
      from payout_run_lines l join payouts p on p.id = l.payout_id join payee_accounts a on a.id = l.payee_account_id
      group by l.run_id
    )
    select 'payout in more than one run' as violation, jsonb_build_object('payoutId', l.payout_id, 'runs', count(*)) as row
    from payout_run_lines l join payout_runs r on r.id = l.run_id
    where r.state <> 'void' group by l.payout_id having count(*) > 1
    union all
    select 'payout whose run is not the one it is a line of', jsonb_build_object('payoutId', p.id, 'runId', p.run_id,
      'lineOf', l.run_id)
    from payouts p full join (
      select l.payout_id, l.run_id from payout_run_lines l join payout_runs r on r.id = l.run_id and r.state <> 'void'
    ) l on l.payout_id = p.id
    where p.run_id is distinct from l.run_id
    union all
    select 'payout whose state is not that of its run', jsonb_build_object('payoutId', p.id, 'state', p.state, 'run', r.state)
    from payouts p join payout_runs r on r.id = p.run_id
    where (p.state = 'in_run') <> (r.state in ('draft', 'approved'))
      or (r.state = 'closed' and p.state not in ('paid', 'failed'))
    union all
    select 'run is not its lines', jsonb_build_object('runId', r.id, 'payouts', r.payouts, 'totalKobo', r.total_kobo,
      'linesKobo', l.total)
    from payout_runs r left join lines l on l.run_id = r.id
    where (r.payouts, r.total_kobo, r.lines_sha256) is distinct from (l.payouts, l.total, l.hash)
    union all
    select 'run pays to another''s account', jsonb_build_object('runId', l.run_id, 'payoutId', p.id, 'accountId', a.id)
    from payout_run_lines l join payout_runs r on r.id = l.run_id and r.state <> 'void'
      join payouts p on p.id = l.payout_id join payee_accounts a on a.id = l.payee_account_id
    where case p.kind when 'farm' then a.farm_id is distinct from p.farm_id
      when 'sender' then a.line_id is distinct from p.line_id else a.user_id is distinct from p.user_id end
    union all
    select 'payout to another farm than its round''s', jsonb_build_object('payoutId', p.id, 'farmId', p.farm_id,
      'roundsFarmId', r.farm_id)
    from payouts p left join project_rounds r on r.project_id = p.project_id and r.round = p.round
    where p.kind = 'farm' and r.farm_id is distinct from p.farm_id
    union all
    select 'account of a farm without a second person', jsonb_build_object('accountId', a.id, 'farmId', a.farm_id)
    from payee_accounts a left join second_person_requests q on q.id = a.request_id
    where a.farm_id is not null and (q.kind is distinct from 'set_farm_account'
      or q.decision is distinct from 'confirmed' or q.subject <> a.farm_id::text)
    union all
    select 'account of a sender without a second person', jsonb_build_object('accountId', a.id, 'lineId', a.line_id)
    from payee_accounts a left join second_person_requests q on q.id = a.request_id
    where a.line_id is not null and (q.kind is distinct from 'enter_payee_account'
      or q.decision is distinct from 'confirmed' or q.subject <> 'line/' || a.line_id)
    union all
    select 'exported run without its files', jsonb_build_object('runId', r.id, 'files', count(f.id))
    from payout_runs r left join payout_files f on f.run_id = r.id
    group by r.id
    having count(f.id) <> case when r.state in ('exported', 'closed') then 2 * greatest(max(f.layout), 1) else 0 end
    union all
    select 'postings of a payout are not those of its state', jsonb_build_object('payoutId', p.id, 'state', p.state,
      'sent', posted.sent, 'failed', posted.failed)
    from payouts p cross join lateral (
      select count(*) filter (where t.kind = 'payout_sent') as sent,
        count(*) filter (where t.kind = 'payout_failed') - count(*) filter (where t.kind = 'payout_failure_undone') as failed
      from ledger_transactions t where t.payout_id = p.id
    ) posted
    where (posted.sent, posted.failed) <> ((p.sent_at is not null)::int, (p.state = 'failed')::int)
    union all
    select 'paid, and nothing shows it', jsonb_build_object('payoutId', p.id)
    from payouts p
    where p.state = 'paid' and p.paid_by is null and not exists (
      select from line_matches m where m.payout_id = p.id and m.kind = 'payout' and m.undone_at is null)
    union all
    select 'failed without a line that came back or a second person', jsonb_build_object('payoutId', p.id)
    from payouts p
    where p.state = 'failed' and not exists (
        select from line_matches m
        where m.payout_id = p.id and m.kind = 'returned' and m.receivable_kobo is null and m.undone_at is null)
      and not exists (
        select from second_person_requests q
        where q.kind = 'fail_payout' and q.subject = p.id::text and q.decision = 'confirmed')
      and not exists (
        select from second_person_requests q
        where q.id = p.refusal_request_id and q.kind = 'refuse_payouts' and q.subject = p.run_id::text
          and q.decision = 'confirmed')
    union all
    select 'withheld payout let go without a second person', jsonb_build_object('payoutId', p.id, 'requestId', p.let_go_request_id)
    from payouts p join second_person_requests q on q.id = p.let_go_request_id
    where q.kind <> 'let_payout_go' or q.subject <> p.id::text or q.decision is distinct from 'confirmed'
    union all
    select 'debit booked as paid out twice without a second person', jsonb_build_object('matchId', m.id, 'payoutId', m.payout_id)
    from line_matches m
    where m.kind = 'payout' and m.reason is not null and not exists (
      select from second_person_requests q
      where q.kind = 'book_loss' and q.subject = m.line_id::text and q.decision = 'confirmed'
        and q.details->>'payoutId' = m.payout_id::text)
    union all
    select 'failed payout that no other took over', jsonb_build_object('payoutId', p.id, 'amountKobo', p.amount_kobo)
    from payouts p cross join lateral (
      select count(*) as made, count(*) filter (where n.state <> 'cancelled') as standing,
        count(*) filter (where n.amount_kobo <> p.amount_kobo) as others
      from payouts n where n.replaces_id = p.id
    ) next
    where next.others > 0 or case p.state when 'failed' then next.made = 0 else next.standing > 0 end
    union all
    select 'coming back undone without a second person', jsonb_build_object('matchId', m.id, 'payoutId', m.payout_id)
    from line_matches m
    where m.kind = 'returned' and m.undone_at is not null and not exists (
      select from second_person_requests q
      where q.kind = 'undo_match' and q.subject = m.id::text and q.decision = 'confirmed' and q.decided_by = m.undone_by)
    union all
    select 'line of another amount than its payout', jsonb_build_object('matchId', m.id, 'payoutId', p.id,
      'amountKobo', m.amount_kobo)
    from line_matches m join payouts p on p.id = m.payout_id
    where case m.kind when 'returned' then m.amount_kobo > p.amount_kobo or m.receivable_kobo <> p.amount_kobo
      else m.amount_kobo <> p.amount_kobo end`,
};
