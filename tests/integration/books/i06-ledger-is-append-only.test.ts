import { ledgerIsAppendOnly } from "#server/books/checks/i06-ledger-is-append-only.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, ledgerIsAppendOnly, [
  [
    "ledger transaction doesn't sum to zero",
    "update ledger_entries set amount_kobo = amount_kobo + 1 where account = 'in_transit'",
  ],
  ["ledger transaction doesn't sum to zero", "delete from ledger_entries"],
  ["guard is missing or switched off", "alter table ledger_entries disable trigger ledger_entries_append_only"],
  ["guard is missing or switched off", "drop trigger audit_logs_append_only on audit_logs"],
  ["key is missing or not valid", "drop index payment_references_one_in_use"],
  ["key is missing or not valid", "alter table payment_receipts drop constraint payment_receipts_idempotency_key"],
  [
    "audit trail has a gap",
    `delete from audit_logs where details->>'paymentId' = '${ids.takenBack}' and details->>'after' = 'approved'`,
  ],
  ["status is not the last audited one", `update project_payments set status = 'rejected' where id = ${ids.waiting}`],
  [
    "audited changes and postings differ",
    `insert into ledger_transactions (kind, payment_id, project_id, project_title, round, user_id)
        select kind, payment_id, project_id, project_title, round, user_id from ledger_transactions
        where payment_id = ${ids.approved}`,
  ],
]);

testRefusals(deps, [
  ["to change ledger_transactions", "update ledger_transactions set created_at = now()", "append-only"],
  ["to delete ledger_transactions", "delete from ledger_transactions", "append-only"],
  ["to empty ledger_transactions", "truncate ledger_transactions cascade", "append-only"],
  ["to change ledger_entries", "update ledger_entries set account = 'bank'", "append-only"],
  ["to delete ledger_entries", "delete from ledger_entries", "append-only"],
  ["to empty ledger_entries", "truncate ledger_entries cascade", "append-only"],
  ["to change audit_logs", "update audit_logs set created_at = now()", "append-only"],
  ["to delete audit_logs", "delete from audit_logs", "append-only"],
  ["to empty audit_logs", "truncate audit_logs cascade", "append-only"],
  [
    "a ledger transaction that does not sum to zero, when it commits",
    `with posted as (
      insert into ledger_transactions (kind, payment_id, project_title, round, user_id)
      values ('declared_arrival', ${ids.waiting}, 'Ponds', 1, '${ids.stranger}') returning id
    ) insert into ledger_entries (transaction_id, account, payment_id, amount_kobo)
      select id, 'in_transit', ${ids.waiting}, 100 from posted union all select id, 'unallocated', ${ids.waiting}, -99 from posted`,
    "ledger_sums_to_zero",
  ],
  [
    "an entry of project_funding without its round",
    "insert into ledger_entries (transaction_id, account, amount_kobo, project_id) values (1, 'project_funding', 1, 1)",
    "ledger_entries_dimensions",
  ],
  [
    "an entry of unallocated without its payment",
    "insert into ledger_entries (transaction_id, account, amount_kobo) values (1, 'unallocated', 1)",
    "ledger_entries_dimensions",
  ],
  [
    "an entry of backer_due without its person",
    "insert into ledger_entries (transaction_id, account, amount_kobo, payment_id) values (1, 'backer_due', 1, 1)",
    "ledger_entries_dimensions",
  ],
  [
    "an entry of bank with another account's dimension",
    "insert into ledger_entries (transaction_id, account, amount_kobo, payment_id) values (1, 'bank', 1, 1)",
    "ledger_entries_dimensions",
  ],
  [
    "an entry of bank without its own account",
    "insert into ledger_entries (transaction_id, account, amount_kobo) values (1, 'bank', 1)",
    "ledger_entries_dimensions",
  ],
]);
