import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The ledger's debts to backers, farms and senders equal their open payouts.
 *
 * A debt to a person, a farm or a sender is paid by payouts, and by nothing else. A finding means that somebody waits
 * for money that no payout brings, or is about to get more than is owed.
 */
export const owedIsOpenPayouts: Invariant = {
  name: "I13 what is owed to backers, farms and senders is what their open payouts say",
  query: () => sql`
    with owed as (
      select payment_id, harvest_id, user_id, project_id, round, line_id, sum(open) as open, sum(ledger) as ledger
      from (
        select p.payment_id, s.harvest_id, p.user_id, null::int as project_id, null::int as round, p.line_id, p.amount_kobo as open,
          0::bigint as ledger
        from payouts p left join settlements s on s.id = p.settlement_id
        where p.kind <> 'farm' and p.state in ('waiting', 'due', 'in_run')
        union all
        select null, null, null, project_id, round, null, amount_kobo, 0
        from payouts where kind = 'farm' and state in ('waiting', 'due', 'in_run')
        union all
        select payment_id, harvest_id, user_id, project_id, round, line_id, 0, -amount_kobo
        from ledger_entries where account in ('backer_due', 'farm_due', 'sender_due')
      ) both_sides group by payment_id, harvest_id, user_id, project_id, round, line_id
    ), standing as (
      select refund_id, release_id, return_id, line_id, sum(amount_kobo) as kobo from payouts
      where state not in ('failed', 'cancelled') group by refund_id, release_id, return_id, line_id
    ), told as (
      -- Each is 0 or 1: what lines show, which of them two people said was a second debit, and what gave that back.
      select p.*, (p.sent_at is not null)::int as sent, (p.state = 'failed')::int as failed,
        (select count(*) from line_matches m
          where m.payout_id = p.id and m.kind = 'payout' and m.reason is null and m.undone_at is null)::int as debits,
        (select count(*) from line_matches m
          where m.payout_id = p.id and m.kind = 'payout' and m.reason is not null and m.undone_at is null)::int as twice,
        (select count(*) from line_matches m
          where m.payout_id = p.id and m.kind = 'returned' and m.receivable_kobo is null and m.undone_at is null)::int as returned,
        (select count(*) from line_matches m
          where m.payout_id = p.id and m.kind = 'returned' and m.receivable_kobo is not null and m.undone_at is null)::int as second_returned
      from payouts p
    ), seen as (
      select id, reference, amount_kobo * (twice - second_returned) as receivable,
        -amount_kobo * (sent - failed - debits + returned) as expected,
        (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
          where e.account = 'payouts_in_transit' and e.payout_id = told.id) as posted,
        (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
          where e.account = 'receivable' and e.payout_id = told.id) as booked
      from told
    )
    select 'open payouts and ledger differ' as violation, jsonb_build_object('paymentId', payment_id,
      'harvestId', harvest_id, 'userId', user_id, 'projectId', project_id, 'round', round, 'lineId', line_id, 'payoutsKobo', open, 'ledgerKobo', ledger) as row
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
    select 'payouts are not their return', jsonb_build_object('returnId', f.id, 'dueKobo',
      case when f.taken_back_at is null then f.amount_kobo else 0 end, 'payoutsKobo', coalesce(s.kobo, 0))
    from round_returns f left join standing s on s.return_id = f.id
    where coalesce(s.kobo, 0) <> case when f.taken_back_at is null then f.amount_kobo else 0 end
    union all
    select 'payouts are not what is sent back of their line', jsonb_build_object('lineId', coalesce(m.line_id, s.line_id),
      'dueKobo', coalesce(m.amount_kobo, 0), 'payoutsKobo', coalesce(s.kobo, 0))
    from (select line_id, amount_kobo from line_matches where kind = 'sent_back' and undone_at is null) m
      full join (select line_id, kobo from standing where line_id is not null) s on s.line_id = m.line_id
    where coalesce(s.kobo, 0) <> coalesce(m.amount_kobo, 0)
    union all
    select 'payout stands elsewhere than its lines say', jsonb_build_object('payoutId', id, 'reference', reference,
      'expectedKobo', expected, 'postedKobo', posted)
    from seen where expected <> posted
    union all
    select 'what was paid out twice is not what its lines say', jsonb_build_object('payoutId', id, 'reference', reference,
      'receivableKobo', receivable, 'bookedKobo', booked)
    from seen where receivable <> booked`,
};
