import { expect, test } from "vitest";
import { partsWentInSteps } from "#server/books/checks/i25-parts-of-rounds-went-in-steps.ts";
import { stepBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, testRefusals, violationsAfter } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await stepBooks(deps);

const later = `update farm_releases set created_at = created_at + interval '1 minute' where id = ${ids.release}`;

testInvariant(deps, partsWentInSteps, [
  [
    "parts of terms are not the whole",
    `update round_terms set release_parts = jsonb_set(release_parts, '{0,rate}', '3334')`,
  ],
  [
    "part checked by whoever asked for it",
    "alter table release_asks drop constraint release_asks_two_people",
    `update release_asks set decided_by = asked_by where id = ${ids.lastAsk}`,
  ],
  [
    "part released by whoever asked for it or checked it",
    `update farm_releases set made_by = '${ids.second}' where id = ${ids.release}`,
  ],
  [
    "release by a request that nobody confirmed",
    `update farm_releases set request_id = (select min(id) from second_person_requests) where id = ${ids.release}`,
  ],
  ["released without a checked ask", `update release_asks set part = 2 where id = ${ids.ask}`],
  [
    "more went to a farm than the part was",
    "update ledger_entries set amount_kobo = amount_kobo + 1 where account = 'farm_released'",
  ],
  [
    "part left out, or taken in again, without a second person",
    "update second_person_requests set decision = 'declined' where kind = 'skip_part'",
  ],
  ["released though it is left out", "update release_skips set part = 1", later],
]);

test.each<[told: string, statement: string]>([
  ["released without a checked ask", `update farm_releases set ask_id = null where id = ${ids.release}`],
  [
    "released without a checked ask",
    `update release_asks set verdict = 'refused', refusal = 'The receipt is of another farm',
      decided_at = decided_at - interval '1 minute' where id = ${ids.ask}`,
  ],
  [
    "part released by whoever asked for it or checked it",
    `update release_asks set asked_by = '${ids.owner}' where id = ${ids.ask}`,
  ],
  [
    "part left out, or taken in again, without a second person",
    "update release_skips set taken_back_request_id = request_id, taken_back_at = created_at",
  ],
])("a planted violation is found in its other form: %s", async (told, statement) => {
  const found = await violationsAfter(deps, partsWentInSteps, [statement]);
  expect(found.map(({ violation }) => violation)).toContain(told);
});

testRefusals(deps, [
  [
    "a second ask for a part while one stands",
    `insert into release_asks (project_id, round, part, asked_by) select project_id, round, part, asked_by
      from release_asks where id = ${ids.lastAsk}`,
    "release_asks_one_standing",
  ],
  [
    "a part that is left out twice",
    `insert into release_skips (project_id, round, part, reason, request_id, skipped_by)
      select project_id, round, part, reason, request_id, skipped_by from release_skips`,
    "release_skips_one_standing",
  ],
  [
    "a check by whoever asked",
    `update release_asks set decided_by = asked_by where id = ${ids.lastAsk}`,
    "release_asks_two_people",
  ],
  [
    "a reason for backers that no two owners confirmed",
    "update farm_releases set public_reason = 'We saw the birds'",
    "farm_releases_public_reason",
  ],
]);
