import { type SQL, sql } from "drizzle-orm";
import { missingOfApproved, moneySums } from "#server/books/places.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Check, Violation } from "#server/platform/findings.ts";
import { wallLimits } from "#shared/bank/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";

/**
 * The invariants of own accounts, lines and matches; `money.ts` beside this file runs them with its own. What a payment's
 * money must be is worked out anew here, from the rows of the matches, not from the ledger's postings.
 */
export const bankInvariants = [
  {
    name: "I10 each line is posted once, and an own account's ledger is its opening and its lines, as the bank prints it",
    query: sql`
      with posted as (
        select t.line_id, t.id as transaction_id,
          coalesce(sum(e.amount_kobo) filter (where e.account = 'bank'), 0) as bank_kobo,
          min(e.own_account_id) as own_account_id,
          coalesce(sum(e.amount_kobo) filter (where e.account in ('unmatched_in', 'unmatched_out') and e.line_id = t.line_id), 0)
            as unmatched_kobo
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where t.kind = 'line' group by t.id
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
      from statement_lines l left join posted p on p.line_id = l.id
      where (p.bank_kobo, p.unmatched_kobo, p.own_account_id) is distinct from (l.amount_kobo, -l.amount_kobo, l.own_account_id)
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
      where e.account = 'bank' and t.kind not in ('opening', 'line')
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
        select from statements s where s.own_account_id = l.own_account_id and s.gap_reason is not null)`,
  },
  {
    name: "I11 the standing matches of a line are at most its amount, and what nothing explains is its rest",
    query: sql`
      with lines as (
        select l.id, l.amount_kobo, l.matched_kobo,
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
      from lines where unmatched_kobo <> -sign(amount_kobo) * (abs(amount_kobo) - explained_kobo)
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
      where (m.kind in ('payment', 'own_transfer', 'returned') and l.amount_kobo < 0)
        or (m.kind in ('taken_back', 'loss', 'bank_charges', 'payout') and l.amount_kobo > 0)
        or (m.kind = 'own_transfer' and (c.amount_kobo > 0 or c.own_account_id = l.own_account_id))
      union all
      select 'more was taken back of a credit than it brought', jsonb_build_object('matchId', c.id,
        'amountKobo', c.amount_kobo, 'takenBackKobo', sum(m.amount_kobo))
      from line_matches m join line_matches c on c.id = m.credit_match_id
      where m.undone_at is null group by c.id having sum(m.amount_kobo) > c.amount_kobo
      union all
      select 'money taken back of a credit that isn''t its payment''s on this account', jsonb_build_object('matchId', m.id,
        'creditMatchId', c.id)
      from line_matches m join line_matches c on c.id = m.credit_match_id
        join statement_lines l on l.id = m.line_id join statement_lines k on k.id = c.line_id
      where m.undone_at is null and (c.kind <> 'payment' or c.undone_at is not null or c.payment_id <> m.payment_id
        or k.own_account_id <> l.own_account_id or k.date > l.date)`,
  },
  {
    name: "I12 a payment's money stands where its matches, refunds and status say",
    query: sql`
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
        select p.id, p.status, p.amount_kobo as amount, coalesce(u.said, 0) as said,
          coalesce(u.said, 0) + coalesce((select sum(case m.kind when 'payment' then m.amount_kobo when 'taken_back' then -m.amount_kobo else 0 end)
            from matched m where m.payment_id = p.id), 0)
          - coalesce((select sum(f.amount_kobo) from refunds f where f.payment_id = p.id and f.taken_back_at is null), 0)
            as arrived,
          coalesce((select sum(m.amount_kobo) from matched m
            where m.payment_id = p.id and m.kind = 'taken_back' and m.id > a.id), 0) as taken_back,
          coalesce((select sum(e.amount_kobo) from ledger_entries e
            where e.transaction_id = a.id and e.account = 'bank_charges'), 0) as written_off,
          posted.in_transit, posted.receivable, posted.unallocated
        from project_payments p left join approvals a on a.payment_id = p.id left join unshown u on u.payment_id = p.id
          cross join lateral (
            select coalesce(sum(e.amount_kobo) filter (where e.account = 'in_transit'), 0) as in_transit,
              coalesce(sum(e.amount_kobo) filter (where e.account = 'receivable'), 0) as receivable,
              -coalesce(sum(e.amount_kobo) filter (where e.account = 'unallocated'), 0) as unallocated
            from ledger_entries e
            where e.account in ('in_transit', 'receivable', 'unallocated') and e.payment_id = p.id
          ) posted
      ), placed as (
        select *, greatest(amount - written_off - arrived, 0) as missing,
          greatest(arrived + written_off - amount, 0) as surplus
        from money
      )
      select 'more was given back of a payment than had arrived' as violation, jsonb_build_object('paymentId', id,
        'unallocatedKobo', unallocated) as row
      from money where unallocated < 0
      union all
      select 'money of an approved payment stands elsewhere than its matches say', jsonb_build_object('paymentId', id,
        'amountKobo', amount, 'arrivedKobo', arrived, 'writtenOffKobo', written_off, 'saidKobo', said,
        'takenBackKobo', taken_back, 'inTransitKobo', in_transit, 'receivableKobo', receivable,
        'unallocatedKobo', unallocated)
      from placed
      where status = 'approved' and (in_transit, receivable, unallocated)
        <> (missing - least(missing, taken_back) + said, least(missing, taken_back), surplus)
      union all
      select 'money of a payment that is not approved stands elsewhere than its matches say', jsonb_build_object('paymentId', id,
        'arrivedKobo', arrived, 'saidKobo', said, 'inTransitKobo', in_transit, 'receivableKobo', receivable,
        'unallocatedKobo', unallocated)
      from money where status <> 'approved' and (in_transit, receivable, unallocated) <> (said, 0, arrived)
      union all
      select 'more or less is read to have arrived of an approved payment than its matches say', jsonb_build_object(
        'paymentId', m.id, 'arrivedKobo', m.arrived, 'readKobo', r.arrived)
      from money m join (
        select id, amount_kobo - written_off - ${missingOfApproved} + unallocated as arrived
        from (${moneySums(sql`true`)}) sums
      ) r on r.id = m.id
      where m.status = 'approved' and r.arrived <> m.arrived
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
  },
  {
    name: "I20 the bank details that backers read are those of the active own account",
    query: sql`
      select 'bank detail that is not the active own account''s' as violation,
        jsonb_build_object('ownAccountId', a.id, 'key', s.key) as row
      from own_accounts a cross join lateral (values ('bankname', a.bank_name), ('bankaccountname', a.account_name),
          ('bankaccountnumber', a.account_number)) as detail (key, value)
        join settings s on s.key = detail.key
      where a.is_active and s.value <> detail.value`,
  },
];

/** The part of I19 that is about lines: much as charges, money of approved payments taken back, and money
 * given back that no line names were said by two. */
export const secondPersonOfLines: SQL = sql`
      select 'charges on one line that take a second person' as violation, jsonb_build_object('lineId', line_id,
        'amountKobo', sum(amount_kobo)) as row
      from line_matches where kind = 'bank_charges' and undone_at is null and request_id is null
      group by line_id having sum(amount_kobo) > ${wallLimits.chargesOfLineKobo.toString()}::bigint
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
      where q.kind not in ('give_held_back', 'declare_arrived') or q.decision is distinct from 'confirmed'
        or q.subject <> r.payment_id::text
      union all
      select 'match by a request that nobody confirmed', jsonb_build_object('matchId', m.id, 'requestId', q.id)
      from line_matches m join second_person_requests q on q.id = m.request_id
      where q.kind <> 'match_line' or q.decision is distinct from 'confirmed' or q.subject <> m.line_id::text
        and q.subject is distinct from m.counter_line_id::text`;

/** How long money that nobody has seen at the bank counts as being on its way. */
const transitDays = 14;

/**
 * I18, an alarm and no constraint: what is at the bank and on its way for at most 14 days is at least what is owed. Charges that
 * the platform bears and losses can break it, until the company adds money of its own; what is receivable never counts as there.
 * What a match is undone of is on its way for as long as the payment or sale was; what arrives is taken from the oldest. The
 * finding names what is on its way for longer, and what is receivable. A site that never imported a statement has nothing to
 * compare.
 */
export async function checkCoverage(db: DbOrTx, now: Date): Promise<Check> {
  const since = new Date(now.getTime() - transitDays * dayMs).toISOString();
  const found = await rows<Violation>(
    db,
    sql`
      with moved as (
        select e.payment_id, e.sale_id, e.amount_kobo, case t.kind when 'undone_match'
          then min(t.created_at) over (partition by e.payment_id, e.sale_id) else t.created_at end as since
        from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where e.account = 'in_transit'
      ), overdue as (
        select payment_id, sale_id, greatest(coalesce(sum(amount_kobo) filter (where amount_kobo < 0 or since <= ${since}::timestamptz), 0), 0) as kobo
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
              'backer_due', 'farm_due', 'payouts_in_transit', 'harvest_proceeds', 'vat_due', 'wht_due')), 0)
            as owed
        from ledger_entries
      )
      select 'less money is there than is owed to others' as violation,
        jsonb_build_object('thereKobo', there, 'owedKobo', owed, 'missingKobo', owed - there,
          ${listed("inTransitTooLong", "named_overdue")}, ${listed("receivable", "named_receivable")}) as row
      from sums
      where there < owed and exists (select from ledger_transactions where kind in ('opening', 'line'))`,
  );
  return {
    name: "I18 what is at the bank, and on its way for at most 14 days, is at least what is owed",
    violations: found,
  };
}

/** How many sums of a kind the alarm names, the largest first. */
const shownSums = 20;

/** The named sums of a table of the query above, and what they are together. */
const listed = (name: string, table: string): SQL =>
  sql.raw(`'${name}', (select coalesce(jsonb_agg(what || ': ' || kobo || ' kobo'), '[]') from (
              select * from ${table} limit ${shownSums}) shown),
          '${name}Kobo', (select coalesce(sum(kobo), 0) from ${table})`);
