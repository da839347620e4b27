import { asc, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { papers } from "#server/db/schema/papers.ts";
import { findPaperFile } from "#server/features/papers/file.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { type PaperContent, paperPath, paperTexts } from "#shared/papers/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { download } from "#tests/support/downloads.ts";
import { contextOf, createPayment, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

/** The PDF of a paper: who gets it, that it is made once, and what is left where it can't be made. */

const deps = await openTestDeps();
const { db } = deps;
let app: FastifyInstance;
let owner: TestUser;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(db, "owner");
  await setBankDetails(db);
});
afterEach(() => expectMoneyHolds(deps));
afterAll(() => app.close());

const approved = () => createPayment(deps, { owner, status: "approved" });
const papersOf = (userId: string) => db.select().from(papers).where(eq(papers.userId, userId)).orderBy(asc(papers.id));
const ask = (person: TestUser | null, paperId: number | string) => download(deps, app, person, paperPath(paperId));

test("a PDF is made once, and is for its person and who may see payments", async () => {
  const { backer } = await approved();
  const [receipt] = await papersOf(backer.id);
  const paperId = receipt?.id ?? 0;
  const [one, other] = await Promise.all([ask(backer, paperId), ask(owner, paperId)]);
  expect(one.statusCode).toBe(200);
  expect(one.headers["content-type"]).toBe("application/pdf");
  expect(one.headers["content-disposition"]).toMatch(/^attachment; filename="GR-2026-\d{6}\.pdf"/);
  expect(one.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
  expect(other.rawPayload.equals(one.rawPayload)).toBe(true);
  expect((await ask(backer, paperId)).rawPayload.equals(one.rawPayload)).toBe(true);
  const [kept] = await papersOf(backer.id);
  expect(await db.$count(storedFiles, eq(storedFiles.id, kept?.fileId ?? ""))).toBe(1);
  expect((await ask(await createUser(db), paperId)).statusCode).toBe(404);
  expect((await ask(null, paperId)).statusCode).toBe(401);
  expect((await ask(backer, "9e9")).statusCode).toBe(404);
});

test("a PDF stays when files are cleaned, and is missed when its bytes change", async () => {
  const { backer } = await approved();
  const [receipt] = await papersOf(backer.id);
  const { key } = await findPaperFile(await contextOf(deps, backer), receipt?.id ?? 0);
  deps.clock.advance({ hours: 3 });
  await cleanUp(deps);
  expect(await deps.storage.exists(key)).toBe(true);
  const sound = await runFileChecks(deps, { isFull: true });
  expect(sound.flatMap(({ violations }) => violations)).toEqual([]);
  await deps.storage.write(key, Buffer.from("%PDF-1.4 forged"));
  const found = (await runFileChecks(deps, { isFull: true })).flatMap(({ violations }) => violations);
  expect(found).toMatchObject([{ violation: "paper's bytes don't have its hash", row: { key } }]);
});

/** Counts the stored rows and files of PDFs. */
async function countStoredPapers() {
  const keys = [];
  for await (const { key } of deps.storage.list("paper/")) keys.push(key);
  return { rows: await db.$count(storedFiles, eq(storedFiles.kind, "paper")), files: keys.length };
}

/** Changes a paper as only a fault of ours could: the database lets nobody change what a paper says. */
const setContent = (paperId: number, content: PaperContent) =>
  db.transaction(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    await tx.update(papers).set({ content }).where(eq(papers.id, paperId));
  });

const refused = { error: { reason: "unavailable", message: paperTexts.notStored } };

test("a PDF whose process fails is refused in words, leaves nothing behind, and is made at the next ask", async () => {
  const { backer } = await approved();
  const [receipt] = await papersOf(backer.id);
  if (!receipt) throw new Error("no receipt");
  const before = await countStoredPapers();
  // No table has more columns in a row than it has widths.
  const [table] = receipt.content.tables;
  if (!table) throw new Error("no table");
  await setContent(receipt.id, { ...receipt.content, tables: [{ ...table, columns: [] }] });
  const failed = await ask(backer, receipt.id);
  expect([failed.statusCode, failed.json()]).toEqual([503, refused]);
  expect(failed.headers["content-disposition"]).toBeUndefined();
  expect(failed.headers["cache-control"]).toBe("no-store");
  expect(await countStoredPapers()).toEqual(before);
  expect((await papersOf(backer.id)).map(({ fileId }) => fileId)).toEqual([null]);
  await setContent(receipt.id, receipt.content);
  const made = await ask(backer, receipt.id);
  expect([made.statusCode, made.rawPayload.subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
  expect(await countStoredPapers()).toEqual({ rows: before.rows + 1, files: before.files + 1 });
});
