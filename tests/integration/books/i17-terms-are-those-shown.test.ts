import { termsAreThoseShown } from "#server/books/checks/i17-terms-are-those-shown.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, termsAreThoseShown, [
  [
    "approved payment under other terms than its round",
    `update project_payments set terms_version = 2 where id = ${ids.approved}`,
  ],
  ["payment under other terms than its payer agreed to", "update payment_references set terms_version = 2"],
  ["terms of a round are not there", `delete from round_terms where project_id = ${ids.project}`],
]);
