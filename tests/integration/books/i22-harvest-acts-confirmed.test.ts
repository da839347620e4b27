import { harvestActsConfirmed } from "#server/books/checks/i22-harvest-acts-confirmed.ts";
import { harvestBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await harvestBooks(deps);

testInvariant(deps, harvestActsConfirmed, [
  [
    "sale declared or taken back without a second person",
    `update second_person_requests set subject = '0' where kind = 'declare_sale'`,
  ],
  [
    "sale removed without a second person",
    `update harvest_sales set removed_at = now(), removed_by = recorded_by
        where id = (select max(id) from harvest_sales where harvest_id = ${ids.harvest})`,
  ],
  [
    "money of a sale taken back without a second person",
    `insert into line_matches (line_id, kind, amount_kobo, sale_id, credit_match_id)
        select 1, 'sale_taken_back', 1, max(id), 1 from harvest_sales`,
  ],
  [
    "money of a sale lost without a second person",
    `insert into ledger_transactions (kind) values ('sale_lost')`,
    `insert into ledger_entries (transaction_id, account, sale_id, amount_kobo)
        select max(id), 'receivable', ${ids.sale}, -1 from ledger_transactions where kind = 'sale_lost'`,
  ],
  [
    "cost of the farm counted without a second person",
    `update second_person_requests set subject = '0' where kind = 'count_cost'`,
  ],
  [
    "part without payment given without a second person",
    `insert into project_backings (project_id, user_id, granted_at, created_at)
        select project_id, decided_by, now(), now() from project_payments where decided_by is not null limit 1`,
    `insert into backing_weights (backing_id, round, weight_kobo, reason)
        select max(id), 1, 100, 'so' from project_backings where granted_at is not null`,
  ],
  [
    "rest of a harvest lost without a second person",
    `update harvests set state = 'done', done_at = now(), rest_lost_at = now(), rest_lost_reason = 'so' where id = ${ids.harvest}`,
  ],
  [
    "costs of a harvest lost without a second person",
    `update second_person_requests set subject = '0' where kind = 'lose'`,
  ],
  [
    "confirmed, and not posted",
    `update second_person_requests set kind = 'take_back_sale' where kind = 'declare_sale'`,
  ],
]);
