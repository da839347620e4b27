import { afterEach, beforeEach, expect, test } from "vitest";
import { settings } from "#server/db/schema/settings.ts";
import { remindOfPayouts } from "#server/features/payouts/jobs.ts";
import { maxTransferKey, refundDaysKey } from "#shared/settings/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { endChoosing, fundFarm, openHarvestOf, sell } from "#tests/support/harvests.ts";
import { expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { findPayout, giveAccount, oweRefund } from "#tests/support/payouts.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

/** Reminders of money that isn't paid within the promised days. */

const deps = await openTestDeps();
let owner: TestUser;
let other: TestUser;

/** A Monday at nine in Lagos. Money that becomes due now is promised by the end of the next Monday. */
const monday = new Date("2026-11-23T08:00:00.000Z");
const midnight = new Date("2026-11-30T23:00:00.000Z");
const morning = new Date("2026-12-01T06:12:00.000Z");

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(monday);
  owner = await createAdmin(deps.db, "owner");
  other = await createAdmin(deps.db, "owner");
  await createAdmin(deps.db, "manager");
});
afterEach(() => expectMoneyHolds(deps));

/** A refund that is due to somebody whose account is known. */
async function due(backer?: TestUser) {
  const owed = await oweRefund(deps, { owner, backer: backer ?? (await createUser(deps.db)) });
  await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id, rests: true });
  return owed;
}
async function remind(at: Date): Promise<void> {
  deps.clock.set(at);
  await remindOfPayouts(deps);
}
const late = async ({ email }: TestUser) =>
  (await queuedMailsTo(deps.db, email)).filter(({ subject }) => /late|overdue/.test(subject));
const subjects = async (person: TestUser) => (await late(person)).map(({ subject }) => subject);
const days = (count: number) => new Date(morning.getTime() + count * 86_400_000);

test("on the sixth working day the backer gets one mail, and the owners get one a day", async () => {
  const { backer, payouts } = await due();
  const [payout] = payouts;
  expect(await findPayout(deps, payout?.id ?? 0)).toMatchObject({ state: "due", promisedBy: midnight });
  await remind(new Date("2026-11-30T20:12:00.000Z"));
  expect(await subjects(backer)).toEqual([]);
  await remind(morning);
  expect(await subjects(backer)).toEqual(["Your money is late: ₦500,000"]);
  expect((await late(backer))[0]?.text).toMatch(/by 30 Nov 2026, and have not done so yet/);
  expect([await subjects(owner), await subjects(other)]).toEqual([
    ["Gona: 1 payout is overdue"],
    ["Gona: 1 payout is overdue"],
  ]);
  expect((await late(owner))[0]?.text).toContain("₦500,000 should have been paid");
  await remind(new Date(morning.getTime() + 3_600_000));
  await remind(days(1));
  await remind(days(2));
  expect([(await late(backer)).length, (await late(owner)).length]).toEqual([1, 3]);
});

test("nobody is written to at night, nor for money that waits for an account", async () => {
  await due();
  await oweRefund(deps, { owner });
  await remind(new Date(midnight.getTime() + 12 * 60_000));
  expect(await late(owner)).toEqual([]);
  await remind(morning);
  expect((await late(owner))[0]?.text).toContain("₦500,000 should have been paid");
});

test("the parts of one refund are one mail with their sum", async () => {
  await deps.db.insert(settings).values({ key: maxTransferKey, value: "200000" });
  const { backer, payouts } = await due();
  expect(payouts).toHaveLength(3);
  await remind(morning);
  expect(await subjects(backer)).toEqual(["Your money is late: ₦500,000"]);
  expect(await subjects(owner)).toEqual(["Gona: 3 payouts are overdue"]);
  // Everybody means the same by it, and a sum's parts stand in their order.
  const asBacker = await callAs(deps, backer);
  const { payouts: mine } = await asBacker.payeeAccounts.mine();
  expect(mine.map(({ reference }) => reference.slice(-3))).toEqual(["1/3", "2/3", "3/3"]);
  expect(mine.every(({ isOverdue }) => isOverdue)).toBe(true);
  const asOwner = await callAs(deps, owner);
  expect((await asOwner.payouts.due()).payouts.filter(({ isOverdue }) => isOverdue)).toHaveLength(3);
  expect((await asOwner.payouts.overview()).overdue).toBe(3);
});

test("another account is another promise, which may pass again", async () => {
  const { backer } = await due();
  await remind(morning);
  await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, rests: true });
  await remind(days(1));
  expect((await late(owner)).length).toBe(1);
  await remind(days(8));
  expect([(await late(backer)).length, (await late(owner)).length]).toEqual([2, 2]);
});

test("the setting says after how many working days", async () => {
  await deps.db.insert(settings).values({ key: refundDaysKey, value: "1" });
  const { backer } = await due();
  await remind(new Date("2026-11-25T06:12:00.000Z"));
  expect((await late(backer)).length).toBe(1);
});

test("of a harvest each backer is told of the own sum, all parts of it together", async () => {
  await setBankDetails(deps.db);
  await deps.db.insert(settings).values({ key: maxTransferKey, value: "100000" });
  const farm = await fundFarm(deps, { owner, lots: [3, 1], fee: "0" });
  for (const { id } of farm.backers) await giveAccount(deps, { userId: id }, { addedBy: id, rests: true });
  const harvestId = await openHarvestOf(await callAs(deps, owner), farm, 400_000n);
  await endChoosing(deps, harvestId);
  await sell(deps, { asker: owner, confirmer: other }, { harvestId, amountKobo: 60_000_000n });
  await (await callAs(deps, owner)).harvests.settle({ harvestId, pool: "sold", amount: "600,000" });
  const { payouts: mine } = await (await farm.as(0)).payeeAccounts.mine();
  expect(mine.map(({ kind, reference }) => [kind, reference.slice(-3)])).toEqual(
    ["1/5", "2/5", "3/5", "4/5", "5/5"].map((part) => ["harvest", part]),
  );
  const promisedBy = mine[0]?.promisedBy ?? monday;
  await remind(new Date(promisedBy.getTime() + 8 * 3_600_000));
  const [more, less] = await Promise.all(farm.backers.map(late));
  expect(more?.map(({ subject }) => subject)).toEqual(["Your money is late: ₦450,000"]);
  expect(less?.map(({ subject }) => subject)).toEqual(["Your money is late: ₦150,000"]);
  expect(less?.[0]?.text).toContain(`₦150,000 of your harvest of ${farm.project.title}`);
});
