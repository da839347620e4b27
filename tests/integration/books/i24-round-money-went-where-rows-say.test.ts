import { roundMoneyWentWhereRowsSay } from "#server/books/checks/i24-round-money-went-where-rows-say.ts";
import { payoutBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await payoutBooks(deps);

testInvariant(deps, roundMoneyWentWhereRowsSay, [
  [
    "more went on than the round was paid",
    "update ledger_entries set amount_kobo = amount_kobo * 2 where account = 'farm_released'",
  ],
  [
    "releases, returns and ledger differ",
    "update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'farm_released'",
  ],
  [
    "a farm paid more back than it got",
    `insert into line_matches (line_id, kind, amount_kobo, release_id) values (1, 'farm_paid_back', 1, ${ids.release})`,
  ],
  [
    "return that no second person confirmed",
    `insert into round_returns (project_id, project_title, round, amount_kobo, reason, request_id, made_by)
      select 1, 'Ponds', 1, 1, 'Flooded', min(id), '${ids.owner}' from second_person_requests`,
  ],
]);
