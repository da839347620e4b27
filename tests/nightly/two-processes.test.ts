import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { systemClock } from "#server/platform/clock.ts";
import { authTexts, signInLimits } from "#shared/accounts/inputs.ts";
import { publicUrl, type Replica, startCluster } from "#tests/nightly/faults/cluster.ts";
import { connect } from "#tests/nightly/faults/connection.ts";
import { prepareWorld } from "#tests/nightly/faults/prepare.ts";
import { agreeToTerms, createApiClient } from "#tests/support/api-client.ts";
import { openEmptyDatabase } from "#tests/support/database.ts";
import { drainJobs } from "#tests/support/jobs.ts";
import { openLiveStream } from "#tests/support/live-stream.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";
import { startS3 } from "#tests/support/s3-server.ts";

/**
 * Two servers as in compose.yaml: one database and one bucket, nothing else in common. A proxy asks now one, now the
 * other.
 */
const s3 = await startS3();
const database = await openEmptyDatabase();
const cluster = await startCluster({
  databaseUrl: database.url ?? "",
  replicas: 2,
  variables: s3.env,
});
const [here, there] = cluster.replicas as [Replica, Replica];
const world = await prepareWorld(database.db, { backers: 1, administrators: 1, projects: 2, farms: 0 });
const [backer] = world.backers;
const [administrator] = world.administrators;
const projectId = world.projectIds[0] ?? 0;
if (!backer || !administrator) throw new Error("nobody is there");

afterAll(async () => {
  await cluster.stop();
  await database.close();
  await s3.remove();
});

/** One browser, whose calls the proxy leads to the one or the other. */
function browser() {
  const cookies = new Map<string, string>();
  const [a, b] = [here, there].map(({ url }) => createApiClient(url, { origin: publicUrl, cookies }));
  if (!a || !b) throw new Error("a server is missing");
  return { a, b, cookies };
}

test("a session that one begins is known to the other, and its end too", async () => {
  const { email, password } = await createUser(database.db);
  const { a, b } = browser();
  await a.auth.signIn.mutate({ email, password });
  expect(await b.auth.viewer.query()).toMatchObject({ email });
  await b.auth.signOut.mutate();
  expect(await a.auth.viewer.query()).toBeNull();
});

test("failures at both lock the account at both", async () => {
  const { email, password } = await createUser(database.db);
  const { a, b } = browser();
  for (let n = 0; n < signInLimits.maxFailures; n += 1) {
    await expect((n % 2 === 0 ? a : b).auth.signIn.mutate({ email, password: "Wrong-Pond-42" })).rejects.toThrow();
  }
  for (const server of [a, b]) {
    await expect(server.auth.signIn.mutate({ email, password })).rejects.toThrow(authTexts.locked);
  }
});

test("what one takes is heard and mailed once, whichever does it, also when one stops", async () => {
  const streams = await Promise.all(
    [here, there].map(({ url }) => openLiveStream(url, `__Host-session=${administrator.token}`)),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const write = (replica: Replica, content: string) =>
    connect(replica, backer.token).api.messages.send.mutate({ projectId, content, idempotencyKey: randomUUID() });
  const mailsWith = (words: string) => cluster.mail.messages.filter(({ text }) => text?.includes(words));

  await write(here, "How are the snails?");
  for (const { news } of streams) await expect.poll(news).toContainEqual({ type: "messages", projectId });
  await write(there, "And the catfish?");
  for (const words of ["How are the snails?", "And the catfish?"]) {
    await expect.poll(() => mailsWith(words).length).toBe(1);
  }

  await here.stop();
  expect(streams[0]?.hasEnded()).toBe(true);
  await write(there, "Is anybody left?");
  await expect.poll(() => mailsWith("Is anybody left?").length).toBe(1);
  await here.start();
  // Were one sent twice, the second would have come before the last one of all.
  expect(cluster.mail.messages.filter(({ recipients }) => recipients.includes(administrator.user.email))).toHaveLength(
    3,
  );
  for (const stream of streams) stream.close();
});

test("a receipt that one takes is shown by the other", async () => {
  const { id }: TestUser = backer.user;
  await agreeToTerms(connect(here, backer.token).api, projectId);
  const bytes = Uint8Array.from(
    Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(100_000), Buffer.from("\n%%EOF\n")]),
  );
  const sent = await connect(here, backer.token).uploadReceipt({ projectId, key: randomUUID(), bytes });
  const { paymentId } = sent as { paymentId: number };
  const link = await connect(here, backer.token).api.receipts.link.query({ paymentId });
  const read = (token: string) => fetch(`${there.url}${link.url}`, { headers: { cookie: `__Host-session=${token}` } });
  const answer = await read(backer.token);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  const another = { userId: id, kind: "backer", device: "Another", ipAddress: "127.0.0.1" } as const;
  expect((await read(await startSession({ db: database.db, clock: systemClock }, another))).status).toBe(403);
});

test("one that is killed right after an approval has approved, and the mail goes out once after its restart", async () => {
  const projectId = world.projectIds[1] ?? 0;
  const { api, uploadReceipt } = connect(here, backer.token);
  await agreeToTerms(api, projectId);
  const bytes = Uint8Array.from(Buffer.from("%PDF-1.4\n%%EOF\n"));
  const { paymentId } = (await uploadReceipt({ projectId, key: randomUUID(), bytes })) as { paymentId: number };
  await drainJobs(database.db, "mail", 30_000);
  await there.stop();

  const owner = () => connect(here, administrator.token).api.payments;
  const payment = async () => (await owner().list.query({})).items.find(({ id }) => id === paymentId);
  const seen = await payment();
  if (!seen) throw new Error("the payment is not in the list");
  // The commit may be seen by who sends mails before it is answered; nothing is sent before the restart.
  await cluster.mail.pause();
  const killed = here.killAt("after commit", { skip: 0, limitMs: 20_000 });
  const decision = { paymentId, seenStatus: "pending", seenReceiptSha256: seen.receipt?.sha256 ?? null } as const;
  await expect(owner().setStatus.mutate({ ...decision, status: "approved" })).rejects.toThrow();
  expect(await killed).toBe(true);
  const confirmations = () =>
    cluster.mail.messages.filter(({ subject }) => subject === `Your backing of ${seen.projectTitle} is confirmed`);
  expect(confirmations()).toEqual([]);
  await cluster.mail.resume();
  // If it had claimed the mail already, its lease or its pause ends now: how that ends by itself is tried in jobs.test.ts.
  await database.db.execute(
    sql`update jobs.job set state = 'retry', start_after = now() where name = 'mail' and state in ('active', 'retry')`,
  );

  await here.start();
  expect((await payment())?.status).toBe("approved");
  await expect.poll(() => confirmations().length, { timeout: 30_000 }).toBe(1);
  await drainJobs(database.db, "mail", 30_000);
  expect(confirmations().map(({ recipients }) => recipients)).toEqual([[backer.user.email]]);
});
