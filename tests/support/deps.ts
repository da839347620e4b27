import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc, eq } from "drizzle-orm";
import pino from "pino";
import { afterAll } from "vitest";
import { createOidc } from "#server/accounts/google/oidc.ts";
import { findActor } from "#server/accounts/sessions.ts";
import { type Db, openDatabase } from "#server/db/open.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { createStorage } from "#server/files/open-storage.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Deps, Mailer, OutgoingMail } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import { openEvents } from "#server/platform/events.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { openSite } from "#server/platform/site.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  set(moment: Date): void;
  advance(by: { ms?: number; seconds?: number; minutes?: number; hours?: number; days?: number }): void;
}

export function testClock(start = new Date("2026-11-21T09:00:00.000Z")): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    set: (moment) => {
      now = moment.getTime();
    },
    advance: ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      now += ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    },
  };
}

/** Takes every mail and keeps it. */
export interface TestMailer extends Mailer {
  mails: OutgoingMail[];
}

function testMailer(): TestMailer {
  const mails: OutgoingMail[] = [];
  return { mails, send: async (mail) => void mails.push(mail), close: async () => {} };
}

export interface TestDeps extends Deps {
  clock: TestClock;
  mailer: TestMailer;
  /** Stops the jobs and deletes the stored files; the database is closed by whoever opened it. */
  close(): Promise<void>;
}

/**
 * The application's dependencies with real local implementations: the given database, files in a temporary folder,
 * jobs that are really queued (and worked on once the test calls `deps.jobs.start`), mails kept in `mailer.mails`.
 * `env` takes variables as the server would read them, e.g. { REQUIRE_EMAIL_CONFIRMATION: "true" }.
 */
export async function testDeps(
  database: TestDatabase,
  overrides: Partial<Omit<TestDeps, "env" | "db" | "close">> & { env?: Record<string, string> } = {},
): Promise<TestDeps> {
  const { env: variables, ...replaced } = overrides;
  const dataDir = mkdtempSync(join(tmpdir(), "gona-test-"));
  const env = readEnv({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: dataDir, DEMO: "0", ...variables });
  const log = pino({ level: "silent" });
  const jobs = overrides.jobs ?? (await openJobs(database.handle, { log, pollSeconds: 0.5, mailPauseMs: 0 }));
  const clock = overrides.clock ?? testClock();
  const events = overrides.events ?? (await openEvents(database.handle, { log }));
  const site = overrides.site ?? (await openSite({ db: database.db, events, env, log }));
  return {
    env,
    appSecret: "a secret of the tests, long enough for a key",
    log,
    clock,
    oidc: env.google && createOidc({ ...env.google, publicUrl: env.publicUrl, clock }),
    db: database.db,
    events,
    site,
    mailer: testMailer(),
    storage: overrides.storage ?? (await createStorage(env)),
    findActor,
    ...replaced,
    jobs,
    async close() {
      if (!overrides.jobs) await jobs.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** For the top of a test file: an empty database of its own and the dependencies on it, closed after its last test. */
export async function openTestDeps(overrides?: Parameters<typeof testDeps>[1]): Promise<TestDeps> {
  const database = await openTestDatabase();
  const deps = await testDeps(database, overrides);
  afterAll(async () => {
    await deps.close();
    await database.close();
  });
  return deps;
}

/**
 * The same, with two replicas beside: on PostgreSQL they are processes of the same installation, as far as the database
 * can tell, each with connections of its own. The embedded database has one connection, which they share.
 */
export async function openTestReplicas(): Promise<{ deps: TestDeps; replicas: [TestDeps, TestDeps] }> {
  const database = await openTestDatabase();
  const deps = await testDeps(database);
  const { url } = database;
  const open = async () => (url === undefined ? undefined : openDatabase({ url, dataDir: "" }));
  const handles = [await open(), await open()] as const;
  afterAll(async () => {
    await Promise.all(handles.map((handle) => handle?.close()));
    await deps.close();
    await database.close();
  });
  return {
    deps,
    replicas: [
      { ...deps, db: handles[0]?.db ?? deps.db },
      { ...deps, db: handles[1]?.db ?? deps.db },
    ],
  };
}

/** Lists the outbox for an address, oldest first, sent or not. */
export function queuedMailsTo(db: Db, email: string) {
  return db.select().from(outgoingMails).where(eq(outgoingMails.recipient, email)).orderBy(asc(outgoingMails.id));
}
