import { type SQL, sql } from "drizzle-orm";
import { strayOwnerTerms } from "#server/accounts/owner-terms.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Check, Violation } from "#server/platform/findings.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import { bankInvariants, secondPersonOfLines } from "./bank.ts";
import { harvestInvariants } from "./harvests.ts";
import { paperInvariants } from "./papers.ts";
import { payoutInvariants } from "./payouts.ts";

/**
 * The self-check of the books: one query per invariant, which returns only the rows that violate it.
 * It runs hourly, by `npm run check:money`, and after every test that moves money. The parts of I7 and I9 that need the
 * stored files are in #server/files/checks.ts.
 */

/** Runs every invariant, with `now` by the server's clock. Returns each with its violations. */
export async function runMoneyChecks(db: DbOrTx, now: Date): Promise<Check[]> {
  return db.transaction(async (tx) => {
    // Each query reads all rows, which takes longer than a request may.
    await tx.execute(sql`set local statement_timeout = '15min'`);
    const results: Check[] = [];
    for (const { name, query } of invariantsAt(now))
      results.push({ name, violations: await rows<Violation>(tx, query) });
    return results;
  });
}

/** The triggers that enforce the invariants. The check reports those that were dropped or disabled. */
const triggers = listOf([
  ["ledger_transactions_append_only", "ledger_transactions"],
  ["ledger_entries_append_only", "ledger_entries"],
  ["audit_logs_append_only", "audit_logs"],
  ["ledger_transactions_balanced", "ledger_transactions"],
  ["ledger_entries_balanced", "ledger_entries"],
  ["ledger_changes_project_funding", "ledger_transactions"],
  ["projects_funding_is_ledger_sum", "projects"],
  ["project_backings_supported", "project_backings"],
  ["backing_weights_granted", "backing_weights"],
  ["project_payments_support_backing", "project_payments"],
  ["project_payments_count_lots", "project_payments"],
  ["project_rounds_count_lots", "project_rounds"],
  ["project_rounds_frozen", "project_rounds"],
  ["projects_goal_is_all_lots", "projects"],
  ["project_rounds_are_the_goal", "project_rounds"],
  ["project_rounds_count_held", "project_rounds"],
  ["holds_count_held", "holds"],
  ["round_terms_append_only", "round_terms"],
  ["statement_lines_stay", "statement_lines"],
  ["statement_lines_count_matches", "statement_lines"],
  ["line_matches_stay", "line_matches"],
  ["line_matches_counted", "line_matches"],
  ["refunds_have_payouts", "refunds"],
  ["farm_releases_have_payouts", "farm_releases"],
  ["payouts_are_owed", "payouts"],
  ["payouts_stay", "payouts"],
  ["payout_runs_stay", "payout_runs"],
  ["payout_run_lines_append_only", "payout_run_lines"],
  ["payout_files_append_only", "payout_files"],
  ["payee_accounts_stay", "payee_accounts"],
  ["settlements_have_payouts", "settlements"],
  ["settlements_stay", "settlements"],
  ["settlement_parts_append_only", "settlement_parts"],
  ["settlement_costs_append_only", "settlement_costs"],
  ["settlement_costs_counted", "settlement_costs"],
  ["backing_weights_within_worth", "backing_weights"],
  ["harvests_stay", "harvests"],
  ["harvests_rest_stays", "harvests"],
  ["harvest_parts_stay", "harvest_parts"],
  ["round_weights_stay", "round_weights"],
  ["papers_stay", "papers"],
  ["paper_counters_go_up", "paper_counters"],
]);
const keys = listOf([
  ["project_rounds_pkey"],
  ["holds_one_per_person"],
  ["holds_one_per_reference"],
  ["second_person_requests_one_open"],
  ["project_payments_one_pending_per_backer"],
  ["project_backings_project_user_key"],
  ["ledger_transactions_reversed_once"],
  ["ledger_entries_one_per_account"],
  ["payment_references_reference_key"],
  ["payment_references_one_in_use"],
  ["payment_receipts_idempotency_key"],
  ["payment_receipts_file_key"],
  ["own_accounts_number_key"],
  ["own_accounts_one_active"],
  ["statement_lines_once"],
  ["ledger_transactions_opened_once"],
  ["ledger_transactions_line_once"],
  ["ledger_transactions_match_once"],
  ["ledger_transactions_payout_once"],
  ["ledger_transactions_release_once"],
  ["line_matches_payout_once"],
  ["payouts_reference_key"],
  ["payouts_replaced_once"],
  ["payout_run_lines_once"],
  ["payout_files_one_per_format"],
  ["payee_accounts_one_per_person"],
  ["payee_accounts_one_per_farm"],
  ["ledger_transactions_settlement_once"],
  ["ledger_transactions_sale_once"],
  ["harvests_number_key"],
  ["harvest_parts_code_key"],
  ["settlements_number_key"],
  ["round_weights_project_id_round_backing_id_pk"],
  ["paper_counters_kind_year_pk"],
  ["papers_number_key"],
  ["papers_code_key"],
  ["papers_file_key"],
  ["papers_one_of_payment"],
  ["papers_one_of_refund"],
  ["papers_one_of_settlement"],
  ["papers_one_of_run"],
  ["papers_one_statement_of_range"],
  ["papers_one_tax_list_of_range"],
  ["backing_weights_backing_id_round_pk"],
  ["notifications_one_per_event"],
  ["outgoing_mails_one_per_event"],
]);

function listOf(names: string[][]): SQL {
  return sql.raw(names.map((row) => `(${row.map((name) => `'${name}'`).join(", ")})`).join(", "));
}

/** Every invariant with the query of its violations. */
export const invariantsAt = (now: Date): { name: string; query: SQL }[] => [
  {
    name: "I1 current funding is the ledger's sum for the current round, the number of backers that of the backings",
    query: sql`
      select 'funding is not the ledger''s sum' as violation, jsonb_build_object('projectId', p.id, 'round', p.round,
        'fundingKobo', p.current_funding_kobo, 'ledgerKobo', coalesce(posted.total, 0)) as row
      from projects p left join (
        select t.project_id, t.round, -sum(e.amount_kobo) as total
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where e.account = 'project_funding' group by t.project_id, t.round
      ) posted on posted.project_id = p.id and posted.round = p.round
      where p.current_funding_kobo <> coalesce(posted.total, 0)
      union all
      select 'number of backers is not that of the backings', jsonb_build_object('projectId', p.id,
        'backersCount', p.backers_count, 'backings', coalesce(counted.backings, 0))
      from projects p left join (select project_id, count(*) as backings from project_backings group by project_id) counted
        on counted.project_id = p.id
      where p.backers_count <> coalesce(counted.backings, 0)`,
  },
  {
    name: "I2 no more lots are approved than a round has, the cached number is that of the payments, all lots are the goal",
    query: sql`
      with rounds as (
        select r.project_id, r.round, r.lots, r.approved_lots, r.lot_price_kobo, r.outcome, j.round as current_round,
          j.funding_goal_kobo, coalesce(sum(p.lots), 0) as approved
        from project_rounds r join projects j on j.id = r.project_id
          left join project_payments p on p.project_id = r.project_id and p.round = r.round and p.status = 'approved'
        group by r.project_id, r.round, j.id
      )
      select 'more lots are approved than the round has' as violation, jsonb_build_object('projectId', project_id,
        'round', round, 'lots', lots, 'approved', approved) as row
      from rounds where approved > lots
      union all
      select 'approved lots are not those of the payments', jsonb_build_object('projectId', project_id,
        'round', round, 'approvedLots', approved_lots, 'approved', approved)
      from rounds where approved <> approved_lots
      union all
      select 'all lots together are not the goal', jsonb_build_object('projectId', project_id, 'round', round,
        'lots', lots, 'lotPriceKobo', lot_price_kobo, 'goalKobo', funding_goal_kobo)
      from rounds where round = current_round and lots * lot_price_kobo <> funding_goal_kobo
      union all
      select 'sold out round is not funded', jsonb_build_object('projectId', project_id, 'round', round, 'outcome', outcome)
      from rounds where approved = lots and coalesce(outcome, '') not in ('funded', 'written_off')
      union all
      select 'earlier round with approved lots that nobody can decide', jsonb_build_object('projectId', project_id,
        'round', round, 'approved', approved)
      from rounds where round < current_round and approved > 0 and outcome is null
      union all
      select 'payment of a round that is not there', jsonb_build_object('paymentId', p.id, 'round', p.round)
      from project_payments p
      where p.project_id is not null and not exists (
        select from project_rounds r where r.project_id = p.project_id and r.round = p.round)`,
  },
  {
    name: "I3 an approved payment has a backing, a sold out round is closed, a backing has a grant or an approved payment",
    query: sql`
      select 'approved payment without a backing' as violation,
        jsonb_build_object('paymentId', p.id, 'projectId', p.project_id, 'userId', p.user_id) as row
      from project_payments p
      where p.status = 'approved' and p.project_id is not null and not exists (
        select from project_backings b where b.project_id = p.project_id and b.user_id = p.user_id)
      union all
      select 'open project whose round is sold out or decided', jsonb_build_object('projectId', j.id, 'round', j.round)
      from projects j join project_rounds r on r.project_id = j.id and r.round = j.round
      where not j.is_closed and (r.approved_lots = r.lots or r.outcome is not null)
      union all
      select 'backing that nothing supports',
        jsonb_build_object('backingId', b.id, 'projectId', b.project_id, 'userId', b.user_id)
      from project_backings b
      where b.granted_at is null and not exists (
        select from project_payments p
        where p.project_id = b.project_id and p.user_id = b.user_id and p.status = 'approved')`,
  },
  {
    name: "I4 at most one pending payment per project and backer",
    query: sql`
      select 'several pending payments of one backer' as violation, jsonb_build_object('projectId', project_id,
        'userId', user_id, 'paymentIds', jsonb_agg(id order by id)) as row
      from project_payments where status = 'pending' and project_id is not null
      group by project_id, user_id having count(*) > 1`,
  },
  {
    name: "I5 the ledger holds exactly the approved payments, each in its round, and nothing of any other",
    query: sql`
      select 'payment and ledger differ' as violation, jsonb_build_object('paymentId', p.id, 'status', p.status,
        'amountKobo', p.amount_kobo, 'postedKobo', coalesce(posted.total, 0)) as row
      from project_payments p left join (
        select t.payment_id, -sum(e.amount_kobo) as total
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where e.account = 'project_funding' group by t.payment_id
      ) posted on posted.payment_id = p.id
      where coalesce(posted.total, 0) <> case when p.status = 'approved' then p.amount_kobo else 0 end
      union all
      select 'standing posting in another round or project than its payment', jsonb_build_object('transactionId', t.id,
        'paymentId', t.payment_id, 'round', t.round, 'paymentRound', p.round)
      from ledger_transactions t left join project_payments p on p.id = t.payment_id
      where t.kind = 'approval' and not exists (select from ledger_transactions r where r.reverses_id = t.id)
        and (p.id is null or p.round is distinct from t.round or p.user_id <> t.user_id
          or (p.project_id is not null and p.project_id <> t.project_id))
      union all
      select 'reversal that doesn''t take back what its approval posted',
        jsonb_build_object('transactionId', r.id, 'approvalId', a.id, 'paymentId', r.payment_id)
      from ledger_transactions r join ledger_transactions a on a.id = r.reverses_id
      where a.kind <> 'approval'
        or (r.payment_id, r.project_id, r.round, r.user_id) <> (a.payment_id, a.project_id, a.round, a.user_id)
        or exists (
          select from ledger_entries e where e.transaction_id in (a.id, r.id) and e.account = 'project_funding'
          having sum(e.amount_kobo) <> 0)`,
  },
  {
    name: "I6 ledger and audit are append-only, one entry of each per status change, each transaction sums to zero",
    query: sql`
      with changes as (
        select id, (details->>'paymentId')::bigint as payment_id, details->>'before' as before,
          details->>'after' as after,
          lag(details->>'after', 1, 'pending') over (partition by details->>'paymentId' order by id) as previous,
          lead(id) over (partition by details->>'paymentId' order by id) is null as is_last
        from audit_logs where action_type = 'update_payment_status'
      )
      select 'ledger transaction doesn''t sum to zero' as violation,
        jsonb_build_object('transactionId', t.id, 'entries', count(e.id), 'sum', coalesce(sum(e.amount_kobo), 0)) as row
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
      group by t.id having count(e.id) < 2 or sum(e.amount_kobo) <> 0
      union all
      select 'guard is missing or switched off', jsonb_build_object('trigger', guard.name, 'table', guard.on_table)
      from (values ${triggers}) as guard (name, on_table)
      where not exists (
        select from pg_trigger g where g.tgrelid = to_regclass(guard.on_table)
          and g.tgname = guard.name and g.tgenabled in ('O', 'A'))
      union all
      select 'key is missing or not valid', jsonb_build_object('index', guard.name)
      from (values ${keys}) as guard (name)
      where not exists (
        select from pg_index i where i.indexrelid = to_regclass(guard.name) and i.indisunique and i.indisvalid)
      union all
      select 'audit trail has a gap',
        jsonb_build_object('auditId', id, 'paymentId', payment_id, 'before', before, 'previous', previous)
      from changes where before <> previous
      union all
      select 'status is not the last audited one',
        jsonb_build_object('paymentId', p.id, 'status', p.status, 'audited', c.after)
      from project_payments p left join changes c on c.payment_id = p.id and c.is_last
      where p.status <> coalesce(c.after, 'pending')
      union all
      select 'audited changes and postings differ', jsonb_build_object('paymentId', p.id,
        'approvals', coalesce(posted.approvals, 0), 'audited', coalesce(audited.approvals, 0),
        'reversals', coalesce(posted.reversals, 0), 'auditedReversals', coalesce(audited.reversals, 0))
      from project_payments p
        left join (select payment_id, count(*) filter (where kind = 'approval') as approvals,
            count(*) filter (where kind = 'reversal') as reversals
          from ledger_transactions group by payment_id) posted on posted.payment_id = p.id
        left join (select payment_id, count(*) filter (where after = 'approved') as approvals,
            count(*) filter (where before = 'approved') as reversals
          from changes group by payment_id) audited on audited.payment_id = p.id
      where (coalesce(posted.approvals, 0), coalesce(posted.reversals, 0))
        <> (coalesce(audited.approvals, 0), coalesce(audited.reversals, 0))`,
  },
  {
    name: "I7 what was acknowledged is there, and the same idempotency key gives the same reply",
    query: sql`
      select 'several receipts of one idempotency key' as violation, jsonb_build_object('userId', user_id,
        'receiptIds', jsonb_agg(id order by created_at, id)) as row
      from payment_receipts group by user_id, idempotency_key having count(*) > 1
      union all
      select 'receipt whose payment is gone or another person''s',
        jsonb_build_object('receiptId', r.id, 'paymentId', r.payment_id, 'userId', r.user_id)
      from payment_receipts r left join project_payments p on p.id = r.payment_id
      where p.id is null or p.user_id <> r.user_id
      union all
      select 'payment with another reference than its backer was given', jsonb_build_object('paymentId', p.id,
        'reference', p.reference, 'givenTo', r.user_id)
      from project_payments p left join payment_references r on r.reference = p.reference
      where p.project_id is not null and (p.project_id, p.user_id) is distinct from (r.project_id, r.user_id)
      union all
      select 'decided payment is gone', jsonb_build_object('auditId', a.id, 'paymentId', a.details->'paymentId')
      from audit_logs a left join project_payments p on p.id = (a.details->>'paymentId')::bigint
      where a.action_type = 'update_payment_status' and p.id is null`,
  },
  {
    name: "I8 one outgoing mail per event and recipient",
    query: sql`
      select 'several mails of one event to one recipient' as violation,
        jsonb_build_object('eventKey', event_key, 'mailIds', ids) as row
      from (select event_key, recipient from outgoing_mails group by event_key, recipient having count(*) > 1) twice,
        lateral (select jsonb_agg(id order by id) as ids from outgoing_mails m
          where m.event_key = twice.event_key and m.recipient = twice.recipient) of_event
      union all
      select 'several notifications of one event to one person',
        jsonb_build_object('eventKey', event_key, 'notificationIds', ids)
      from (select user_id, event_key from notifications group by user_id, event_key having count(*) > 1) twice,
        lateral (select jsonb_agg(id order by id) as ids from notifications n
          where n.user_id = twice.user_id and n.event_key = twice.event_key) of_event
      union all
      select 'payment notification without a mail', jsonb_build_object('notificationId', n.id, 'eventKey', n.event_key)
      from notifications n
      where n.kind = 'payment_status' and not n.email_sent
        and not exists (select from outgoing_mails m where m.notification_id = n.id)
      union all
      select 'status change that its backer was not told of',
        jsonb_build_object('auditId', a.id, 'paymentId', p.id, 'after', a.details->>'after')
      from audit_logs a
        join project_payments p on p.id = (a.details->>'paymentId')::bigint
        join users u on u.id = p.user_id and u.closed_at is null
      where a.action_type = 'update_payment_status' and not exists (
        select from notifications n where n.user_id = p.user_id
          and n.event_key = 'payment:' || p.id || ':' || (a.details->>'after') || ':' || a.id)`,
  },
  {
    name: "I9 every payment has a stored receipt with its hash, or came with a line of the bank's statement",
    query: sql`
      select 'receipt without a stored file of its hash' as violation,
        jsonb_build_object('receiptId', r.id, 'paymentId', r.payment_id, 'fileId', r.file_id) as row
      from payment_receipts r left join stored_files f on f.id = r.file_id
      where f.id is null or f.kind <> 'receipt' or f.sha256 <> r.sha256
      union all
      select 'stored receipt that no payment refers to', jsonb_build_object('fileId', f.id, 'key', f.storage_key)
      from stored_files f
      where f.kind = 'receipt' and not exists (select from payment_receipts r where r.file_id = f.id)
      union all
      select 'payment without its receipt', jsonb_build_object('paymentId', p.id, 'receiptId', p.current_receipt_id)
      from project_payments p
      where p.current_receipt_id is not null and not exists (
        select from payment_receipts r
        where r.id = p.current_receipt_id and r.payment_id = p.id and r.user_id = p.user_id)
      union all
      select 'payment without a receipt that no line ever showed', jsonb_build_object('paymentId', p.id)
      from project_payments p
      where p.current_receipt_id is null and not exists (
        select from line_matches m where m.payment_id = p.id and m.kind = 'payment')`,
  },
  ...bankInvariants,
  ...payoutInvariants,
  ...harvestInvariants,
  {
    name: "I16 held and approved lots are at most the lots of the round, and no hold stands two minutes past its end",
    query: sql`
      with held as (
        select r.project_id, r.round, r.lots, r.approved_lots, r.held_lots, coalesce(sum(h.lots), 0) as standing
        from project_rounds r left join holds h
          on h.project_id = r.project_id and h.round = r.round and h.state in ('live', 'claimed')
        group by r.project_id, r.round
      )
      select 'more lots are held and approved than the round has' as violation, jsonb_build_object('projectId', project_id,
        'round', round, 'lots', lots, 'approved', approved_lots, 'held', standing) as row
      from held where approved_lots + standing > lots
      union all
      select 'held lots are not those of the holds', jsonb_build_object('projectId', project_id, 'round', round,
        'heldLots', held_lots, 'held', standing)
      from held where held_lots <> standing
      union all
      select 'hold that stands past its end', jsonb_build_object('holdId', id, 'until', until)
      from holds where state = 'live' and until < ${now.toISOString()}::timestamptz - interval '2 minutes'`,
  },
  {
    name: "I17 the terms that a payer was shown are the terms of their round",
    query: sql`
      select 'approved payment under other terms than its round' as violation, jsonb_build_object('paymentId', p.id,
        'projectId', p.project_id, 'termsVersion', p.terms_version, 'roundVersion', r.terms_version) as row
      from project_payments p join project_rounds r on r.project_id = p.project_id and r.round = p.round
      where p.status = 'approved' and p.terms_version <> r.terms_version
      union all
      select 'payment under other terms than its payer agreed to', jsonb_build_object('paymentId', p.id,
        'termsVersion', p.terms_version, 'agreedTo', f.terms_version)
      from project_payments p join payment_references f on f.reference = p.reference
      where p.project_id is not null and f.agreed_at = p.agreed_at and (f.round, f.terms_version) <> (p.round, p.terms_version)
      union all
      select 'terms of a round are not there', jsonb_build_object('projectId', r.project_id, 'round', r.round,
        'termsVersion', r.terms_version)
      from project_rounds r
      where not exists (
        select from round_terms t
        where t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version)`,
  },
  {
    name: "I19 what takes a second person was confirmed by one, or by the only owner with a second factor",
    query: sql`
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
      ${secondPersonOfLines}`,
  },
  ...paperInvariants,
  {
    name: "I23 each owner has one term that stands, and nobody else has",
    query: strayOwnerTerms,
  },
];
