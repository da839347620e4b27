import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { harvestInvariants } from "#server/books/checks/harvests.ts";
import { harvestParts, settlementCosts } from "#server/db/schema/harvests.ts";
import { moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import {
  endChoosing,
  fundFarm,
  keepCost,
  keepSale,
  openHarvestOf,
  sell,
  settlementsOf,
} from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";
import { type Planted, reportsOf, violationsAfter } from "#tests/support/planted.ts";
import { confirmNext, countCosts } from "#tests/support/second-person.ts";

/** What the check of harvests says of books that were broken. */

const deps = await openTestDeps();
const { db } = deps;
const ids = { harvest: 0, settlement: 0, reversed: 0, sale: 0, open: 0, withdrawn: 0, cost: 0, backing: 0 };

/** A harvest with something of everything: collected, ready, sold, given, settled, reversed, costs of both payers. */
beforeAll(async () => {
  const asker = await createAdmin(db, "owner");
  const owners = { asker, confirmer: await createAdmin(db, "owner") };
  await setBankDetails(db);
  const asOwner = () => callAs(deps, asker);
  const farm = await fundFarm(deps, { owner: asker, lots: [3, 2, 1], farmPart: "10" });
  const harvestId = await openHarvestOf(await asOwner(), farm, 600_000n);
  await (await farm.as(1)).harvests.choose({ harvestId, taken: "50", given: "10" });
  await (await farm.as(2)).harvests.choose({ harvestId, taken: "20", given: "0" });
  await endChoosing(deps, harvestId);
  const [, second] = await db
    .select()
    .from(harvestParts)
    .where(eq(harvestParts.harvestId, harvestId))
    .orderBy(harvestParts.backingId);
  await (await asOwner()).harvests.collect({ harvestId, code: second?.code ?? "" });
  const cost = (amountKobo: bigint, paidBy: "platform" | "farm", of = harvestId) =>
    keepCost(deps, { harvestId: of, amountKobo, paidBy });
  await cost(100_000n, "platform");
  await cost(50_000n, "farm");
  await countCosts(deps, owners, harvestId);
  const saleId = await sell(deps, owners, { harvestId, amountKobo: 50_000_000n });
  const settle = async () => (await asOwner()).harvests.settle({ harvestId, pool: "sold", amount: "500,000" });
  await settle();
  const [reversed] = await settlementsOf(deps, harvestId);
  const reason = "The price was typed wrong at first.";
  await (await asOwner()).harvests.reverse({ settlementId: reversed?.id ?? 0, reason });
  await settle();
  const open = await openHarvestOf(await asOwner(), farm, 100_000n);
  const withdrawn = await openHarvestOf(await asOwner(), farm, 100_000n);
  await (await asOwner()).harvests.withdraw({ harvestId: withdrawn, reason });
  await cost(200_000n, "platform", withdrawn);
  const details = { harvestId: withdrawn, amountKobo: "200000" };
  await (await asOwner()).secondPerson.ask({ kind: "lose_costs", details, reason });
  await confirmNext(deps, owners.confirmer);
  await moveUncollected(deps, harvestId);
  await keepSale(deps, await asOwner(), { harvestId, amountKobo: 100n });
  const settlement = (await settlementsOf(deps, harvestId))[1]?.id ?? 0;
  const [taken] = await db.select().from(settlementCosts).where(eq(settlementCosts.settlementId, settlement));
  Object.assign(ids, { harvest: harvestId, settlement, reversed: reversed?.id, sale: saleId, open, withdrawn });
  Object.assign(ids, { cost: taken?.costId, backing: second?.backingId });
});
afterEach(() => expectMoneyHolds(deps));

const planted: Planted[] = [
  {
    invariant: "I14",
    reported: "settlement is not its parts",
    plant: () => [
      `delete from settlement_parts where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
    ],
  },
  {
    invariant: "I14",
    reported: "share is not what the quantity says",
    plant: () => [
      `update settlement_parts set share_kobo = share_kobo + 100, net_kobo = net_kobo + 100
        where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
    ],
  },
  {
    invariant: "I14",
    reported: "more of a tax was passed on than settlements owe",
    plant: () => [`insert into line_matches (line_id, kind, amount_kobo) values (1, 'vat', 1000000000000)`],
  },
  {
    invariant: "I14",
    reported: "farm's share is not what its quantity says",
    plant: () => [
      `update settlements set farm_kobo = farm_kobo + 100, net_kobo = net_kobo - 100 where id = ${ids.settlement}`,
    ],
  },
  {
    invariant: "I14",
    reported: "fee or tax is not what its rate says",
    plant: () => [
      `update settlement_parts set fee_kobo = fee_kobo - 1, net_kobo = net_kobo + 1
        where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
    ],
  },
  {
    invariant: "I14",
    reported: "harvest is not what was allotted of it",
    plant: () => [`update harvests set farm_quantity = farm_quantity + 1 where id = ${ids.harvest}`],
  },
  {
    invariant: "I14",
    reported: "part of a settlement is not what was allotted",
    plant: () => [
      `update harvest_parts set sold = sold + 1, given = given - 1 where harvest_id = ${ids.harvest} and backing_id = ${ids.backing}`,
    ],
  },
  {
    invariant: "I14",
    reported: "proceeds of a harvest are not in the ledger",
    plant: () => [
      `update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'harvest_proceeds' and harvest_id = ${ids.harvest} and amount_kobo < 0`,
    ],
  },
  {
    invariant: "I14",
    reported: "costs of a harvest are not in the ledger",
    plant: () => [`update harvests set costs_lost_at = null where id = ${ids.withdrawn}`],
  },
  {
    invariant: "I14",
    reported: "harvest doesn't say whether its costs were lost",
    plant: () => [
      `update harvests set state = 'done', done_at = now(), costs_lost_at = now() where id = ${ids.harvest}`,
    ],
  },
  {
    invariant: "I14",
    reported: "sale that is on its way stands elsewhere than its lines say",
    plant: () => [`update harvest_sales set amount_kobo = amount_kobo + 1 where id = ${ids.sale}`],
  },
  {
    invariant: "I14",
    reported: "more was sold of a harvest than there was to sell",
    plant: () => [`update harvest_sales set quantity = 10000000 where id = ${ids.sale}`],
  },
  {
    invariant: "I14",
    reported: "more was taken of a cost than it was",
    plant: () => [`update harvest_costs set amount_kobo = amount_kobo - 1 where id = ${ids.cost}`],
  },
  {
    invariant: "I14",
    reported: "fees and taxes are not those of the settlements",
    plant: () => [
      "update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'fee_income' and amount_kobo < 0",
    ],
  },
  {
    invariant: "I14",
    reported: "payouts are not their settlement",
    plant: () => [
      `update payouts set state = 'cancelled', cancelled_at = now() where settlement_id = ${ids.settlement} and kind = 'farm'`,
    ],
  },
  {
    invariant: "I14",
    reported: "harvest's state is not that of its settlements",
    plant: () => [`update harvests set state = 'allotted' where id = ${ids.harvest}`],
  },
  {
    invariant: "I14",
    reported: "what backings count is kept by no harvest",
    plant: () => [
      `insert into round_weights (project_id, round, backing_id, user_id, weight_kobo)
        select project_id, round + 1, backing_id, user_id, weight_kobo from round_weights`,
    ],
  },
  {
    invariant: "I14",
    reported: "harvest began, and what backings count isn't kept",
    plant: () => ["delete from round_weights"],
  },
  {
    invariant: "I14",
    reported: "approved payment without its part in the harvest",
    plant: () => [`update round_weights set weight_kobo = weight_kobo - 1 where backing_id = ${ids.backing}`],
  },
  {
    invariant: "I14",
    reported: "part of a round is not what was paid and granted",
    plant: () => [
      `insert into backing_weights (backing_id, round, weight_kobo, reason) values (${ids.backing}, 1, 1, 'A loan')`,
    ],
  },
  {
    invariant: "I14",
    reported: "produce stands elsewhere than its parts say",
    plant: () => [
      `update harvest_parts set collected_at = null, collected_by = null where harvest_id = ${ids.harvest} and backing_id = ${ids.backing}`,
    ],
  },
  {
    invariant: "I22",
    reported: "sale declared or taken back without a second person",
    plant: () => [`update second_person_requests set subject = '0' where kind = 'declare_sale'`],
  },
  {
    invariant: "I22",
    reported: "sale removed without a second person",
    plant: () => [
      `update harvest_sales set removed_at = now(), removed_by = recorded_by
        where id = (select max(id) from harvest_sales where harvest_id = ${ids.harvest})`,
    ],
  },
  {
    invariant: "I22",
    reported: "cost of the farm counted without a second person",
    plant: () => [`update second_person_requests set subject = '0' where kind = 'count_cost'`],
  },
  {
    invariant: "I22",
    reported: "part without payment given without a second person",
    plant: () => [
      `insert into project_backings (project_id, user_id, granted_at, created_at)
        select project_id, decided_by, now(), now() from project_payments where decided_by is not null limit 1`,
      `insert into backing_weights (backing_id, round, weight_kobo, reason)
        select max(id), 1, 100, 'so' from project_backings where granted_at is not null`,
    ],
  },
  {
    invariant: "I22",
    reported: "rest of a harvest lost without a second person",
    plant: () => [
      `update harvests set state = 'done', done_at = now(), rest_lost_at = now(), rest_lost_reason = 'so' where id = ${ids.harvest}`,
    ],
  },
  {
    invariant: "I22",
    reported: "costs of a harvest lost without a second person",
    plant: () => [`update second_person_requests set subject = '0' where kind = 'lose_costs'`],
  },
  {
    invariant: "I22",
    reported: "confirmed, and not posted",
    plant: () => [`update second_person_requests set kind = 'take_back_sale' where kind = 'declare_sale'`],
  },
];

const costsLost = "costs of a harvest lost without a second person";

test.each([
  ["what one owner ended before it took two is no violation", `'restKobo', '200000', 'ofFarmKobo', '0'`, false],
  ["what one owner ends since is one", `'lostKobo', '200000', 'ofFarmKobo', '0'`, true],
])("%s", async (_name, logged, isReported) => {
  const statements = [
    `update second_person_requests set subject = '0' where kind = 'lose_costs'`,
    `insert into audit_logs (action_type, details)
      values ('finish_harvest', jsonb_build_object('harvestId', ${ids.withdrawn}, ${logged}))`,
  ];
  expect(await violationsAfter(db, harvestInvariants, { invariant: "I22", statements })).toEqual(
    isReported ? [costsLost] : [],
  );
});

const reportsIn = () => reportsOf(readFileSync("src/server/books/checks/harvests.ts", "utf8"));

test("every branch of the checks has a violation here", () => {
  expect(planted.map(({ reported }) => reported).sort()).toEqual(reportsIn().sort());
});

test.each(planted)("$invariant: $reported", async ({ invariant, reported, plant }) => {
  expect(await violationsAfter(db, harvestInvariants, { invariant, statements: plant() })).toContain(reported);
});

test("more sold than there was is found where no paper was ever made", async () => {
  const statements = ["delete from papers", `update harvest_sales set quantity = 10000000 where id = ${ids.sale}`];
  expect(await violationsAfter(db, harvestInvariants, { invariant: "I14", statements })).toEqual([
    "more was sold of a harvest than there was to sell",
  ]);
});
