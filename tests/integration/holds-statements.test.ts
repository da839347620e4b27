import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { statementLines } from "#server/db/schema/bank.ts";
import { holds } from "#server/db/schema/holds.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { csvOf, importAs, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { decide, expectMoneyHolds, sendReceipt } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

const deps = await openTestDeps();
let owner: TestUser;
let ada: TestUser;
let projectId: number;
let accountId: number;

/** Monday, 9 November 2026, 10:00 in Lagos: Ada holds a lot for 24 hours. */
beforeEach(async () => {
  await emptyDatabase(deps.db);
  deps.clock.set(new Date("2026-11-09T09:00:00.000Z"));
  accountId = await keepOwnAccount(deps.db);
  await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
  owner = await createAdmin(deps.db, "owner");
  ada = await createUser(deps.db);
  projectId = (await createProject(deps.db, { lots: 3, fundingGoalKobo: 30_000_000n })).id;
});
afterEach(() => expectMoneyHolds(deps));

const importUpTo = async (day: string, openingKobo = 0n) => {
  const truths = [line(day, 1_00n)];
  const file = csvOf({ openingKobo, truths });
  expect(await importAs(deps, owner, { accountId, file })).toMatchObject({ kind: "imported" });
};
const receipt = async () => (await sendReceipt(deps, { backer: ada, projectId })).paymentId;
const until = async () => {
  await sweepHolds(deps);
  const [hold] = await deps.db.select().from(holds).where(eq(holds.userId, ada.id));
  return hold?.until?.toISOString() ?? hold?.state;
};
const at = (moment: string) => deps.clock.set(new Date(moment));

test("a receipt keeps a hold three working days while no statement was ever imported, then at most seven", async () => {
  await receipt();
  expect(await until()).toBe("2026-11-12T09:00:00.000Z");
  await importUpTo("2026-11-06");
  expect(await until()).toBe("2026-11-18T09:00:00.000Z");
  at("2026-11-18T09:00:00.000Z");
  expect(await until()).toBe("lapsed");
});

test("the statement that covers the receipt's day leaves one working day from its import", async () => {
  await importUpTo("2026-11-06");
  await receipt();
  expect(await until()).toBe("2026-11-18T09:00:00.000Z");
  // Of the same day, and imported on it: the transfer may still be missing.
  at("2026-11-09T15:00:00.000Z");
  await importUpTo("2026-11-09", 1_00n);
  expect(await until()).toBe("2026-11-18T09:00:00.000Z");
  at("2026-11-13T12:00:00.000Z");
  await importUpTo("2026-11-12", 2_00n);
  // Friday noon, and one working day.
  expect(await until()).toBe("2026-11-16T12:00:00.000Z");
  at("2026-11-16T12:00:00.000Z");
  expect(await until()).toBe("lapsed");
});

test("a statement never ends a hold before it would have ended without the receipt, nor one that an administrator extended", async () => {
  await importUpTo("2026-11-06");
  await receipt();
  at("2026-11-17T09:00:00.000Z");
  const [hold] = await deps.db.select().from(holds);
  await (await callAs(deps, owner)).holds.extend({ holdId: hold?.id ?? 0, hours: 168 });
  await importUpTo("2026-11-16", 1_00n);
  expect(await until()).toBe("2026-11-24T09:00:00.000Z");
});

test("a rejection puts the end back, and a hold without a receipt isn't touched", async () => {
  await importUpTo("2026-11-06");
  const paymentId = await receipt();
  await decide(deps, owner, { paymentId, status: "rejected" });
  const end = "2026-11-10T09:00:00.000Z";
  expect(await until()).toBe(end);
  at("2026-11-10T08:00:00.000Z");
  await importUpTo("2026-11-09", 1_00n);
  expect(await until()).toBe(end);
});

test("a hold whose transfer was another's ends three working days later, whatever statement covers its receipt", async () => {
  const paymentId = await receipt();
  at("2026-11-11T09:00:00.000Z");
  const truths = [line("2026-11-10", 10_000_000n)];
  await importAs(deps, owner, { accountId, file: csvOf({ openingKobo: 0n, truths }) });
  const [{ id: lineId = 0 } = {}] = await deps.db.select().from(statementLines);
  const parts = [{ kind: "payment" as const, paymentId, amountKobo: 10_000_000n }];
  await (await callAs(deps, owner)).bank.match({ lineId, seenMatchedKobo: 0n, parts });
  expect(await until()).toBe("claimed");
  at("2026-11-20T09:00:00.000Z");
  const [{ id: matchId = 0 } = {}] = await deps.db.select().from(lineMatches);
  await (await callAs(deps, owner)).bank.undo({ matchId, reason: "Another's transfer" });
  expect(await until()).toBe("2026-11-25T09:00:00.000Z");
  at("2026-11-25T09:00:00.000Z");
  expect(await until()).toBe("lapsed");
});

test("an import lets the holds be looked at, whether or not its process lives on", async () => {
  await importUpTo("2026-11-06");
  await receipt();
  at("2026-11-10T09:00:00.000Z");
  await deps.jobs.start({ "sweep-holds": () => sweepHolds(deps) });
  // A sweep under way counts for the one that the next import asks for; another runs each minute.
  await drainJobs(deps.db, "sweep-holds");
  await importUpTo("2026-11-10", 1_00n);
  await expect
    .poll(async () => (await deps.db.select().from(holds))[0]?.until?.toISOString())
    .toBe("2026-11-11T09:00:00.000Z");
});
