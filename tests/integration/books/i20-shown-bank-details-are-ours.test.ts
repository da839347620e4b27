import { shownBankDetailsAreOurs } from "#server/books/checks/i20-shown-bank-details-are-ours.ts";
import { bankBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
await bankBooks(deps);

testInvariant(deps, shownBankDetailsAreOurs, [
  [
    "bank detail that is not the active own account's",
    "update settings set value = 'Other Bank' where key = 'bankname'",
  ],
]);
