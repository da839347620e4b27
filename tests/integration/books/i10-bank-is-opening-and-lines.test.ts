import { bankIsOpeningAndLines } from "#server/books/checks/i10-bank-is-opening-and-lines.ts";
import { bankBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await bankBooks(deps);

testInvariant(deps, bankIsOpeningAndLines, [
  [
    "line that is not posted as the bank told it",
    `update statement_lines set amount_kobo = amount_kobo + 1 where id = ${ids.open}`,
  ],
  ["posted line that is not there", `delete from statement_lines where id = ${ids.open}`],
  [
    "ledger of an own account is not its opening and its lines",
    `update own_accounts set opening_kobo = opening_kobo + 1 where id = ${ids.account}`,
  ],
  [
    "opening of an own account is not posted as it was told",
    "update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'opening'",
  ],
  [
    "bank moved by something else than a line",
    `insert into ledger_entries (transaction_id, account, own_account_id, amount_kobo)
        select max(id), 'bank', ${ids.account}, 1 from ledger_transactions where kind = 'approval'`,
  ],
  [
    "lines of an own account that was not opened",
    `update own_accounts set opened_on = '2026-11-06' where id = ${ids.account}`,
  ],
  [
    "printed balance does not follow from the one before",
    `update statement_lines set balance_kobo = balance_kobo + 1 where id = ${ids.charge}`,
  ],
  [
    "line whose void is not posted as its opposite",
    `insert into voids (id, what, own_account_id, reason, request_id, made_by) overriding system value
      select 1, 'line', ${ids.account}, 'No such line', 1, id from users limit 1;
      update statement_lines set own_account_id = null, void_id = 1 where id = ${ids.open}`,
  ],
  [
    "void that no second person confirmed",
    `insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at)
      select 'void_bank_data', 'line/1', '{}', 'No such line', id, now() from users limit 1;
      insert into voids (what, own_account_id, reason, request_id, made_by)
      select 'line', ${ids.account}, 'No such line', max(id), '${ids.payer}' from second_person_requests`,
  ],
  ["gap without a reason", `update statement_lines set gap_kobo = 5 where id = ${ids.open}`],
]);

testRefusals(deps, [
  ["a line changed", `update statement_lines set narration = 'other' where id = ${ids.open}`, "change refused"],
  ["a line deleted", `delete from statement_lines where id = ${ids.open}`, "change refused"],
  [
    "a line posted twice",
    `insert into ledger_transactions (kind, line_id) values ('line', ${ids.open})`,
    "ledger_transactions_line_once",
  ],
]);
