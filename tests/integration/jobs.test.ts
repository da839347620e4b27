import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { inTransaction, rows } from "#server/db/open.ts";
import { type JobHandlers, type Jobs, openJobs } from "#server/platform/jobs.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { countOpenJobs, drainJobs } from "#tests/support/jobs.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;
let jobs: Jobs;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
afterEach(() => jobs.stop());

/** Seconds between polls: so many that only events wake a worker during a test. */
const never = 3600;

async function openWith(handlers: Partial<JobHandlers>, pollSeconds = 0.5): Promise<void> {
  jobs = await openJobs(database.handle, { log, pollSeconds, mailPauseMs: 0 });
  await jobs.start(handlers);
}

test("a job runs once, as soon as its transaction commits", async () => {
  const seen: string[] = [];
  await openWith({ "delete-file": async ({ fileId }) => void seen.push(fileId) }, never);
  await inTransaction(database.db, async (tx) => {
    await jobs.enqueue(tx, "delete-file", { fileId: "committed" });
    for (let statement = 0; statement < 20; statement += 1) await tx.execute(sql`select 1`);
    seen.push("the commit");
  });
  await drainJobs(database.db, "delete-file");
  expect(seen).toEqual(["the commit", "committed"]);
});

test("a transaction that rolls back leaves no job", async () => {
  const seen: string[] = [];
  await openWith({ "delete-file": async ({ fileId }) => void seen.push(fileId) });
  const failing = inTransaction(database.db, async (tx) => {
    await jobs.enqueue(tx, "delete-file", { fileId: "rolled back" });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await countOpenJobs(database.db, "delete-file")).toBe(0);
  expect(seen).toEqual([]);
});

test("without a handler jobs are only kept, for the next process that has one", async () => {
  await openWith({ mail: async () => {} });
  await jobs.enqueue(database.db, "delete-file", { fileId: "kept" });
  await jobs.enqueue(database.db, "mail", { mailId: 1 });
  await drainJobs(database.db, "mail");
  expect(await countOpenJobs(database.db, "delete-file")).toBe(1);
  await jobs.stop();

  const seen: string[] = [];
  await openWith({ "delete-file": async ({ fileId }) => void seen.push(fileId) });
  await drainJobs(database.db, "delete-file");
  expect(seen).toEqual(["kept"]);
});

test("a start brings changed settings and times of queues into the database", async () => {
  const handlers = { mail: async () => {}, "check-money": async () => {} };
  await openWith(handlers);
  await jobs.stop();
  // As an earlier version of the product might have left them.
  await database.db.execute(sql`update jobs.queue set retry_limit = 3, notify = false where name = 'mail'`);
  await database.db.execute(sql`update jobs.schedule set cron = '0 0 1 1 *' where name = 'check-money'`);

  await openWith(handlers);
  const [mail] = await rows(database.db, sql`select retry_limit, notify from jobs.queue where name = 'mail'`);
  expect(mail).toEqual({ retry_limit: 120, notify: true });
  const [check] = await rows(database.db, sql`select cron from jobs.schedule where name = 'check-money'`);
  expect(check).toEqual({ cron: "37 * * * *" });
});

test("a job that throws is tried again", async () => {
  let tries = 0;
  await openWith({
    mail: async () => {
      tries += 1;
      if (tries === 1) throw new Error("the mail server is away");
    },
  });
  await jobs.enqueue(database.db, "mail", { mailId: 1 });
  await drainJobs(database.db, "mail");
  expect(tries).toBe(2);
});

test("mails go one after the other, the more urgent first, and without waiting for a poll", async () => {
  const seen: number[] = [];
  await openWith({}, never);
  await inTransaction(database.db, async (tx) => {
    await jobs.enqueue(tx, "mail", { mailId: 1 });
    await jobs.enqueue(tx, "mail", { mailId: 2 });
    await jobs.enqueue(tx, "mail", { mailId: 3 }, { priority: 10 });
  });
  await jobs.start({ mail: async ({ mailId }) => void seen.push(mailId) });
  await drainJobs(database.db, "mail");
  expect(seen).toEqual([3, 1, 2]);
});

test("a recurring job is queued once, however often it is asked for", async () => {
  let runs = 0;
  await openWith({});
  await jobs.enqueue(database.db, "check-money", {});
  await jobs.enqueue(database.db, "check-money", {});
  await jobs.start({
    "check-money": async () => {
      runs += 1;
    },
  });
  await drainJobs(database.db, "check-money");
  expect(runs).toBe(1);
});

test("stopping waits for the running job", async () => {
  let isDone = false;
  const started = Promise.withResolvers<void>();
  await openWith({
    "delete-file": async () => {
      started.resolve();
      // Longer than it takes to stop.
      for (let statement = 0; statement < 200; statement += 1) await database.db.execute(sql`select 1`);
      isDone = true;
    },
  });
  await jobs.enqueue(database.db, "delete-file", { fileId: "slow" });
  await started.promise;
  await jobs.stop();
  expect(isDone).toBe(true);
  expect(await countOpenJobs(database.db, "delete-file")).toBe(0);
});
