import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The standing matches of a line are at most its amount, and what nothing explains is its rest.
 *
 * A line is explained by its standing matches, and what is left of it is unmatched. A finding means that the same money
 * was counted for two things, or that a match was made or undone without its posting.
 */
export const matchesFitTheirLine: Invariant = {
  name: "I11 the standing matches of a line are at most its amount, and what nothing explains is its rest",
  query: () => sql`
    with lines as (
      -- Nothing of a void line is to be explained.
      select l.id, l.amount_kobo, l.matched_kobo, l.void_id is not null as is_void,
        coalesce((select sum(m.amount_kobo) from line_matches m
          where l.id in (m.line_id, m.counter_line_id) and m.undone_at is null), 0) as explained_kobo,
        coalesce((select sum(e.amount_kobo) from ledger_entries e
          where e.account in ('unmatched_in', 'unmatched_out') and e.line_id = l.id), 0) as unmatched_kobo
      from statement_lines l
    )
    select 'more of a line is explained than it has' as violation, jsonb_build_object('lineId', id,
      'amountKobo', amount_kobo, 'explainedKobo', explained_kobo) as row
    from lines where explained_kobo > abs(amount_kobo)
    union all
    select 'what is explained of a line is not its matches', jsonb_build_object('lineId', id,
      'matchedKobo', matched_kobo, 'explainedKobo', explained_kobo)
    from lines where matched_kobo <> explained_kobo
    union all
    select 'ledger and line differ in what nothing explains', jsonb_build_object('lineId', id,
      'restKobo', abs(amount_kobo) - explained_kobo, 'unmatchedKobo', unmatched_kobo)
    from lines where unmatched_kobo <> case when is_void then 0 else -sign(amount_kobo) * (abs(amount_kobo) - explained_kobo) end
    union all
    select 'match whose postings are not those of its state', jsonb_build_object('matchId', m.id,
      'isUndone', m.undone_at is not null, 'made', posted.made, 'undone', posted.undone)
    from line_matches m cross join lateral (
      select count(*) filter (where t.kind = 'match') as made, count(*) filter (where t.kind = 'undone_match') as undone
      from ledger_transactions t where t.match_id = m.id
    ) posted
    where (posted.made, posted.undone) <> (1, case when m.undone_at is null then 0 else 1 end)
    union all
    select 'match against the direction of its line', jsonb_build_object('matchId', m.id, 'kind', m.kind,
      'amountKobo', l.amount_kobo)
    from line_matches m join statement_lines l on l.id = m.line_id
      left join statement_lines c on c.id = m.counter_line_id
    where (m.kind in ('payment', 'own_transfer', 'returned', 'sent_back') and l.amount_kobo < 0)
      or (m.kind in ('taken_back', 'sale_taken_back', 'loss', 'bank_charges', 'payout') and l.amount_kobo > 0)
      or (m.kind = 'own_transfer' and (c.amount_kobo > 0 or c.own_account_id = l.own_account_id))
    union all
    select 'more was taken back of a credit than it brought', jsonb_build_object('matchId', c.id,
      'amountKobo', c.amount_kobo, 'takenBackKobo', sum(m.amount_kobo))
    from line_matches m join line_matches c on c.id = m.credit_match_id
    where m.undone_at is null group by c.id having sum(m.amount_kobo) > c.amount_kobo
    union all
    select 'money taken back of a credit that isn''t its payment''s or sale''s on this account', jsonb_build_object('matchId', m.id,
      'creditMatchId', c.id)
    from line_matches m join line_matches c on c.id = m.credit_match_id
      join statement_lines l on l.id = m.line_id join statement_lines k on k.id = c.line_id
    where m.undone_at is null and (c.undone_at is not null
      or (c.kind, c.payment_id, c.sale_id) is distinct from (case m.kind when 'taken_back' then 'payment' else 'sale' end, m.payment_id, m.sale_id)
      or k.own_account_id <> l.own_account_id or k.date > l.date)`,
};
