import { asc, eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { rows } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { systemClock } from "#server/platform/clock.ts";
import { dayInLagos } from "#shared/dates.ts";
import { accessMapping, csvOf, importFile, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { openTestDatabase } from "#tests/support/database.ts";
import { openTestReplicas } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { agreeToTerms, contextOf, expectMoneyHolds, sendReceipt } from "#tests/support/money.ts";
import { createAdmin, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** Imports of statements where others write, and where their process dies. */
const {
  deps,
  replicas: [replica],
} = await openTestReplicas();
const { db } = deps;
const killed = await openTestDatabase();
const [importRounds, killRounds] = isLong ? [20, 10] : [1, 1];
/** A round of either starts servers or lets 64 people send receipts. */
const patienceMs = (rounds: number) => rounds * 120_000;
afterAll(() => killed.close());

test(
  "three imports at once by two administrators, while 64 people send receipts, keep each line exactly once",
  async () => {
    const [amaka, tunde] = [await createAdmin(db, "owner"), await createAdmin(db, "owner")];
    const backers = await Promise.all(Array.from({ length: 64 }, () => createUser(db)));
    for (let round = 0; round < importRounds; round += 1) {
      const accountId = await keepOwnAccount(db, String(2_000_000_000 + round));
      const project = await createProject(db, { lots: 100, fundingGoalKobo: 100_000_000n });
      for (const backer of backers) await agreeToTerms(deps, backer, project.id);
      const truths = Array.from({ length: 300 }, (_, index) =>
        line(`2026-11-${10 + Math.floor(index / 30)}`, BigInt(index + 1)),
      );
      const balanceAfter = (count: number) =>
        truths.slice(0, count).reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
      const part = (from: number, to: number) =>
        csvOf({ openingKobo: balanceAfter(from), truths: truths.slice(from, to) });
      // The first to come opens the account, so the two others begin on its first day as well.
      const files = [part(0, 200), part(0, 300), part(0, 120)];
      const people = [await contextOf(deps, amaka), await contextOf(replica, tunde), await contextOf(replica, amaka)];
      const [answers] = await Promise.all([
        Promise.all(files.map((file, index) => importFile(people[index] as (typeof people)[0], { accountId, file }))),
        Promise.all(
          backers.map((backer, index) => sendReceipt(index % 2 ? deps : replica, { backer, projectId: project.id })),
        ),
      ]);
      expect(answers.map(({ kind }) => kind)).toEqual(["imported", "imported", "imported"]);
      const kept = await db
        .select()
        .from(statementLines)
        .where(eq(statementLines.ownAccountId, accountId))
        .orderBy(asc(statementLines.position));
      expect(kept.map(({ narration }) => narration)).toEqual(truths.map(({ narration }) => narration));
      expect(kept.map(({ position }) => position)).toEqual(truths.map((_, index) => index + 1));
      expect(await db.$count(projectPayments, eq(projectPayments.projectId, project.id))).toBe(64);
      await expectMoneyHolds(deps);
    }
  },
  patienceMs(importRounds),
);

test(
  "a process that is killed inside an import leaves all of it or none, and the same file then brings the rest",
  async () => {
    const owner = await createAdmin(killed.db, "owner");
    const accountId = await keepOwnAccount(killed.db);
    const day = dayInLagos(new Date(systemClock.now().getTime() - 86_400_000));
    const token = await startSession(
      { db: killed.db, clock: systemClock },
      { userId: owner.id, kind: "admin", device: "Test", ipAddress: "127.0.0.1" },
    );
    let opening = 0n;
    for (let round = 0; round < killRounds; round += 1) {
      const truths = Array.from({ length: 4000 }, (_, index) => line(day, BigInt(index + 1)));
      const file = csvOf({ openingKobo: opening, truths });
      opening += truths.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
      const before = await countsOf();
      const server = await startBuiltServer({ env: { DATABASE_URL: killed.url ?? "", DEMO: "0" } });
      let isAnswered = false;
      const answer = send(server.url, { accountId, file, token }).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && !(await isAnybodyWriting()));
      expect(isAnswered).toBe(false);
      await server.kill("SIGKILL");
      await answer;
      const whole = before.map((count) => count + 4000);
      // A statement that the dead process had sent may still be at work in the database.
      await expect.poll(isAnybodyWriting).toBe(false);
      const left = await countsOf();
      expect([before, whole]).toContainEqual(left);
      const again = await startBuiltServer({ env: { DATABASE_URL: killed.url ?? "", DEMO: "0" } });
      expect(await send(again.url, { accountId, file, token })).toMatchObject({ kind: "imported", lines: 4000 });
      await again.stop();
      expect(await countsOf()).toEqual(whole);
    }
    expect(await killed.db.select().from(ownAccounts)).toMatchObject([{ openedOn: day }]);
    expect(await killed.db.$count(statements)).toBeGreaterThan(0);
    await expectMoneyHolds({ db: killed.db, clock: systemClock });
  },
  patienceMs(killRounds),
);

const countsOf = async () => [
  await killed.db.$count(statementLines),
  await killed.db.$count(ledgerTransactions, eq(ledgerTransactions.kind, "line")),
];

/** Returns true if a transaction has written lines that are not committed. */
async function isAnybodyWriting(): Promise<boolean> {
  const locks = await rows(
    killed.db,
    sql`select 1 from pg_locks where relation = 'statement_lines'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return locks.length > 0;
}

type Sent = { accountId: number; file: Uint8Array; token: string };

/** Null if nobody answered. */
async function send(url: string, { accountId, file, token }: Sent): Promise<unknown> {
  const body = new FormData();
  body.set("accountId", String(accountId));
  body.set("mapping", JSON.stringify(accessMapping));
  body.set("file", new File([Uint8Array.from(file)], "statement.csv"));
  const headers = { origin: url, "x-upload": "1", cookie: `session=${token}` };
  try {
    return await (await fetch(`${url}/bank/statements`, { method: "POST", headers, body })).json();
  } catch {
    return null;
  }
}
