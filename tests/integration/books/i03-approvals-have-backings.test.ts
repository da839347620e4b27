import { approvalsHaveBackings } from "#server/books/checks/i03-approvals-have-backings.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, approvalsHaveBackings, [
  ["approved payment without a backing", `delete from project_backings where project_id = ${ids.project}`],
  [
    "open project whose round is sold out or decided",
    `update projects set is_closed = false, closed_at = null where id = ${ids.project}`,
  ],
  [
    "backing that nothing supports",
    `insert into project_backings (project_id, user_id) values (${ids.project}, '${ids.stranger}')`,
  ],
]);

testRefusals(deps, [
  [
    "a backing that nothing supports",
    `insert into project_backings (project_id, user_id) values (${ids.project}, '${ids.stranger}')`,
    "backing_is_supported",
  ],
  [
    "an approved payment without a backing",
    `delete from project_backings where project_id = ${ids.project}`,
    "approved_payment_has_backing",
  ],
]);
