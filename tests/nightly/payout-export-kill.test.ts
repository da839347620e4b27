import { sql } from "drizzle-orm";
import postgres from "postgres";
import superjson from "superjson";
import { afterAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { rows } from "#server/db/open.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { payoutFiles, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { approveRun } from "#server/features/payouts/runs/decide.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { systemClock } from "#server/platform/clock.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { openTestDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount, oweRefund } from "#tests/support/payouts.ts";
import { createAdmin } from "#tests/support/people.ts";

/** A server that is killed while it exports a run, after its rows are written and before its files are. */

const database = await openTestDatabase();
const deps = await testDeps(database);
afterAll(async () => {
  await deps.close();
  await database.close();
});

const env = { DATABASE_URL: database.url ?? "", DEMO: "0" };
type Exported = { files: { format: string; sha256: string }[] };

test("a kill between a run's rows and its files leaves nothing sent, and ten presses then make one file", async () => {
  deps.clock.set(systemClock.now());
  const owner = await createAdmin(deps.db, "owner");
  const second = await createAdmin(deps.db, "owner");
  const ownAccountId = await keepOwnAccount(deps.db);
  const payoutIds: number[] = [];
  for (let count = 0; count < 3; count++) {
    const { backer, payouts: made } = await oweRefund(deps, { owner });
    await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id });
    payoutIds.push(...made.map(({ id }) => id));
  }
  const { runId } = await makeRun(await contextOf(deps, owner), { payoutIds, ownAccountId });
  await approveRun(await contextOf(deps, second), { runId });
  const from = { kind: "admin", device: "Test", ipAddress: "127.0.0.1" } as const;
  const token = await startSession({ db: deps.db, clock: systemClock }, { userId: owner.id, isProved: true, ...from });

  // Whoever holds this lock keeps the files from being written.
  const holder = postgres(env.DATABASE_URL, { max: 1 });
  const held = await holder.reserve();
  await held`begin`;
  await held`lock table payout_files in share mode`;
  const server = await startBuiltServer({ env });
  const answer = exportRun(server.url, { runId, token });
  await expect.poll(isAnybodyWaiting, { timeout: 20_000 }).toBe(true);
  await server.kill("SIGKILL");
  expect(await answer).toBeNull();
  await held`rollback`;
  held.release();
  await holder.end();

  await expect.poll(isAnybodyWriting, { timeout: 20_000 }).toBe(false);
  expect(await deps.db.select({ state: payoutRuns.state }).from(payoutRuns)).toEqual([{ state: "approved" }]);
  const states = await deps.db.select({ state: payouts.state }).from(payouts);
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["in_run"]));
  expect(await deps.db.$count(payoutFiles)).toBe(0);
  await expectMoneyHolds(deps);

  const again = await startBuiltServer({ env });
  const answers = await Promise.all(Array.from({ length: 10 }, () => exportRun(again.url, { runId, token })));
  await again.stop();
  for (const one of answers) expect(one).toEqual(answers[0]);
  expect(answers[0]?.files).toHaveLength(2);
  expect(await deps.db.$count(payoutFiles)).toBe(2);
  expect(await deps.db.$count(ledgerTransactions, sql`kind = 'payout_sent'`)).toBe(3);
  await expectMoneyHolds(deps);
});

/** Null if nobody answered. */
async function exportRun(url: string, { runId, token }: { runId: number; token: string }): Promise<Exported | null> {
  const body = JSON.stringify({ 0: superjson.serialize({ runId, profile: "generic" }) });
  const headers = { origin: url, "content-type": "application/json", cookie: `session=${token}` };
  try {
    const answer = await fetch(`${url}/trpc/payouts.exportRun?batch=1`, { method: "POST", headers, body });
    const [said] = (await answer.json()) as [{ result: { data: Parameters<typeof superjson.deserialize>[0] } }];
    return superjson.deserialize(said.result.data);
  } catch {
    return null;
  }
}

const locksOfFiles = (isGranted: boolean) =>
  rows(
    deps.db,
    sql`select 1 from pg_locks where relation = 'payout_files'::regclass and mode = 'RowExclusiveLock'
      and granted = ${isGranted} and database = (select oid from pg_database where datname = current_database())`,
  );
const isAnybodyWaiting = async () => (await locksOfFiles(false)).length > 0;
const isAnybodyWriting = async () => (await locksOfFiles(true)).length > 0;
