import { ownersHaveTerms } from "#server/books/checks/i23-owners-have-terms.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, ownersHaveTerms, [
  [
    "owner without a term that stands",
    `update users set is_admin = true where id = '${ids.stranger}'`,
    `insert into user_roles (user_id, role) values ('${ids.stranger}', 'owner')`,
  ],
  ["term that stands of who is no owner", `insert into owner_terms (user_id, since) values ('${ids.stranger}', now())`],
]);
