import { randomBytes, randomUUID } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { alarms } from "#server/db/schema/alarms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projectMedia } from "#server/db/schema/projects.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { newFileKey } from "#server/files/storage.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { checkItself } from "#server/self-check.ts";
import { uploadTexts } from "#shared/files.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { agreeToTerms, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, cookieJar, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { startS3 } from "#tests/support/s3-server.ts";
import { pngFile } from "#tests/support/sample-files.ts";
import { sessionCookie, uploadFile } from "#tests/support/uploads.ts";

/** The whole way of a file, from the form to the bucket and back. */
const s3 = await startS3();
const deps = await openTestDeps({ env: s3.env });
let app: FastifyInstance;
let url: string;
let owner: TestUser;
let backer: TestUser;
let projectId: number;

beforeAll(async () => {
  await setBankDetails(deps.db);
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  owner = await createAdmin(deps.db, "owner");
});
afterAll(async () => {
  await app.close();
  await s3.remove();
});
beforeEach(async () => {
  backer = await createUser(deps.db);
  projectId = (await createProject(deps.db)).id;
  await agreeToTerms(deps, backer, projectId);
});
afterEach(async () => {
  await s3.start();
  await expectMoneyHolds(deps);
});

const png = () => Buffer.concat([pngFile(), randomBytes(300_000)]);

const send = (path: string, person: TestUser, fields: Record<string, string>, file: Uint8Array) =>
  uploadFile(deps, url, { path, person, fields, file });

const receiptFields = () => ({ projectId: String(projectId), idempotencyKey: randomUUID() });

/** The link that this person gets for a receipt, and the session it is for. */
async function linkFor(person: TestUser, paymentId: number) {
  const jar = cookieJar();
  const caller = await callAs(deps, person, { jar });
  const link = await caller.receipts.link({ paymentId });
  return { path: link.url, cookie: `${sessionCookieName(deps.env)}=${jar.get(sessionCookieName(deps.env))}` };
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

test("a receipt goes to the bucket and comes back by its link, in its session and its time only", async () => {
  const file = png();
  const { status, body } = await send("receipts", backer, receiptFields(), file);
  expect(status).toBe(200);
  const { path, cookie } = await linkFor(backer, Number(body.paymentId));
  const answer = await get(path, { cookie });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);

  expect((await get(path, { cookie: await sessionCookie(deps, backer) })).status, "another session").toBe(403);
  expect((await get(path)).status, "no session").toBe(401);
  deps.clock.advance({ seconds: 3600 });
  expect((await get(path, { cookie })).status, "an hour later").not.toBe(200);
});

test("while S3 is away an upload is refused with a text and nothing is acknowledged; the same one works later", async () => {
  const file = png();
  const fields = receiptFields();
  await s3.stop();
  const refused = { error: { reason: "unavailable", message: uploadTexts.notStored } };
  expect(await send("receipts", backer, fields, file)).toEqual({ status: 503, body: refused });
  expect(await send("project-photos", owner, { projectId: String(projectId), altText: "Ponds" }, file)).toEqual({
    status: 503,
    body: refused,
  });
  expect(await deps.db.$count(projectPayments, eq(projectPayments.projectId, projectId))).toBe(0);
  expect(await deps.db.$count(projectMedia, eq(projectMedia.projectId, projectId))).toBe(0);
  const wrong = await send("receipts", backer, fields, Buffer.from("hello, I am a receipt".repeat(500)));
  expect([wrong.status, wrong.body.error]).toMatchObject([400, { message: "Please upload an image or PDF" }]);

  await s3.start();
  expect((await send("receipts", backer, fields, file)).status).toBe(200);
});

test("while S3 is away a stored file is unavailable, not missing", async () => {
  const { body } = await send("receipts", backer, receiptFields(), png());
  const { path, cookie } = await linkFor(backer, Number(body.paymentId));
  await s3.stop();
  const answer = await get(path, { cookie });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ error: { reason: "unavailable", message: uploadTexts.notLoaded } });
  expect(answer.headers.get("content-disposition")).toBeNull();
  await s3.start();
  expect((await get(path, { cookie })).status).toBe(200);
});

test("what an upload left in the bucket is swept, a receipt is set aside and comes back with its row", async () => {
  const anHourAgo = new Date(deps.clock.now().getTime() - 1.1 * 3_600_000);
  const [stray, receipt] = [newFileKey("resume"), newFileKey("receipt")];
  for (const key of [stray, receipt]) {
    await deps.storage.write(key, Buffer.from("stray"));
    await utimes(s3.pathOf(key), anHourAgo, anHourAgo);
  }
  await cleanUp(deps);
  expect(await deps.storage.exists(stray)).toBe(false);
  expect(await deps.storage.exists(receipt)).toBe(false);
  const file = { sha256: "0".repeat(64), bytes: 5, contentType: "image/png", originalName: "a.png" };
  const [row] = await deps.db
    .insert(storedFiles)
    .values({ kind: "receipt", storageKey: receipt, ...file })
    .returning();
  await cleanUp(deps);
  expect(await deps.storage.exists(receipt)).toBe(true);
  await deps.db.delete(storedFiles).where(eq(storedFiles.id, row?.id ?? ""));
  await deps.storage.remove(receipt);
});

test("the self-check finds a receipt that the bucket lost, and raises nothing while S3 is away", async () => {
  const { body } = await send("receipts", backer, receiptFields(), png());
  const [receipt] = await deps.db
    .select({ key: storedFiles.storageKey })
    .from(paymentReceipts)
    .innerJoin(storedFiles, eq(storedFiles.id, paymentReceipts.fileId))
    .where(eq(paymentReceipts.id, String(body.receiptId)));
  const bytes = await deps.storage.read(receipt?.key ?? "").then((stream) => stream.toArray());
  const violations = async () =>
    (await runFileChecks(deps, { isFull: true })).flatMap((check) => check.violations.map((it) => it.violation));
  expect(await violations()).toEqual([]);

  await s3.stop();
  await checkItself(deps);
  expect(await deps.db.$count(alarms)).toBe(0);

  await s3.start();
  await rm(s3.pathOf(receipt?.key ?? ""));
  expect(await violations()).toEqual(["stored file is missing"]);
  await checkItself(deps);
  expect(await deps.db.$count(alarms)).toBe(1);
  await s3.stop();
  await checkItself(deps);
  const [alarm] = await deps.db.select().from(alarms);
  expect(alarm?.resolvedAt, "an alarm stands while nobody can say that it is over").toBeNull();

  await s3.start();
  await deps.storage.write(receipt?.key ?? "", Buffer.concat(bytes));
  await checkItself(deps);
  expect((await deps.db.select().from(alarms))[0]?.resolvedAt).not.toBeNull();
});
