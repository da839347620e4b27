import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { fromDrizzle, fromPglite, type Job, PgBoss, type Queue } from "pg-boss";
import { type DatabaseHandle, type DbOrTx, openSingleConnection, rows } from "#server/db/open.ts";

/** Background work, stored in the database and run by any process. */

export type JobPayloads = {
  /** Sends one row of outgoing_mails. */
  mail: { mailId: number };
  /** The same for a mail of sign-in, confirmation, reset and the like, which waits for no other mail. */
  "security-mail": { mailId: number };
  /** Mails a link to a typed address, if an account has it. */
  "account-link": { purpose: "confirm_email" | "reset_password"; email: string; next?: string };
  "close-expired-projects": Record<string, never>;
  "sweep-holds": Record<string, never>;
  "sweep-harvests": Record<string, never>;
  "carry-out-holder-changes": Record<string, never>;
  "sweep-reports": Record<string, never>;
  "match-sure-lines": Record<string, never>;
  "remind-of-statements": Record<string, never>;
  "remind-of-payouts": Record<string, never>;
  "remind-of-harvests": Record<string, never>;
  "tell-of-waiting-money": Record<string, never>;
  "tell-of-terms-changes": Record<string, never>;
  "tell-of-saved-searches": Record<string, never>;
  "remind-of-reviews": Record<string, never>;
  "fill-holidays": Record<string, never>;
  "write-heads": Record<string, never>;
  "clean-up": Record<string, never>;
  "check-money": Record<string, never>;
  "delete-file": { fileId: string };
};
export type JobName = keyof JobPayloads;

/**
 * A job whose handler throws is retried later. A job whose process dies is retried too, so a handler may see it twice.
 * `signal` aborts when the process stops or the job was given to another process.
 */
export type JobHandlers = {
  [Name in JobName]: (payload: JobPayloads[Name], signal: AbortSignal) => Promise<void>;
};

export type Jobs = {
  /**
   * The job exists if and when the given transaction commits. A list of payloads makes one job each, in one statement.
   * A higher priority runs first; 0 is the usual one.
   */
  enqueue<Name extends JobName>(
    tx: DbOrTx,
    name: Name,
    payload: JobPayloads[Name] | readonly JobPayloads[Name][],
    options?: { priority?: number; startAfter?: Date },
  ): Promise<void>;
  /** Starts workers for the given handlers, and schedules the recurring jobs among them. */
  start(handlers: Partial<JobHandlers>): Promise<void>;
  /** Takes no further job and gives running jobs ten seconds. Unfinished jobs are retried later. */
  stop(): Promise<void>;
};

type QueueSettings = Omit<Queue, "name">;

const day = 86_400;
// Heartbeats hand a killed process's jobs to another one after 10 to 20 seconds.
const common: QueueSettings = { notify: true, retryBackoff: true, heartbeatSeconds: 10, deleteAfterSeconds: day };
// At most one is queued or running, whatever the number of processes.
const recurring: QueueSettings = { policy: "exclusive" };
const deadMails = "mail-dead";
/** The mail server's connections are three: the third is for all other mails. */
const securityWorkers = 2;
const queues: Record<JobName, QueueSettings> = {
  // 120 retries, at most 15 minutes apart: a mail server may be down for a day.
  mail: { retryLimit: 120, retryDelay: 2, retryDelayMax: 900, deadLetter: deadMails },
  // Someone waits for it, and its link is good for an hour: after an outage it is tried each minute, for a day.
  "security-mail": { retryLimit: 1500, retryDelay: 2, retryDelayMax: 60, deadLetter: deadMails },
  // Deleted after an hour, because the payload contains an address.
  "account-link": { retryLimit: 10, retryDelay: 2, retryDelayMax: 60, deleteAfterSeconds: 3600 },
  "close-expired-projects": recurring,
  "sweep-holds": recurring,
  "sweep-harvests": recurring,
  "carry-out-holder-changes": recurring,
  "sweep-reports": recurring,
  "match-sure-lines": recurring,
  "remind-of-statements": recurring,
  "remind-of-payouts": recurring,
  "remind-of-harvests": recurring,
  "tell-of-waiting-money": recurring,
  "tell-of-terms-changes": recurring,
  "tell-of-saved-searches": recurring,
  "remind-of-reviews": recurring,
  "fill-holidays": recurring,
  "write-heads": recurring,
  "clean-up": recurring,
  "check-money": recurring,
  "delete-file": { retryLimit: 20, retryDelay: 2, retryDelayMax: 3600 },
};
const names = Object.keys(queues) as JobName[];

/** Cron expressions, in UTC. */
const schedules: Partial<Record<JobName, string>> = {
  "close-expired-projects": "*/5 * * * *",
  "sweep-holds": "* * * * *",
  "sweep-harvests": "* * * * *",
  "carry-out-holder-changes": "* * * * *",
  "sweep-reports": "*/10 * * * *",
  "match-sure-lines": "* * * * *",
  "remind-of-statements": "7 * * * *",
  "remind-of-payouts": "12 * * * *",
  "remind-of-harvests": "14 * * * *",
  "tell-of-waiting-money": "*/10 * * * *",
  "tell-of-terms-changes": "22 * * * *",
  "tell-of-saved-searches": "27 * * * *",
  "remind-of-reviews": "24 * * * *",
  "fill-holidays": "*/15 * * * *",
  "write-heads": "2 * * * *",
  "clean-up": "17 * * * *",
  "check-money": "37 * * * *",
};
const supervision = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/**
 * Opens the queues of a database; until `start` is called, for enqueueing only. The database wakes workers when a job
 * commits, and they poll every `pollSeconds` as well. All processes together send one mail at a time, `mailPauseMs`
 * apart (Product decision). Security mails have workers of their own in each process, without turns or pauses.
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
      : new PgBoss({
          ...settings,
          connectionString: handle.url,
          application_name: "gona-jobs",
          // As for our own connections (open.ts).
          options: "-c jit=off",
          max: 4,
        });
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
        // Fetch the next job at once instead of at the next poll.
        boss.notifyWorker(worker);
      }
    };
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds };
    const localConcurrency = name === "security-mail" ? securityWorkers : 1;
    const worker = await boss.work<JobPayloads[Name]>(name, { ...polling, localConcurrency }, run);
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
    // Most starts find every queue up to date and write nothing.
    if (found && isSetAs(found, queue)) continue;
    if (found) await boss.updateQueue(name, queue);
    else await boss.createQueue(name, { ...queue, policy });
    await fillCache(boss, name);
  }
  // pg-boss's `start` caches the queues too, but ignores an error in reading them.
  await fillCache(boss, deadMails);
}

/** Stores the schedules of the recurring jobs that are new or changed. */
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
 * pg-boss caches the settings of queues. On a cache miss it reads them outside the transaction that enqueues, and the
 * embedded database has no second connection for that.
 */
async function fillCache(boss: PgBoss, name: string): Promise<void> {
  await boss.findJobs(name, { id: crypto.randomUUID() });
}

/**
 * Runs one process at a time, by an advisory lock that ends with the process's database session. pg-boss's own policy
 * can stall a busy queue for minutes, because it caches which jobs run. A waiting job is already claimed: it keeps its
 * turn even if a more urgent one arrives.
 */
function takeTurns(handle: DatabaseHandle): { take(run: () => Promise<void>): Promise<void>; close(): Promise<void> } {
  // The embedded database has one process, with one worker for each queue.
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
