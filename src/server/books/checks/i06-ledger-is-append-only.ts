import { type SQL, sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/** The triggers that enforce the invariants, each with its table, and the unique indexes. */
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
  ["lines_sent_back_have_payouts", "line_matches"],
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
  ["payment_strikes_append_only", "payment_strikes"],
  ["payment_strikes_support_nothing", "payment_strikes"],
  ["settlement_strikes_append_only", "settlement_strikes"],
  ["settlement_strikes_have_payouts", "settlement_strikes"],
  ["holder_changes_stay", "holder_changes"],
  ["holder_change_payments_append_only", "holder_change_payments"],
  ["payment_evidence_append_only", "payment_evidence"],
  ["project_payments_holder", "project_payments"],
  ["backing_weights_within_worth", "backing_weights"],
  ["harvests_stay", "harvests"],
  ["harvests_rest_stays", "harvests"],
  ["harvest_parts_stay", "harvest_parts"],
  ["round_weights_stay", "round_weights"],
  ["papers_stay", "papers"],
  ["paper_counters_go_up", "paper_counters"],
  ["ledger_heads_append_only", "ledger_heads"],
  ["ledger_closings_append_only", "ledger_closings"],
]);
const keys = listOf(
  [
    "project_rounds_pkey",
    "holds_one_per_person",
    "holds_one_per_reference",
    "second_person_requests_one_open",
    "project_payments_one_pending_per_backer",
    "project_backings_project_user_key",
    "ledger_transactions_reversed_once",
    "ledger_entries_one_per_account",
    "payment_references_reference_key",
    "payment_references_one_in_use",
    "payment_receipts_idempotency_key",
    "payment_receipts_file_key",
    "own_accounts_number_key",
    "own_accounts_one_active",
    "statement_lines_once",
    "ledger_transactions_line_once",
    "ledger_transactions_match_once",
    "ledger_transactions_payout_once",
    "ledger_transactions_release_once",
    "line_matches_payout_once",
    "line_matches_sent_back_once",
    "payouts_reference_key",
    "payouts_replaced_once",
    "release_asks_one_standing",
    "release_skips_one_standing",
    "release_proofs_file_key",
    "payout_run_lines_once",
    "payout_files_one_per_format",
    "payee_accounts_one_per_person",
    "payee_accounts_one_per_farm",
    "payee_accounts_one_per_line",
    "ledger_transactions_settlement_once",
    "ledger_transactions_sale_once",
    "ledger_transactions_struck_once",
    "payment_strikes_once",
    "holder_changes_one_running",
    "settlement_strikes_once",
    "harvests_number_key",
    "harvest_parts_code_key",
    "settlements_number_key",
    "round_weights_project_id_round_backing_id_pk",
    "paper_counters_kind_year_pk",
    "papers_number_key",
    "papers_code_key",
    "papers_file_key",
    "papers_one_of_payment",
    "papers_one_of_refund",
    "papers_one_of_settlement",
    "papers_one_of_run",
    "papers_one_statement_of_range",
    "papers_one_tax_list_of_range",
    "papers_one_closing_of_month",
    "ledger_heads_pkey",
    "ledger_heads_entry_key",
    "ledger_closings_pkey",
    "backing_weights_backing_id_round_pk",
    "notifications_one_per_event",
    "outgoing_mails_one_per_event",
  ].map((name) => [name]),
);

function listOf(names: string[][]): SQL {
  return sql.raw(names.map((row) => `(${row.map((name) => `'${name}'`).join(", ")})`).join(", "));
}

/**
 * Ledger and audit are append-only, one entry of each per status change, each transaction sums to zero.
 *
 * Nothing changes or deletes a posting or an audit entry, and the database refuses both. A finding means that a hand on
 * the database or a migration went past a guard: the past can't be trusted from there on, so compare with a backup.
 */
export const ledgerIsAppendOnly: Invariant = {
  name: "I6 ledger and audit are append-only, one entry of each per status change, each transaction sums to zero",
  query: () => sql`
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
};
