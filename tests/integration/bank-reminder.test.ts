import { afterEach, beforeEach, expect, test } from "vitest";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { remindOfStatements } from "#server/features/bank/jobs.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createPayment, decide, expectMoneyHolds } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
let owner: TestUser;
let other: TestUser;
let accountId: number;

beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-09T09:00:00.000Z"));
  [owner, other] = [await createAdmin(deps.db, "owner"), await createAdmin(deps.db, "owner")];
  await createAdmin(deps.db, "manager");
  accountId = await keepOwnAccount(deps.db);
});
afterEach(() => expectMoneyHolds(deps));

const importDay = (day: string, openingKobo: bigint) =>
  importAs(deps, owner, { accountId, file: csvOf({ openingKobo, truths: [line(day, 1_00n)] }) });
const reminders = async ({ email }: TestUser) =>
  (await queuedMailsTo(deps.db, email)).filter(({ subject }) => subject.includes("no bank statement")).length;

test("owners are told once when nothing was imported for four days while a payment waits", async () => {
  const { payment } = await createPayment(deps, { owner });
  await deps.db.delete(outgoingMails);
  deps.clock.advance({ days: 30 });
  await remindOfStatements(deps);
  // Nobody imports statements here yet.
  expect(await deps.db.$count(outgoingMails)).toBe(0);

  await importDay("2026-12-08", 0n);
  deps.clock.advance({ days: 4, ms: -1 });
  await remindOfStatements(deps);
  expect(await reminders(owner)).toBe(0);
  deps.clock.advance({ ms: 1 });
  await remindOfStatements(deps);
  deps.clock.advance({ days: 3 });
  await remindOfStatements(deps);
  expect([await reminders(owner), await reminders(other)]).toEqual([1, 1]);
  expect(await deps.db.$count(outgoingMails)).toBe(2);

  await importDay("2026-12-15", 1_00n);
  deps.clock.advance({ days: 5 });
  await remindOfStatements(deps);
  expect(await reminders(other)).toBe(2);

  await importDay("2026-12-19", 2_00n);
  await decide(deps, owner, { paymentId: payment.id, status: "rejected" });
  deps.clock.advance({ days: 5 });
  await remindOfStatements(deps);
  expect(await reminders(other)).toBe(2);
});

test("what was approved and not seen yet waits, too", async () => {
  await importDay("2026-11-08", 0n);
  const { payment } = await createPayment(deps, { owner });
  await decide(deps, owner, { paymentId: payment.id, status: "approved", unseenReason: "I saw it in the app" });
  deps.clock.advance({ days: 4 });
  await remindOfStatements(deps);
  expect((await queuedMailsTo(deps.db, other.email)).map(({ text }) => text).join()).toContain(
    "₦500,000 was approved and not seen at the bank yet",
  );
});
