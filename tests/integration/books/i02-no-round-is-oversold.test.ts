import { roundIsNotOversold } from "#server/books/checks/i02-no-round-is-oversold.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, roundIsNotOversold, [
  [
    "more lots are approved than the round has",
    `update project_payments set status = 'approved' where id = ${ids.waiting}`,
  ],
  [
    "approved lots are not those of the payments",
    `update project_payments set status = 'approved' where id = ${ids.waiting}`,
  ],
  [
    "all lots together are not the goal",
    `update project_rounds set lot_price_kobo = lot_price_kobo + 1 where project_id = ${ids.project}`,
  ],
  [
    "sold out round is not funded",
    `update project_rounds set outcome = null, decided_at = null where project_id = ${ids.project}`,
  ],
  [
    "earlier round with approved lots that nobody can decide",
    `update projects set round = 2 where id = ${ids.project}`,
    `update project_rounds set outcome = null, decided_at = null where project_id = ${ids.project}`,
  ],
  ["payment of a round that is not there", `update project_payments set round = 7 where id = ${ids.waiting}`],
]);

testRefusals(deps, [
  [
    "another price of a sold round",
    `update project_rounds set lot_price_kobo = 1 where project_id = ${ids.project}`,
    "sold_round_is_frozen",
  ],
]);
