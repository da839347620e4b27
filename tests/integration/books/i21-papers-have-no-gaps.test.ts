import { and, eq } from "drizzle-orm";
import { papersHaveNoGaps } from "#server/books/checks/i21-papers-have-no-gaps.ts";
import { papers } from "#server/db/schema/papers.ts";
import { findPaperFile } from "#server/features/papers/file.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { endChoosing, fundFarm, openHarvestOf, sell, settlementsOf } from "#tests/support/harvests.ts";
import { contextOf, createPayment, setBankDetails } from "#tests/support/money.ts";
import { giveAccount, keepRun, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin } from "#tests/support/people.ts";
import { testInvariant } from "#tests/support/planted.ts";
import { openOwnAccount } from "#tests/support/statements.ts";

const deps = await openTestDeps();
const ids = await paperBooks();
const replace = (which: string) => `update papers set replaced_at = now() where ${which}`;

/** Papers of every kind, all right. */
async function paperBooks() {
  const asker = await createAdmin(deps.db, "owner");
  const confirmer = await createAdmin(deps.db, "owner");
  await setBankDetails(deps.db);
  const { payment, backer } = await createPayment(deps, { owner: asker, status: "approved" });
  const { payment: pending } = await createPayment(deps, { owner: asker });
  const { refund } = await oweRefund(deps, { owner: asker });
  const { payouts, backer: paidOut } = await oweRefund(deps, { owner: asker });
  const farm = await fundFarm(deps, { owner: asker, lots: [2, 1] });
  const harvestId = await openHarvestOf(await callAs(deps, asker), farm, 600_000n);
  await endChoosing(deps, harvestId);
  await sell(deps, { asker, confirmer }, { harvestId, amountKobo: 50_000_000n });
  await (await callAs(deps, asker)).harvests.settle({ harvestId, pool: "sold", amount: "500,000" });
  const [settlement] = await settlementsOf(deps, harvestId);
  const account = await giveAccount(deps, { userId: paidOut.id }, { addedBy: paidOut.id });
  const ownAccount = await openOwnAccount(deps, { importedBy: asker.id });
  const owed = payouts.map((payout) => ({ payout, account }));
  const run = await keepRun(deps, owed, { ownAccount, owner: asker, second: confirmer });
  const range = { firstDay: "2026-01-01", lastDay: "2026-12-31" };
  const statement = await (await callAs(deps, backer)).papers.statement(range);
  const isReceipt = and(eq(papers.kind, "receipt"), eq(papers.paymentId, payment.id));
  const [receipt] = await deps.db.select().from(papers).where(isReceipt);
  await findPaperFile(await contextOf(deps, asker), receipt?.id ?? 0);
  return {
    payment: payment.id,
    other: pending.id,
    refund: refund.id,
    settlement: settlement?.id,
    run,
    statement: statement.id,
    backer: farm.backers[0]?.id,
  };
}

testInvariant(deps, papersHaveNoGaps, [
  ["paper numbers have a gap", `update paper_counters set last = last + 1 where kind = 'refund_note'`],
  ["approved payment without its receipt", replace(`payment_id = ${ids.payment}`)],
  [
    "valid receipt of a payment that is not approved for its amount",
    `update papers set payment_id = ${ids.other} where payment_id = ${ids.payment}`,
  ],
  ["refund without its note", replace(`refund_id = ${ids.refund}`)],
  [
    "valid note of a refund that is not due for its amount",
    `update papers set amount_kobo = amount_kobo + 1 where refund_id = ${ids.refund}`,
  ],
  [
    "person of a settlement without a statement",
    replace(`settlement_id = ${ids.settlement} and user_id = '${ids.backer}'`),
  ],
  [
    "valid statement of a settlement is not what its person gets",
    `update papers set amount_kobo = amount_kobo - 1 where settlement_id = ${ids.settlement} and user_id = '${ids.backer}'`,
  ],
  ["sent run without its sheet", replace(`run_id = ${ids.run}`)],
  [
    "several valid papers of one range",
    "drop index papers_one_statement_of_range",
    `insert into papers (kind, year, sequence, code, user_id, first_day, last_day, amount_kobo, content)
        select kind, year, sequence + 1, reverse(code), user_id, first_day, last_day, amount_kobo, content
        from papers where id = ${ids.statement}`,
  ],
  [
    "file of a paper is none",
    `update stored_files set content_type = 'image/png' where id = (select file_id from papers where payment_id = ${ids.payment})`,
  ],
]);
