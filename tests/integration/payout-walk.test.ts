import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { rows } from "#server/db/open.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { readPayoutFile } from "#server/features/payouts/runs/export.ts";
import { dayInLagos } from "#shared/dates.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { contextOf, createPayment, expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** A round that found too few backers, from the decision to the bank's line. */

const deps = await openTestDeps();
const price = 5_000_000n;
const many = 17;
afterEach(() => expectMoneyHolds(deps));

const as = (who: TestUser) => callAs(deps, who);
const mailsTo = async ({ email }: TestUser) => (await queuedMailsTo(deps.db, email)).map(({ subject }) => subject);
/** The ledger's sums by account, without those that are nothing. */
async function ledger(): Promise<Record<string, bigint>> {
  const found = await rows<{ account: string; kobo: string }>(
    deps.db,
    sql`select account, sum(amount_kobo)::text as kobo from ledger_entries
      group by account having sum(amount_kobo) <> 0 order by account`,
  );
  return Object.fromEntries(found.map(({ account, kobo }) => [account, BigInt(kobo)]));
}

test("a round of 17 backers that wasn't funded is given back in one run, which one debit pays", async () => {
  const maker = await createAdmin(deps.db, "owner");
  const second = await createAdmin(deps.db, "owner");
  const ownAccountId = await keepOwnAccount(deps.db);
  const project = await createProject(deps.db, { fundingGoalKobo: 40n * price, lots: 40, minimumLots: 30 });
  const backers: TestUser[] = [];
  for (let index = 0; index < many; index += 1) {
    const backer = await createUser(deps.db, { fullName: `Backer ${index}` });
    await createPayment(deps, { backer, project, owner: maker, status: "approved" });
    backers.push(backer);
  }
  const total = price * BigInt(many);
  await (await as(maker)).projects.close({ projectId: project.id });
  const decision = { projectId: project.id, outcome: "not_funded" as const, seenApprovedLots: many };
  await (await as(maker)).payments.decideRound(decision);
  expect(await ledger()).toEqual({ backer_due: -total, in_transit: total });
  expect(await deps.db.$count(payouts, sql`state = 'waiting'`)).toBe(many);
  for (const backer of backers) {
    const { email, id: userId, fullName } = backer;
    expect((await queuedMailsTo(deps.db, email)).at(-1)?.text).toContain("₦50,000 will be returned to you.");
    // A name that a spreadsheet would take for a formula.
    await giveAccount(deps, { userId }, { addedBy: userId, accountName: `=${fullName}`, rests: true });
  }
  await expectMoneyHolds(deps);

  const due = async () => (await (await as(maker)).payouts.due()).payouts;
  const payoutIds = (await due()).map(({ id }) => id);
  expect(payoutIds).toHaveLength(many);
  await expect((await as(maker)).payouts.makeRun({ payoutIds, ownAccountId })).rejects.toThrow("can be paid to from");
  deps.clock.advance({ hours: 48 });
  const { runId } = await (await as(maker)).payouts.makeRun({ payoutIds, ownAccountId });
  await expect((await as(maker)).payouts.approveRun({ runId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await (await as(second)).payouts.approveRun({ runId });
  await (await as(maker)).payouts.exportRun({ runId, profile: "generic" });
  expect(await ledger()).toEqual({ in_transit: total, payouts_in_transit: -total });
  await expectMoneyHolds(deps);
  const { bytes } = await readPayoutFile(await contextOf(deps, second), { runId, format: "csv", layout: 1 });
  await (await as(maker)).payouts.giveRun({ runId });
  const lines = bytes.toString("utf8").trim().split(/\r?\n/);
  expect(lines).toHaveLength(many + 1);
  expect(lines[1]).toMatch(/^" =Backer 0","0\d{9}","044","50000\.00","GP-\w{4}-\w{4}","GP-\w{4}-\w{4}"$/);

  deps.clock.advance({ hours: 24 });
  const day = dayInLagos(deps.clock.now());
  const statement = csvOf({ openingKobo: total, truths: [line(day, -total, "BULK TRANSFER")] });
  await importAs(deps, maker, { accountId: ownAccountId, file: statement });
  await matchSureLines(deps);
  expect(await ledger()).toEqual({ in_transit: total, opening: -total });
  expect(await deps.db.$count(payouts, sql`state = 'paid' and paid_by is null`)).toBe(many);
  expect(await deps.db.select().from(payoutRuns)).toMatchObject([{ id: runId, state: "closed", totalKobo: total }]);
  for (const backer of backers) {
    expect((await mailsTo(backer)).slice(-2)).toEqual(["Your money is on its way: ₦50,000", "Paid: ₦50,000"]);
  }
  const { accounts } = await (await as(maker)).bank.overview();
  expect(accounts.map(({ differenceKobo }) => differenceKobo)).toEqual([0n]);
});
