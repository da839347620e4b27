import { readFileSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { paperInvariants } from "#server/books/checks/papers.ts";
import { papers } from "#server/db/schema/papers.ts";
import { findPaperFile } from "#server/features/papers/file.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { endChoosing, fundFarm, openHarvestOf, sell, settlementsOf } from "#tests/support/harvests.ts";
import { contextOf, createPayment, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";
import { type Planted, reportsOf, violationsAfter } from "#tests/support/planted.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

/** What the check of papers says of books that were broken. */

const deps = await openTestDeps();
const { db } = deps;
const ids = { payment: 0, other: 0, refund: 0, settlement: 0, run: 0, statement: 0, backer: "" };

/** Papers of every kind, all right. */
beforeAll(async () => {
  const asker = await createAdmin(db, "owner");
  const confirmer = await createAdmin(db, "owner");
  await setBankDetails(db);
  const { payment, backer } = await createPayment(deps, { owner: asker, status: "approved" });
  const { payment: pending } = await createPayment(deps, { owner: asker });
  const { refund } = await oweRefund(deps, { owner: asker });
  const { payouts, backer: paidOut } = await oweRefund(deps, { owner: asker });
  const farm = await fundFarm(deps, { owner: asker, lots: [2, 1] });
  const harvestId = await openHarvestOf(await callAs(deps, asker), farm, 600_000n);
  await endChoosing(deps, harvestId);
  await sell(deps, { asker, confirmer }, { harvestId, amountKobo: 50_000_000n });
  await (await callAs(deps, asker)).harvests.settle({ harvestId, pool: "sold", amount: "500,000" });
  const account = await giveAccount(deps, { userId: paidOut.id }, { addedBy: paidOut.id });
  const ownAccount = await openOwnAccount(deps, { importedBy: asker.id });
  const owed = payouts.map((payout) => ({ payout, account }));
  const run = await keepRun(deps, owed, { ownAccount, owner: asker, second: confirmer });
  const range = { firstDay: "2026-01-01", lastDay: "2026-12-31" };
  const statement = await (await callAs(deps, backer)).papers.statement(range);
  const [receipt] = await db
    .select()
    .from(papers)
    .where(and(eq(papers.kind, "receipt"), eq(papers.paymentId, payment.id)));
  await findPaperFile(await contextOf(deps, asker), receipt?.id ?? 0);
  const settlement = (await settlementsOf(deps, harvestId))[0]?.id ?? 0;
  Object.assign(ids, { payment: payment.id, other: pending.id, refund: refund.id, settlement, run });
  Object.assign(ids, { statement: statement.id, backer: farm.backers[0]?.id });
});
afterEach(() => expectMoneyHolds(deps));

const replace = (which: string) => `update papers set replaced_at = now() where ${which}`;

const planted: Omit<Planted, "invariant">[] = [
  {
    reported: "paper numbers have a gap",
    plant: () => [`update paper_counters set last = last + 1 where kind = 'refund_note'`],
  },
  { reported: "approved payment without its receipt", plant: () => [replace(`payment_id = ${ids.payment}`)] },
  {
    reported: "valid receipt of a payment that is not approved for its amount",
    plant: () => [`update papers set payment_id = ${ids.other} where payment_id = ${ids.payment}`],
  },
  { reported: "refund without its note", plant: () => [replace(`refund_id = ${ids.refund}`)] },
  {
    reported: "valid note of a refund that is not due for its amount",
    plant: () => [`update papers set amount_kobo = amount_kobo + 1 where refund_id = ${ids.refund}`],
  },
  {
    reported: "person of a settlement without a statement",
    plant: () => [replace(`settlement_id = ${ids.settlement} and user_id = '${ids.backer}'`)],
  },
  {
    reported: "valid statement of a settlement is not what its person gets",
    plant: () => [
      `update papers set amount_kobo = amount_kobo - 1 where settlement_id = ${ids.settlement} and user_id = '${ids.backer}'`,
    ],
  },
  { reported: "sent run without its sheet", plant: () => [replace(`run_id = ${ids.run}`)] },
  {
    reported: "several valid papers of one range",
    plant: () => [
      "drop index papers_one_statement_of_range",
      `insert into papers (kind, year, sequence, code, user_id, first_day, last_day, amount_kobo, content)
        select kind, year, sequence + 1, reverse(code), user_id, first_day, last_day, amount_kobo, content
        from papers where id = ${ids.statement}`,
    ],
  },
  {
    reported: "file of a paper is none",
    plant: () => [
      `update stored_files set content_type = 'image/png' where id = (select file_id from papers where payment_id = ${ids.payment})`,
    ],
  },
];

test("every branch of the check has a violation here", () => {
  const reported = reportsOf(readFileSync("src/server/books/checks/papers.ts", "utf8"));
  expect(planted.map((plan) => plan.reported).sort()).toEqual(reported.sort());
});

test.each(planted)("I21: $reported", async ({ reported, plant }) => {
  const violations = await violationsAfter(db, paperInvariants, { invariant: "I21", statements: plant() });
  expect(violations).toContain(reported);
});
