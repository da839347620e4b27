import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { fromDrizzle, fromPglite, type Job, PgBoss, type Queue } from "pg-boss";
import { type DatabaseHandle, type DbOrTx, openSingleConnection, rows } from "#server/db/open.ts";

/** Work that is done after the request, by whichever process is free; it lives in the database. */

export type JobPayloads = {
  /** Sends one row of outgoing_mails. */
  mail: { mailId: number };
  /** Mails a link to an address that somebody typed, if it has an account. */
  "account-link": { purpose: "confirm_email" | "reset_password"; email: string };
  "close-expired-projects": Record<string, never>;
  "keep-house": Record<string, never>;
  "check-money": Record<string, never>;
  "delete-file": { fileId: string };
};
export type JobName = keyof JobPayloads;

/**
 * A job that throws is tried again later. One whose process dies is too, so a handler may see a job a second time.
 * `signal` ends when the process stops or the job was given to another.
 */
export type JobHandlers = {
  [Name in JobName]: (payload: JobPayloads[Name], signal: AbortSignal) => Promise<void>;
};

export type Jobs = {
  /**
   * The job exists if and when the given transaction commits; a list of payloads makes one job each, in one statement.
   * A higher priority goes first; 0 is the usual one.
   */
  enqueue<Name extends JobName>(
    tx: DbOrTx,
    name: Name,
    payload: JobPayloads[Name] | readonly JobPayloads[Name][],
    options?: { priority?: number; startAfter?: Date },
  ): Promise<void>;
  /** Begins to work on the jobs that have a handler here, and schedules the recurring ones among them. */
  start(handlers: Partial<JobHandlers>): Promise<void>;
  /** Takes no further job and gives the running ones ten seconds; what is not done by then is tried again later. */
  stop(): Promise<void>;
};

type QueueSettings = Omit<Queue, "name">;

const day = 86_400;
// Jobs of a killed process are given to another 10 to 20 seconds later.
const common: QueueSettings = { notify: true, retryBackoff: true, heartbeatSeconds: 10, deleteAfterSeconds: day };
// Queued or running once, however many processes there are and however long it takes.
const recurring: QueueSettings = { policy: "exclusive" };
const deadMails = "mail-dead";
const queues: Record<JobName, QueueSettings> = {
  // 120 tries, at most 15 minutes apart: a mail server may be down for a day.
  mail: { retryLimit: 120, retryDelay: 2, retryDelayMax: 900, deadLetter: deadMails },
  // Gone from the queue's table soon after: it names an address.
  "account-link": { retryLimit: 10, retryDelay: 2, retryDelayMax: 60, deleteAfterSeconds: 3600 },
  "close-expired-projects": recurring,
  "keep-house": recurring,
  "check-money": recurring,
  "delete-file": { retryLimit: 20, retryDelay: 2, retryDelayMax: 3600 },
};
const names = Object.keys(queues) as JobName[];

/** Cron, in UTC. */
const schedules: Partial<Record<JobName, string>> = {
  "close-expired-projects": "*/5 * * * *",
  "keep-house": "17 * * * *",
  "check-money": "37 * * * *",
};
const supervision = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/**
 * Opens the queues of a database, for enqueueing only until `start` is called. Workers are woken by the database when
 * a job commits, and look for themselves every `pollSeconds`. Mails go one at a time in all processes together, with
 * `mailPauseMs` between two (Product decision).
 */
export async function openJobs(
  handle: DatabaseHandle,
  options: { log: Pick<FastifyBaseLogger, "warn" | "error">; pollSeconds?: number; mailPauseMs?: number },
): Promise<Jobs> {
  const { log, pollSeconds = 2, mailPauseMs = 500 } = options;
  const settings = { schema: "jobs", useListenNotify: true, ...supervision };
  const boss =
    handle.kind === "embedded"
      ? new PgBoss({ ...settings, db: fromPglite(handle.client), backend: "pglite" })
      : new PgBoss({ ...settings, connectionString: handle.url, application_name: "gona-jobs", max: 4 });
  boss.on("error", (error) => log.error({ err: error }, "The job queue failed"));
  boss.on("warning", (warning) => log.warn(warning, "The job queue warns"));
  await boss.start();
  await openQueues(boss);
  const mailTurns = takeTurns(handle);

  const work = async <Name extends JobName>(name: Name, handler: JobHandlers[Name]) => {
    const run = async ([job]: Job<JobPayloads[Name]>[]) => {
      if (!job) return;
      try {
        if (name !== "mail") return await handler(job.data, job.signal);
        await mailTurns.take(async () => {
          await sleep(mailPauseMs, undefined, { signal: job.signal });
          await handler(job.data, job.signal);
        });
      } catch (error) {
        log.warn({ err: error, job: name, jobId: job.id, retryCount: job.retryCount }, "A job failed");
        throw error;
      } finally {
        // Look for the next job at once instead of at the next poll.
        boss.notifyWorker(worker);
      }
    };
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds };
    const worker = await boss.work<JobPayloads[Name]>(name, polling, run);
  };

  return {
    async enqueue(tx, name, payload, sendOptions) {
      const db = fromDrizzle({ execute: async (query) => ({ rows: await rows(tx, query as SQL) }) }, sql);
      if (!Array.isArray(payload)) await boss.send(name, payload, { ...sendOptions, db });
      else if (payload.length > 0) {
        const list = payload.map((data) => ({ ...sendOptions, data }));
        await boss.insert(name, list, { db });
      }
    },
    async start(handlers) {
      for (const name of names) {
        const handler = handlers[name];
        if (handler) await work(name, handler as JobHandlers[typeof name]);
      }
      await scheduleAll(boss, (name) => handlers[name] !== undefined);
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
      await mailTurns.close();
    },
  };
}

async function openQueues(boss: PgBoss): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  if (!existing.has(deadMails)) await boss.createQueue(deadMails, { retentionSeconds: 90 * day });
  for (const name of names) {
    const { policy = "standard", ...queue } = { ...common, ...queues[name] };
    const found = existing.get(name);
    // Most starts find every queue as they want it, and look only.
    if (found && isSetAs(found, queue)) continue;
    if (found) await boss.updateQueue(name, queue);
    else await boss.createQueue(name, { ...queue, policy });
    await fillCache(boss, name);
  }
  // What `start` kept of the queues is no error there where it couldn't read them.
  await fillCache(boss, deadMails);
}

/** Brings the times of the recurring jobs into the database, where they aren't there yet. */
async function scheduleAll(boss: PgBoss, isHandled: (name: JobName) => boolean): Promise<void> {
  const existing = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]));
  for (const name of names.filter(isHandled)) {
    const cron = schedules[name];
    if (cron !== undefined && existing.get(name) !== cron) await boss.schedule(name, cron);
  }
}

const isSetAs = (found: QueueSettings, wanted: QueueSettings): boolean =>
  Object.entries(wanted).every(([name, value]) => found[name as keyof QueueSettings] === value);

/**
 * pg-boss keeps the settings of queues, and where it lacks one's reads them outside the transaction of the first
 * enqueue, for which the embedded database has no connection.
 */
async function fillCache(boss: PgBoss, name: string): Promise<void> {
  await boss.findJobs(name, { id: crypto.randomUUID() });
}

/**
 * Lets one process at a time run. pg-boss's own policy for that stops a busy queue for minutes, because it remembers
 * running jobs in a cache; a lock of the database session holds, and ends with the process that held it. A job that
 * waits here was claimed already: it keeps its turn even if a more urgent one comes.
 */
function takeTurns(handle: DatabaseHandle): { take(run: () => Promise<void>): Promise<void>; close(): Promise<void> } {
  // The embedded database has one process, and that has one worker for each queue.
  if (handle.kind === "embedded") return { take: (run) => run(), close: async () => {} };
  const connection = openSingleConnection(handle.url);
  return {
    async take(run) {
      await connection.db.execute(sql`select pg_advisory_lock(hashtext('gona mails'))`);
      try {
        await run();
      } finally {
        await connection.db.execute(sql`select pg_advisory_unlock(hashtext('gona mails'))`);
      }
    },
    close: connection.close,
  };
}
