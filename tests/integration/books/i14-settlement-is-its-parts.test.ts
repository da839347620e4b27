import { expect, test } from "vitest";
import { settlementIsItsParts } from "#server/books/checks/i14-settlement-is-its-parts.ts";
import { harvestBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant, violationsAfter } from "#tests/support/planted.ts";

const deps = await openTestDeps();
const ids = await harvestBooks(deps);

testInvariant(deps, settlementIsItsParts, [
  [
    "settlement is not its parts",
    `delete from settlement_parts where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
  ],
  [
    "share is not what the quantity says",
    `update settlement_parts set share_kobo = share_kobo + 100, net_kobo = net_kobo + 100
        where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
  ],
  [
    "more of a tax was passed on than settlements owe",
    `insert into line_matches (line_id, kind, amount_kobo) values (1, 'vat', 1000000000000)`,
  ],
  [
    "farm's share is not what its quantity says",
    `update settlements set farm_kobo = farm_kobo + 100, net_kobo = net_kobo - 100 where id = ${ids.settlement}`,
  ],
  [
    "fee or tax is not what its rate says",
    `update settlement_parts set fee_kobo = fee_kobo - 1, net_kobo = net_kobo + 1
        where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
  ],
  [
    "harvest is not what was allotted of it",
    `update harvests set farm_quantity = farm_quantity + 1 where id = ${ids.harvest}`,
  ],
  [
    "part of a settlement is not what was allotted",
    `update harvest_parts set sold = sold + 1, given = given - 1 where harvest_id = ${ids.harvest} and backing_id = ${ids.backing}`,
  ],
  [
    "proceeds of a harvest are not in the ledger",
    `update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'harvest_proceeds' and harvest_id = ${ids.harvest} and amount_kobo < 0`,
  ],
  ["costs of a harvest are not in the ledger", `update harvests set costs_lost_at = null where id = ${ids.withdrawn}`],
  [
    "harvest doesn't say whether its costs were lost",
    `update harvests set state = 'done', done_at = now(), costs_lost_at = now() where id = ${ids.harvest}`,
  ],
  [
    "sale that is on its way stands elsewhere than its lines say",
    `update harvest_sales set amount_kobo = amount_kobo + 1 where id = ${ids.sale}`,
  ],
  [
    "what the bank took back of a settled sale stands elsewhere than its lines say",
    `update harvest_sales set lost_kobo = 1 where id = ${ids.sale}`,
  ],
  [
    "more was sold of a harvest than there was to sell",
    `update harvest_sales set quantity = 10000000 where id = ${ids.sale}`,
  ],
  [
    "more was taken of a cost than it was",
    `update harvest_costs set amount_kobo = amount_kobo - 1 where id in (select cost_id from settlement_costs where settlement_id = ${ids.settlement})`,
  ],
  [
    "more of a cost fell on what nobody collected than its part",
    `update settlements set pool = 'uncollected' where id = ${ids.settlement}`,
  ],
  [
    "fees and taxes are not those of the settlements",
    "update ledger_entries set amount_kobo = amount_kobo - 1 where account = 'fee_income' and amount_kobo < 0",
  ],
  [
    "payouts are not their settlement",
    `update payouts set state = 'cancelled', cancelled_at = now() where settlement_id = ${ids.settlement} and kind = 'farm'`,
  ],
  [
    "harvest's state is not that of its settlements",
    `update harvests set state = 'allotted' where id = ${ids.harvest}`,
  ],
  [
    "what backings count is kept by no harvest",
    `insert into round_weights (project_id, round, backing_id, user_id, weight_kobo)
        select project_id, round + 1, backing_id, user_id, weight_kobo from round_weights`,
  ],
  ["harvest began, and what backings count isn't kept", "delete from round_weights"],
  [
    "approved payment without its part in the harvest",
    `update round_weights set weight_kobo = weight_kobo - 1 where backing_id = ${ids.backing}`,
  ],
  [
    "part of a round is not what was paid and granted",
    `insert into backing_weights (backing_id, round, weight_kobo, reason) values (${ids.backing}, 1, 1, 'A loan')`,
  ],
  [
    "part of a harvest counts what was struck",
    `update harvest_parts set struck_kobo = 1 where harvest_id = ${ids.harvest} and backing_id = ${ids.backing}`,
  ],
  [
    "struck of a part is not of its payments",
    `update round_weights set struck_kobo = 1 where backing_id = ${ids.backing}`,
  ],
  [
    "more was taken out of a settlement than it gave",
    `insert into settlement_strikes (strike_id, settlement_id, backing_id, user_id, share_kobo, fee_kobo, vat_kobo, wht_kobo, net_kobo)
        select 1, settlement_id, backing_id, user_id, share_kobo + 1, fee_kobo, vat_kobo, wht_kobo, net_kobo + 1 from settlement_parts
        where settlement_id = ${ids.settlement} and backing_id = ${ids.backing}`,
  ],
  [
    "share of a struck payment is still to be paid",
    `insert into ledger_transactions (kind, payment_id, project_id, project_title, round, user_id)
        select 'strike', p.id, p.project_id, p.project_title, p.round, p.user_id from project_payments p
          join settlement_parts q on q.user_id = p.user_id and q.settlement_id = ${ids.settlement} and q.backing_id = ${ids.backing}
        where p.status = 'approved';
     insert into payment_strikes (payment_id, user_id, project_id, round, backing_id, lost_kobo, reason, request_id, struck_by)
        select p.id, p.user_id, p.project_id, p.round, q.backing_id, 1, 'It never came.', 1, p.user_id from project_payments p
          join settlement_parts q on q.user_id = p.user_id and q.settlement_id = ${ids.settlement} and q.backing_id = ${ids.backing}
        where p.status = 'approved';
     update payouts set state = 'due', due_at = now(), promised_by = now() where settlement_id = ${ids.settlement}`,
  ],
  [
    "produce stands elsewhere than its parts say",
    `update harvest_parts set collected_at = null, collected_by = null where harvest_id = ${ids.harvest} and backing_id = ${ids.backing}`,
  ],
]);

test("more sold than there was is found where no paper was ever made", async () => {
  const statements = ["delete from papers", `update harvest_sales set quantity = 10000000 where id = ${ids.sale}`];
  expect(await violationsAfter(deps, settlementIsItsParts, statements)).toMatchObject([
    { violation: "more was sold of a harvest than there was to sell" },
  ]);
});
