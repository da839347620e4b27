import { payoutIsPaidOnce } from "#server/books/checks/i15-payout-is-paid-once.ts";
import { payoutBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await payoutBooks(deps);

testInvariant(deps, payoutIsPaidOnce, [
  [
    "payout in more than one run",
    `insert into payout_run_lines select ${ids.draft}, 9, payout_id, payee_account_id from payout_run_lines where payout_id = ${ids.sent}`,
  ],
  [
    "payout whose run is not the one it is a line of",
    `update payouts set run_id = ${ids.draft} where id = ${ids.sent}`,
  ],
  [
    "payout whose state is not that of its run",
    `update payouts set state = 'sent', sent_at = now() where id = ${ids.drafted}`,
  ],
  [
    "run is not its lines",
    `update payee_accounts set account_number = '9999999999' where id in
      (select payee_account_id from payout_run_lines where run_id = ${ids.run})`,
  ],
  [
    "run pays to another's account",
    `update payee_accounts set user_id = '${ids.owner}', added_by = '${ids.owner}' where id in
      (select payee_account_id from payout_run_lines where payout_id = ${ids.sent})`,
  ],
  ["payout to another farm than its round's", "update payouts set farm_id = farm_id + 1 where kind = 'farm'"],
  [
    "account of a farm without a second person",
    `insert into payee_accounts (farm_id, bank_code, bank_name, account_number, account_name, usable_from, added_by, request_id)
      select farm_id, '044', 'Access Bank', '0690000031', 'x', now(), '${ids.owner}',
        (select min(id) from second_person_requests where kind <> 'set_farm_account')
      from payouts where kind = 'farm'`,
  ],
  [
    "account of a sender without a second person",
    `update payee_accounts set request_id = (
      select min(id) from second_person_requests where kind <> 'enter_payee_account') where line_id is not null`,
  ],
  ["exported run without its files", `delete from payout_files where run_id = ${ids.run} and format = 'xlsx'`],
  ["postings of a payout are not those of its state", `delete from ledger_transactions where payout_id = ${ids.sent}`],
  ["paid, and nothing shows it", `update payouts set state = 'paid', paid_at = now() where id = ${ids.sent}`],
  [
    "failed without a line that came back or a second person",
    `update payouts set state = 'failed', failed_at = now(), failed_reason = 'x',
      refusal_request_id = (select min(id) from second_person_requests) where id = ${ids.sent}`,
  ],
  [
    "withheld payout let go without a second person",
    `update payouts set withheld_at = now(), withheld_by = '${ids.owner}', withheld_reason = 'x',
      let_go_request_id = (select min(id) from second_person_requests) where id = ${ids.due}`,
  ],
  [
    "debit booked as paid out twice without a second person",
    `update line_matches set reason = 'It is lost' where payout_id = ${ids.paid}`,
  ],
  ["failed payout that no other took over", `update payouts set replaces_id = null where replaces_id = ${ids.failed}`],
  ["failed payout that no other took over", `update payouts set replaces_id = ${ids.sent} where id = ${ids.due}`],
  [
    "coming back undone without a second person",
    `update line_matches set undone_at = now(), undone_by = '${ids.owner}' where payout_id = ${ids.failed} and kind = 'returned'`,
  ],
  ["line of another amount than its payout", `update line_matches set amount_kobo = 1 where payout_id = ${ids.paid}`],
  [
    "line of another amount than its payout",
    `update line_matches set amount_kobo = amount_kobo + 1 where payout_id = ${ids.failed} and kind = 'returned'`,
  ],
]);

testRefusals(deps, [
  [
    "a sender's account that one owner entered",
    "update payee_accounts set request_id = null where line_id is not null",
    "change refused",
  ],
  [
    "a farm's account that one owner entered",
    `insert into payee_accounts (farm_id, bank_code, bank_name, account_number, account_name, usable_from, added_by)
      select farm_id, '044', 'Access Bank', '0690000031', 'x', now(), '${ids.owner}' from payouts where kind = 'farm'`,
    "payee_accounts_farm",
  ],
  ["a payout to another farm", "update payouts set farm_id = farm_id + 1 where kind = 'farm'", "change refused"],
  [
    "a payout to a farm that names none",
    `insert into payouts (kind, state, release_id, project_id, project_title, round, amount_kobo, part, parts, reference)
      select kind, 'waiting', release_id, project_id, project_title, round, amount_kobo, part, parts, 'GP-X' from payouts
      where kind = 'farm' limit 1`,
    "payouts_about",
  ],
  ["a payout sent without a run", `update payouts set state = 'in_run' where id = ${ids.due}`, "payouts_in_run"],
  [
    "a withheld payout put into a run",
    `update payouts set withheld_at = now(), withheld_by = '${ids.owner}', withheld_reason = 'x', state = 'in_run',
      run_id = ${ids.draft} where id = ${ids.due}`,
    "payouts_withheld",
  ],
  ["a run's total changed", `update payout_runs set total_kobo = 1 where id = ${ids.draft}`, "change refused"],
  ["a sent run declared void", `update payout_runs set state = 'void' where id = ${ids.run}`, "change refused"],
  [
    "a run approved by its maker",
    `update payout_runs set state = 'approved', approved_by = made_by, approved_at = now() where id = ${ids.draft}`,
    "payout_runs_two_people",
  ],
  ["a run's line deleted", `delete from payout_run_lines where run_id = ${ids.draft}`, "append-only"],
  ["a file changed", `update payout_files set bytes = 'x' where run_id = ${ids.run}`, "append-only"],
  [
    "a file with another hash",
    `insert into payout_files (run_id, format, columns, sha256, bytes) values (${ids.draft}, 'csv', '[]', 'abc', 'x')`,
    "payout_files_hash",
  ],
  ["an account's number changed", "update payee_accounts set account_number = '1111111111'", "change refused"],
  [
    "a number of an account in a decided request",
    `insert into second_person_requests
        (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at)
      values ('enter_payee_account', 'x', '{"accountName": "Ada Obi"}', 'x', '${ids.owner}', now(), 'declined',
        '${ids.second}', now())`,
    "second_person_requests_forgotten",
  ],
  [
    "a payout matched twice",
    `insert into line_matches (line_id, kind, amount_kobo, payout_id)
      select line_id, kind, amount_kobo, payout_id from line_matches where payout_id = ${ids.paid}`,
    "line_matches_payout_once",
  ],
  [
    "a payout posted twice",
    `insert into ledger_transactions (kind, payout_id) values ('payout_sent', ${ids.sent})`,
    "ledger_transactions_payout_once",
  ],
]);
