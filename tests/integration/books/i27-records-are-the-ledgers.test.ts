import { recordsAreTheLedgers } from "#server/books/checks/i27-records-are-the-ledgers.ts";
import { recordBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await recordBooks(deps);

testInvariant(deps, recordsAreTheLedgers, [
  [
    "record and ledger differ in what backers were sent",
    `update payouts set amount_kobo = amount_kobo + 1 where settlement_id = ${ids.settlement} and state = 'paid'`,
  ],
  [
    "record and ledger differ in what the bank shows of it",
    `update line_matches set undone_at = now(), undone_by = made_by where payout_id = ${ids.paid} and kind = 'payout'`,
  ],
  [
    "record and ledger differ in what was returned",
    `insert into round_returns (project_id, project_title, round, amount_kobo, reason, request_id, made_by)
      select project_id, project_title, round, 1, 'Flooded', 1, '${ids.owner}' from harvests where id = ${ids.harvest};
     update payouts set kind = 'returned', settlement_id = null, return_id = (select max(id) from round_returns),
      payment_id = (select min(id) from project_payments),
      amount_kobo = amount_kobo + 1
      where id = ${ids.paid}`,
  ],
  [
    "record and ledger differ in the produce that was taken",
    `update harvest_parts set produce_kobo = produce_kobo + 1 where harvest_id = ${ids.harvest} and collected_at is not null`,
  ],
  [
    "record and ledger differ in what sales brought",
    `update harvest_sales set removed_at = now(), removed_by = recorded_by where harvest_id = ${ids.harvest}`,
  ],
]);
