import { sql } from "drizzle-orm";

/**
 * The invariants of what is owed to backers and farms, and of payouts and their runs; features/payments/checks.ts runs them with
 * its own. Each is worked out anew from the rows, not from what the postings said.
 */
export const payoutInvariants = [
  {
    name: "I13 what is owed to backers and farms is what their open payouts say",
    query: sql`
      with owed as (
        select payment_id, harvest_id, user_id, project_id, round, sum(open) as open, sum(ledger) as ledger
        from (
          select p.payment_id, s.harvest_id, p.user_id, null::int as project_id, null::int as round, p.amount_kobo as open,
            0::bigint as ledger
          from payouts p left join settlements s on s.id = p.settlement_id
          where p.kind <> 'farm' and p.state in ('waiting', 'due', 'in_run')
          union all
          select null, null, null, project_id, round, amount_kobo, 0
          from payouts where kind = 'farm' and state in ('waiting', 'due', 'in_run')
          union all
          select payment_id, harvest_id, user_id, project_id, round, 0, -amount_kobo
          from ledger_entries where account in ('backer_due', 'farm_due')
        ) both_sides group by payment_id, harvest_id, user_id, project_id, round
      ), standing as (
        select refund_id, release_id, sum(amount_kobo) as kobo from payouts
        where state not in ('failed', 'cancelled') group by refund_id, release_id
      ), told as (
        -- Each is 0 or 1: what lines show, and which of them two people said was a second debit.
        select p.*, (p.sent_at is not null)::int as sent, (p.state = 'failed')::int as failed,
          (select count(*) from line_matches m
            where m.payout_id = p.id and m.kind = 'payout' and m.reason is null and m.undone_at is null)::int as debits,
          (select count(*) from line_matches m
            where m.payout_id = p.id and m.kind = 'payout' and m.reason is not null and m.undone_at is null)::int as twice,
          (select count(*) from line_matches m
            where m.payout_id = p.id and m.kind = 'returned' and m.undone_at is null)::int as returned
        from payouts p
      ), seen as (
        select id, reference, amount_kobo * twice * (1 - returned) as receivable,
          -amount_kobo * (sent - failed - debits + returned * (1 - twice)) as expected,
          (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
            where e.account = 'payouts_in_transit' and e.payout_id = told.id) as posted,
          (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
            where e.account = 'receivable' and e.payout_id = told.id) as booked
        from told
      ), rounds as (
        select project_id, round, -sum(amount_kobo) as owed,
          coalesce(sum(amount_kobo) filter (where account = 'farm_released'), 0) as released
        from ledger_entries where account in ('project_funding', 'farm_released') group by project_id, round
      )
      select 'open payouts and ledger differ' as violation, jsonb_build_object('paymentId', payment_id,
        'harvestId', harvest_id, 'userId', user_id, 'projectId', project_id, 'round', round, 'payoutsKobo', open, 'ledgerKobo', ledger) as row
      from owed where open <> ledger
      union all
      select 'payouts are not their refund', jsonb_build_object('refundId', f.id, 'dueKobo',
        case when f.taken_back_at is null then f.amount_kobo else 0 end, 'payoutsKobo', coalesce(s.kobo, 0))
      from refunds f left join standing s on s.refund_id = f.id
      where coalesce(s.kobo, 0) <> case when f.taken_back_at is null then f.amount_kobo else 0 end
      union all
      select 'payouts are not their release', jsonb_build_object('releaseId', f.id, 'dueKobo',
        case when f.taken_back_at is null then f.amount_kobo else 0 end, 'payoutsKobo', coalesce(s.kobo, 0))
      from farm_releases f left join standing s on s.release_id = f.id
      where coalesce(s.kobo, 0) <> case when f.taken_back_at is null then f.amount_kobo else 0 end
      union all
      select 'payout stands elsewhere than its lines say', jsonb_build_object('payoutId', id, 'reference', reference,
        'expectedKobo', expected, 'postedKobo', posted)
      from seen where expected <> posted
      union all
      select 'what was paid out twice is not what its lines say', jsonb_build_object('payoutId', id, 'reference', reference,
        'receivableKobo', receivable, 'bookedKobo', booked)
      from seen where receivable <> booked
      union all
      select 'more was released than the round was paid', jsonb_build_object('projectId', project_id, 'round', round,
        'owedKobo', owed)
      from rounds where owed < 0
      union all
      select 'releases and ledger differ', jsonb_build_object('projectId', r.project_id, 'round', r.round,
        'releasedKobo', r.released, 'releasesKobo', coalesce(sum(f.amount_kobo), 0))
      from rounds r left join farm_releases f
        on f.project_id = r.project_id and f.round = r.round and f.taken_back_at is null
      group by r.project_id, r.round, r.released having r.released <> coalesce(sum(f.amount_kobo), 0)`,
  },
  {
    name: "I15 a payout is in at most one run that isn't void and is paid at most once; a run is its lines",
    query: sql`
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
      from payout_run_lines l join payouts p on p.id = l.payout_id join payee_accounts a on a.id = l.payee_account_id
      where case p.kind when 'farm' then a.project_id is distinct from p.project_id else a.user_id is distinct from p.user_id end
      union all
      select 'exported run without its files', jsonb_build_object('runId', r.id, 'files', count(f.id))
      from payout_runs r left join payout_files f on f.run_id = r.id
      group by r.id having count(f.id) <> case when r.state in ('exported', 'closed') then 2 else 0 end
      union all
      select 'postings of a payout are not those of its state', jsonb_build_object('payoutId', p.id, 'state', p.state,
        'sent', posted.sent, 'failed', posted.failed)
      from payouts p cross join lateral (
        select count(*) filter (where t.kind = 'payout_sent') as sent, count(*) filter (where t.kind = 'payout_failed') as failed
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
          select from line_matches m where m.payout_id = p.id and m.kind = 'returned' and m.undone_at is null)
        and not exists (
          select from second_person_requests q
          where q.kind = 'fail_payout' and q.subject = p.id::text and q.decision = 'confirmed')
      union all
      select 'debit booked as paid out twice without a second person', jsonb_build_object('matchId', m.id, 'payoutId', m.payout_id)
      from line_matches m
      where m.kind = 'payout' and m.reason is not null and not exists (
        select from second_person_requests q
        where q.kind = 'book_loss' and q.subject = m.line_id::text and q.decision = 'confirmed'
          and q.details->>'payoutId' = m.payout_id::text)
      union all
      select 'failed payout that no other took over', jsonb_build_object('payoutId', p.id, 'amountKobo', p.amount_kobo)
      from payouts p left join payouts n on n.replaces_id = p.id
      where (p.state = 'failed') <> (n.id is not null) or n.amount_kobo <> p.amount_kobo
      union all
      select 'line of another amount than its payout', jsonb_build_object('matchId', m.id, 'payoutId', p.id,
        'amountKobo', m.amount_kobo)
      from line_matches m join payouts p on p.id = m.payout_id where m.amount_kobo <> p.amount_kobo`,
  },
];
