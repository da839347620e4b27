import { fundingIsLedgerSum } from "#server/books/checks/i01-funding-is-the-ledgers-sum.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, fundingIsLedgerSum, [
  [
    "funding is not the ledger's sum",
    `update projects set current_funding_kobo = current_funding_kobo + 1 where id = ${ids.project}`,
  ],
  ["number of backers is not that of the backings", `update projects set backers_count = 7 where id = ${ids.project}`],
]);

testRefusals(deps, [
  [
    "funding that the ledger does not have",
    `update projects set current_funding_kobo = 1 where id = ${ids.project}`,
    "project_funding_is_ledger_sum",
  ],
]);
