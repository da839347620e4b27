import { heldLotsFitTheRound } from "#server/books/checks/i16-held-lots-fit-the-round.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createPayment } from "#tests/support/money.ts";
import { testInvariant, testRefusals } from "#tests/support/planted.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
const ids = await paymentBooks(deps);

testInvariant(deps, heldLotsFitTheRound, [
  [
    "more lots are held and approved than the round has",
    `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${ids.stranger}', 1, '2099-01-01')`,
  ],
  [
    "held lots are not those of the holds",
    `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${ids.stranger}', 1, '2099-01-01')`,
  ],
  [
    "hold that stands past its end",
    `insert into holds (project_id, round, user_id, lots, until) values (${ids.project}, 1, '${ids.stranger}', 1, timestamptz '${deps.clock.now().toISOString()}' - interval '3 minutes')`,
  ],
]);

/** A project of 40 lots: 20 approved, 19 held, and two more waiting with a receipt. */
const project = await createProject(deps.db, { fundingGoalKobo: 200_000_000n, lots: 40 });
const waiting = await createPayment(deps, { project, lots: 2 });
await createPayment(deps, { project, lots: 20, status: "approved" });
await deps.db.execute(`with held as (
    insert into holds (project_id, round, user_id, lots, until) values (${project.id}, 1, '${ids.stranger}', 19, '2099-01-01')
  ) update project_rounds set held_lots = 19 where project_id = ${project.id}`);

/** Joins two statements into one, because the database checks at its end. */
const both = (first: string, second: string) => `with first as (${first}) ${second}`;
const approve = both(
  `insert into project_backings (project_id, user_id) values (${project.id}, '${waiting.backer.id}')`,
  `update project_payments set status = 'approved' where id = ${waiting.payment.id}`,
);
const growHold = `update holds set lots = 21 where project_id = ${project.id} and user_id = '${ids.stranger}'`;
const count = (approved: number, held: number) =>
  `update project_rounds set approved_lots = ${approved}, held_lots = ${held} where project_id = ${project.id}`;

testRefusals(deps, [
  ["a 41st lot that is approved", approve, "round_lots_are_approved_lots"],
  ["a 41st lot that is held", growHold, "round_lots_are_held_lots"],
  ["a 41st lot that is counted as approved", count(22, 19), "project_rounds_not_oversold"],
  ["a 41st lot that is counted as held", count(20, 21), "project_rounds_not_oversold"],
  ["a 41st lot that is counted as both", count(21, 20), "project_rounds_not_oversold"],
  [
    "a 41st lot that is approved, and the held ones counted less for it",
    `with counted as (${count(22, 18)}), ${approve.slice("with ".length)}`,
    "round_lots_are_held_lots",
  ],
  [
    "a 41st lot that is held, and the approved ones counted less for it",
    both(growHold, count(19, 21)),
    "round_lots_are_approved_lots",
  ],
]);
