import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Each line is posted once, and an own account's ledger is its opening and its lines, as the bank prints it.
 *
 * `bank` moves only by a statement's line, and follows the balances that the bank prints. A finding means that our
 * books and the bank's differ: a line is missing, was counted twice or was changed after its import.
 */
export const bankIsOpeningAndLines: Invariant = {
  name: "I10 each line is posted once, and an own account's ledger is its opening and its lines, as the bank prints it",
  query: () => sql`
    with posted as (
      select t.line_id, t.id as transaction_id, t.kind = 'voided_line' as is_void,
        coalesce(sum(e.amount_kobo) filter (where e.account = 'bank'), 0) as bank_kobo,
        min(e.own_account_id) as own_account_id,
        coalesce(sum(e.amount_kobo) filter (where e.account in ('unmatched_in', 'unmatched_out') and e.line_id = t.line_id), 0)
          as unmatched_kobo
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.kind in ('line', 'voided_line') group by t.id, t.kind
    ), followed as (
      select l.id, l.own_account_id, l.balance_kobo, a.opening_kobo + sum(l.amount_kobo + coalesce(l.gap_kobo, 0))
        over (partition by l.own_account_id order by l.position, l.id) as expected_kobo
      from statement_lines l join own_accounts a on a.id = l.own_account_id
    ), kept as (
      select a.id, a.opening_kobo,
        (select coalesce(sum(l.amount_kobo), 0) from statement_lines l where l.own_account_id = a.id) as lines_kobo,
        (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
          where e.account = 'bank' and e.own_account_id = a.id) as bank_kobo,
        (select coalesce(-sum(e.amount_kobo), 0) from ledger_entries e
          where e.account = 'opening' and e.own_account_id = a.id) as posted_opening_kobo
      from own_accounts a
    )
    select 'line that is not posted as the bank told it' as violation, jsonb_build_object('lineId', l.id,
      'amountKobo', l.amount_kobo, 'bankKobo', p.bank_kobo, 'unmatchedKobo', p.unmatched_kobo) as row
    from statement_lines l left join voids v on v.id = l.void_id left join posted p on p.line_id = l.id and not p.is_void
    where (p.bank_kobo, p.unmatched_kobo, p.own_account_id)
      is distinct from (l.amount_kobo, -l.amount_kobo, coalesce(l.own_account_id, v.own_account_id))
    union all
    select 'line whose void is not posted as its opposite', jsonb_build_object('lineId', l.id,
      'amountKobo', l.amount_kobo, 'bankKobo', p.bank_kobo)
    from statement_lines l left join voids v on v.id = l.void_id left join posted p on p.line_id = l.id and p.is_void
    where (p.bank_kobo, p.unmatched_kobo, p.own_account_id) is distinct from (case when v.id is not null then -l.amount_kobo end,
      case when v.id is not null then l.amount_kobo end, v.own_account_id)
    union all
    select 'void that no second person confirmed', jsonb_build_object('voidId', v.id, 'requestId', v.request_id)
    from voids v join second_person_requests q on q.id = v.request_id
    where q.kind <> 'void_bank_data' or q.decision is distinct from 'confirmed'
    union all
    select 'posted line that is not there', jsonb_build_object('transactionId', p.transaction_id, 'lineId', p.line_id)
    from posted p left join statement_lines l on l.id = p.line_id
    where l.id is null
    union all
    select 'ledger of an own account is not its opening and its lines', jsonb_build_object('ownAccountId', id,
      'openingKobo', opening_kobo, 'linesKobo', lines_kobo, 'bankKobo', bank_kobo)
    from kept where bank_kobo <> coalesce(opening_kobo, 0) + lines_kobo
    union all
    select 'opening of an own account is not posted as it was told', jsonb_build_object('ownAccountId', id,
      'openingKobo', opening_kobo, 'postedKobo', posted_opening_kobo)
    from kept where posted_opening_kobo <> coalesce(opening_kobo, 0)
    union all
    select 'bank moved by something else than a line', jsonb_build_object('transactionId', t.id, 'kind', t.kind,
      'amountKobo', e.amount_kobo)
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.account = 'bank' and t.kind not in ('opening', 'voided_opening', 'line', 'voided_line')
    union all
    select 'lines of an own account that was not opened', jsonb_build_object('ownAccountId', a.id, 'lines', count(*))
    from own_accounts a join statement_lines l on l.own_account_id = a.id
    where a.opened_on is null or l.date < a.opened_on group by a.id
    union all
    select 'printed balance does not follow from the one before', jsonb_build_object('lineId', id,
      'ownAccountId', own_account_id, 'balanceKobo', balance_kobo, 'expectedKobo', expected_kobo)
    from followed where balance_kobo <> expected_kobo
    union all
    select 'gap without a reason', jsonb_build_object('lineId', l.id, 'gapKobo', l.gap_kobo)
    from statement_lines l
    where l.gap_kobo is not null and not exists (
      select from statements s where s.own_account_id = l.own_account_id and s.gap_reason is not null)
      and not exists (select from voids v where v.own_account_id = l.own_account_id)`,
};
