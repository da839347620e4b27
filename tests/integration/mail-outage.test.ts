import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { mailResetLink } from "#server/accounts/send-links.ts";
import { inTransaction, rows } from "#server/db/open.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import type { Mailer } from "#server/platform/deps.ts";
import { type Jobs, openJobs } from "#server/platform/jobs.ts";
import { openTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { countOpenJobs, drainJobs } from "#tests/support/jobs.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { tell } from "#tests/support/notices.ts";
import { createUser } from "#tests/support/people.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;
let deps: TestDeps;
let server: MailServer;
let mailer: Mailer;
const workers: Jobs[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  deps = await testDeps(database);
  server = await startMailServer();
  mailer = createMailer({
    smtpUrl: server.url,
    from: () => "Gona <hello@gona.example>",
    dataDir: "",
    clock: deps.clock,
    log,
  });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});
afterAll(async () => {
  await mailer.close();
  await server.stop();
  await deps.close();
  await database.close();
});

/** Starts a process that sends mails, with the product's pause between them unless it is given another. */
async function startWorker(mailPauseMs?: number): Promise<void> {
  const worker = await openJobs(database.handle, {
    log,
    pollSeconds: 0.5,
    ...(mailPauseMs !== undefined && { mailPauseMs }),
  });
  const send = ({ mailId }: { mailId: number }) => sendQueuedMail({ ...deps, mailer }, mailId);
  await worker.start({ mail: send, "security-mail": send });
  workers.push(worker);
}

/** Lets time pass for the application, and for the mails that wait for their next try. */
async function passMinutes(minutes: number): Promise<void> {
  deps.clock.advance({ minutes });
  await rows(
    deps.db,
    sql`update jobs.job set start_after = start_after - make_interval(mins => ${minutes}::int)
      where name = 'mail' and state = 'retry'`,
  );
}

const failedTries = async () => {
  const [found] = await rows<{ tries: number }>(
    deps.db,
    sql`select coalesce(sum(retry_count), 0)::int as tries from jobs.job where name = 'mail'`,
  );
  return found?.tries ?? 0;
};
/** Returns the times between the arrivals of consecutive mails, in ms. */
const pauses = () => server.messages.slice(1).map((mail, n) => mail.receivedAt - (server.messages[n]?.receivedAt ?? 0));

test("an hour without a mail server, while 48 notifications arise, loses none and sends none twice", async () => {
  const pauseMs = 10;
  const people = await Promise.all(Array.from({ length: 12 }, () => createUser(deps.db)));
  await server.pause();
  await startWorker(pauseMs);
  for (let quarter = 1; quarter <= 4; quarter++) {
    const tried = await failedTries();
    await tell(
      deps,
      people.map(({ id }) => id),
      { title: `Quarter ${quarter}` },
    );
    await expect.poll(failedTries).toBeGreaterThan(tried + 5);
    await passMinutes(15);
    expect(await countOpenJobs(deps.db, "mail")).toBe(quarter * 12);
    if (quarter === 2) {
      // A process that ends meanwhile takes nothing with it.
      for (const worker of workers.splice(0)) await worker.stop();
      await startWorker(pauseMs);
    }
  }
  expect(server.messages).toEqual([]);
  expect(await deps.db.$count(notifications, eq(notifications.emailSent, true))).toBe(0);

  await server.resume();
  await expect
    .poll(
      async () => {
        await passMinutes(15);
        return countOpenJobs(deps.db, "mail");
      },
      { timeout: 300_000, interval: 500 },
    )
    .toBe(0);
  const arrived = server.messages.map((mail) => `${mail.recipients.join()} ${mail.subject}`).sort();
  const wanted = [1, 2, 3, 4].flatMap((quarter) => people.map(({ email }) => `${email} Quarter ${quarter}`)).sort();
  expect(arrived).toEqual(wanted);
  expect(new Set(server.messages.map(({ messageId }) => messageId)).size).toBe(48);
  expect(Math.min(...pauses())).toBeGreaterThanOrEqual(pauseMs - 2);
  expect(await deps.db.$count(notifications, eq(notifications.emailSent, true))).toBe(48);
}, 400_000);

test("mails go at least half a second apart, each once, whatever the number of workers", async () => {
  server.messages.length = 0;
  const people = await Promise.all(Array.from({ length: 6 }, () => createUser(deps.db)));
  // The embedded database has one process.
  await Promise.all(Array.from({ length: database.url === undefined ? 1 : 2 }, () => startWorker()));
  await tell(
    deps,
    people.map(({ id }) => id),
    { title: "Apart" },
  );
  await drainJobs(deps.db, "mail");
  expect(server.messages.map(({ recipients }) => recipients.join()).sort()).toEqual(
    people.map(({ email }) => email).sort(),
  );
  // Timers may ring a millisecond early.
  expect(Math.min(...pauses())).toBeGreaterThanOrEqual(498);
  const [mail] = server.messages;
  const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
  expect(headers["list-unsubscribe"]).toMatch(/^<http:\/\/localhost:\d+\/unsubscribe\?token=[\w.-]+>$/);
  expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
});

test("a reset's mail leaves at once while 100 others wait and the mail server takes its time", async () => {
  server.messages.length = 0;
  const people = await Promise.all(Array.from({ length: 20 }, () => createUser(deps.db)));
  const [first] = people;
  if (!first) throw new Error("nobody is there");
  for (let news = 1; news <= 5; news += 1) {
    await tell(
      deps,
      people.map(({ id }) => id),
      { title: `News ${news}`, kind: "payment_status" },
    );
  }
  expect(await countOpenJobs(deps.db, "mail")).toBe(100);
  server.setDelay(1000);
  await startWorker();
  await server.waitFor(({ subject }) => subject?.startsWith("News") ?? false);
  const askedAt = performance.now();
  await inTransaction(deps.db, (tx) => mailResetLink(tx, deps, { ...first, fullName: "Ada Obi", isAdmin: false }));
  const mail = await server.waitFor(({ subject }) => subject?.startsWith("Reset your") ?? false, 20_000);
  expect(mail.recipients).toEqual([first.email]);
  expect(mail.receivedAt - askedAt).toBeLessThan(20_000);
  expect(await countOpenJobs(deps.db, "mail")).toBeGreaterThan(75);
  server.setDelay(0);
}, 60_000);
