import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { type Jobs, openJobs } from "#server/platform/jobs.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { drainJobs } from "#tests/support/jobs.ts";

const log = pino({ level: "silent" });
const mailPauseMs = 50;
let database: TestDatabase;
let replicas: Jobs[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await Promise.all(replicas.map((jobs) => jobs.stop()));
});
afterAll(() => database.close());

/** Several at once, as replicas that start together. */
async function openReplicas(count: number): Promise<[Jobs, ...Jobs[]]> {
  const open = () => openJobs(database.handle, { log, pollSeconds: 0.5, mailPauseMs });
  const [first, ...others] = await Promise.all([open(), ...Array.from({ length: count - 1 }, open)]);
  replicas = [first, ...others];
  return [first, ...others];
}

test("all processes together send one mail at a time, each mail once, with a pause between two", async () => {
  const jobs = await openReplicas(3);
  const sent: { mailId: number; replica: number; startedAt: number; endedAt: number }[] = [];
  await Promise.all(
    jobs.map((it, replica) =>
      it.start({
        mail: async ({ mailId }) => {
          const startedAt = performance.now();
          await sleep(20);
          sent.push({ mailId, replica, startedAt, endedAt: performance.now() });
        },
      }),
    ),
  );
  const mails = Array.from({ length: 30 }, (_, index) => index);
  await inTransaction(database.db, async (tx) => {
    for (const mailId of mails) await jobs[0].enqueue(tx, "mail", { mailId });
  });
  await drainJobs(database.db, "mail");

  expect(sent.map(({ mailId }) => mailId).sort((a, b) => a - b)).toEqual(mails);
  expect(new Set(sent.map(({ replica }) => replica)).size).toBe(3);
  const pauses = sent.slice(1).map(({ startedAt }, index) => startedAt - (sent[index]?.endedAt ?? 0));
  // Timers may ring a millisecond early.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(mailPauseMs - 2);
});

test("other jobs run in several processes, each once", async () => {
  const jobs = await openReplicas(2);
  const done: string[] = [];
  await Promise.all(jobs.map((it) => it.start({ "delete-file": async ({ fileId }) => void done.push(fileId) })));
  const files = Array.from({ length: 50 }, (_, index) => `file ${index}`);
  await inTransaction(database.db, async (tx) => {
    for (const fileId of files) await jobs[0].enqueue(tx, "delete-file", { fileId });
  });
  await drainJobs(database.db, "delete-file");
  expect(done.sort()).toEqual(files.sort());
});

test("a mail whose process was killed is sent by another, and holds up no other mail", async () => {
  const [jobs] = await openReplicas(1);
  const program = `
    import pino from "pino";
    import { openJobs } from "#server/platform/jobs.ts";
    import { openDatabase } from "#server/db/open.ts";
    const handle = await openDatabase({ url: ${JSON.stringify(database.url)}, dataDir: "" });
    const jobs = await openJobs(handle, { log: pino({ level: "silent" }), mailPauseMs: 0 });
    await jobs.start({ mail: () => { process.send("claimed"); return new Promise(() => {}); } });
  `;
  const doomed = fork("-", { execArgv: ["--input-type=module", "--eval", program] });
  await jobs.enqueue(database.db, "mail", { mailId: 1 });
  await once(doomed, "message");
  doomed.kill("SIGKILL");
  await once(doomed, "exit");

  const sent: number[] = [];
  await jobs.enqueue(database.db, "mail", { mailId: 2 });
  await jobs.start({ mail: async ({ mailId }) => void sent.push(mailId) });
  await expect.poll(() => sent).toEqual([2]);
  // The first is still the killed process's.
  const claimed = sql`select id from jobs.job where name = 'mail' and state = 'active' and data->>'mailId' = '1'`;
  expect(await rows(database.db, claimed)).toHaveLength(1);
  // The other process has not been heard of for a minute.
  await database.db.execute(
    sql`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
  );
  await drainJobs(database.db, "mail");
  expect(sent).toEqual([2, 1]);
});
