import { createHash, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { ownAccounts, statementLines, statements } from "#server/db/schema/bank.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { ledgerTransactions } from "#server/db/schema/ledger.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { readInProcess, readingProcesses } from "#server/features/bank/importing/reading.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import { statementTexts } from "#shared/bank/statement-texts.ts";
import { uploadTexts } from "#shared/files.ts";
import { accessMapping, csvOf, keepOwnAccount, line } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { hostileStatements } from "#tests/support/hostile-statements.ts";
import { isLong } from "#tests/support/length.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const { db } = deps;
const file = csvOf({ openingKobo: 0n, truths: [line("2026-11-03", 5_00n), line("2026-11-04", -1_00n)] });
const mapping = JSON.stringify(accessMapping);
let app: FastifyInstance;
let url: string;
let accountId: string;
let owner: string;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  owner = await cookieOf(await createAdmin(db, "owner"));
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  await db.delete(rateLimits);
  accountId = String(await keepOwnAccount(db, String(1_000_000_000 + (await db.$count(ownAccounts)))));
});
afterEach(() => expectMoneyHolds(deps));

async function cookieOf({ id: userId, isAdmin }: TestUser): Promise<string> {
  const kind = isAdmin ? "admin" : "backer";
  return `${sessionCookieName(deps.env)}=${await startSession(deps, { userId, kind, device: "Test", ipAddress: "127.0.0.1" })}`;
}

type Sent = {
  file?: Uint8Array | undefined;
  fields?: Record<string, string>;
  name?: string;
  headers?: Record<string, string>;
};

async function send({ file: sent, fields, name = "November.csv", headers = {} }: Sent) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ accountId, ...fields })) form.append(field, value);
  if (sent) form.append("file", new File([Uint8Array.from(sent)], name));
  const response = await fetch(`${url}/bank/statements`, {
    method: "POST",
    headers: { origin: deps.env.publicUrl, "x-upload": "1", cookie: owner, ...headers },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const refused = (reason: string, message: unknown) => ({ error: expect.objectContaining({ reason, message }) });
const state = async () => [
  await db.$count(statements),
  await db.$count(statementLines),
  await db.$count(ledgerTransactions),
  await db.$count(storedFiles),
];

/** The stored file of a statement, and its link for an owner who looks at one of its lines. */
describe("the file of a statement", () => {
  const kept = () => db.select().from(storedFiles).where(eq(storedFiles.kind, "statement"));

  test("is kept as it was uploaded, once it is imported, for those who may import", async () => {
    const before = (await kept()).length;
    expect((await send({ file, fields: {} })).body).toMatchObject({ kind: "asks" });
    expect((await send({ file: Buffer.from("no statement"), fields: {} })).body).toMatchObject({ kind: "refused" });
    expect(await kept()).toHaveLength(before);
    const answer = await send({ file, fields: { mapping } });
    const [statement] = await db
      .select()
      .from(statements)
      .where(eq(statements.id, Number(answer.body.statementId)));
    const [stored] = await db
      .select()
      .from(storedFiles)
      .where(eq(storedFiles.id, statement?.fileId ?? ""));
    expect(stored).toMatchObject({ kind: "statement", sha256: createHash("sha256").update(file).digest("hex") });
    const [first] = await db
      .select()
      .from(statementLines)
      .where(eq(statementLines.statementId, statement?.id ?? 0));
    const ask = async (cookie: string) => {
      const input = encodeURIComponent(JSON.stringify({ json: { lineId: first?.id } }));
      const response = await fetch(`${url}/trpc/bank.line?input=${input}`, { headers: { cookie } });
      return ((await response.json()) as { result: { data: { json: { statement: { fileUrl: string | null } } } } })
        .result.data.json.statement.fileUrl;
    };
    const fileUrl = (await ask(owner)) ?? "";
    const download = await fetch(`${url}${fileUrl}`, { headers: { cookie: owner } });
    expect(Buffer.from(await download.arrayBuffer())).toEqual(file);
    expect(download.headers.get("content-disposition")).toContain("attachment");
    const manager = await cookieOf(await createAdmin(db, "manager"));
    expect(await ask(manager)).toBeNull();
    expect((await fetch(`${url}${fileUrl}`, { headers: { cookie: manager } })).status).toBe(403);
    expect((await fetch(`${url}${fileUrl.split("?")[0]}`, { headers: { cookie: owner } })).status).toBe(403);
    const faults = (await runFileChecks(deps, { isFull: true })).flatMap(({ violations }) => violations);
    expect(faults).toEqual([]);
    await deps.storage.write(stored?.storageKey ?? "", Buffer.from("another file"));
    const changed = (await runFileChecks(deps, { isFull: true })).flatMap(({ violations }) => violations);
    expect(changed).toMatchObject([{ violation: "statement's bytes don't have its hash" }]);
    await deps.storage.write(stored?.storageKey ?? "", file);
  });
});

describe("POST /bank/statements", () => {
  test("imports a statement that an owner sends, and keeps its name without what could disguise it", async () => {
    const name = "../../No\u202Evember\u0007.csv";
    expect(await send({ file, fields: { mapping }, name })).toMatchObject({
      status: 200,
      body: { kind: "imported", newLines: 2, statementId: expect.any(Number) },
    });
    expect((await db.select().from(statements)).at(-1)).toMatchObject({ fileName: "November.csv", bytes: file.length });
  });

  test("asks first, in JSON: the columns and the gaps, with sums as texts", async () => {
    const before = await state();
    const { body } = await send({ file });
    expect(body).toMatchObject({ kind: "asks", opening: false, mapping: { bank: "Access Bank" }, gaps: [] });
    expect(await state()).toEqual(before);
    await send({ file, fields: { mapping } });
    const later = csvOf({ openingKobo: 9_00n, truths: [line("2026-11-06", 1_00n)] });
    const asked = await send({ file: later, fields: { mapping } });
    expect(asked.body).toMatchObject({ kind: "asks", gaps: [{ missingKobo: "500", fromDate: "2026-11-04" }] });
    expect(await send({ file: later, fields: { gapReason: " The bank lost them " } })).toMatchObject({
      body: { kind: "imported" },
    });
    expect((await db.select().from(statements)).at(-1)).toMatchObject({ gapReason: "The bank lost them" });
  });

  test.each([
    ["anonymous", null, 401],
    ["a backer", () => createUser(db), 403],
    ["a viewer", () => createAdmin(db, "viewer"), 403],
    ["a manager", () => createAdmin(db, "manager"), 403],
  ] as const)("is refused to %s, and nothing changes", async (_who, person, status) => {
    const before = await state();
    const cookie = person ? await cookieOf(await person()) : "";
    expect(await send({ file, fields: { mapping }, headers: { cookie } })).toMatchObject({ status });
    expect(await state()).toEqual(before);
  });

  test("is refused from a foreign page", async () => {
    const before = await state();
    const foreign: Record<string, string>[] = [{ origin: "https://evil.example" }, { "x-upload": "0" }];
    for (const headers of foreign) {
      expect(await send({ file, fields: { mapping }, headers })).toMatchObject({ status: 403 });
    }
    expect(await state()).toEqual(before);
  });

  test.each([
    ["no file", { file: undefined }, texts.fileMissing],
    ["an empty one", { file: Buffer.alloc(0) }, uploadTexts.empty],
    ["more than 10 MB", { file: Buffer.alloc(10 * 1024 * 1024 + 1, "a") }, statementTexts.tooLarge],
    ["no account", { file, fields: { accountId: "" } }, expect.any(String)],
    ["a mapping that is none", { file, fields: { mapping: '{"titles":1}' } }, expect.any(String)],
    ["a mapping that isn't JSON", { file, fields: { mapping: "{" } }, expect.any(String)],
    ["a reason that is too long", { file, fields: { gapReason: "a".repeat(501) } }, expect.any(String)],
  ])("is refused with %s, and nothing changes", async (_what, sent, message) => {
    const before = await state();
    expect(await send({ fields: { mapping }, ...sent })).toEqual({ status: 400, body: refused("invalid", message) });
    expect(await state()).toEqual(before);
  });

  test("is refused for an account that isn't there", async () => {
    expect(await send({ file, fields: { accountId: "999999", mapping } })).toEqual({
      status: 404,
      body: refused("not_found", texts.accountNotFound),
    });
  });

  test("answers random bytes and broken files in words, and keeps nothing of them", async () => {
    const before = await state();
    const heads = [
      "",
      "PK\x03\x04",
      "%PDF-1.7\n",
      "\xd0\xcf\x11\xe0",
      "<html><table>",
      ":20:A\n:25:1\n:61:",
      "\xff\xfe",
      "a,b\n1,",
    ];
    const broken = [
      ...heads.flatMap((head) =>
        [1, 400].map((size) => Buffer.concat([Buffer.from(head, "latin1"), randomBytes(size)])),
      ),
      file.subarray(0, file.length / 2),
      Buffer.from(file.toString().replaceAll(",", ";,;")),
    ];
    const answers = await Promise.all(broken.map((each) => send({ file: each })));
    for (const { status, body } of answers) {
      expect([200, 503]).toContain(status);
      if (status === 200) expect(body.kind).toBe("refused");
      else expect(body).toEqual(refused("unavailable", texts.busy));
    }
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(5);
    expect(await state()).toEqual(before);
  });
});

test("statements of the bank that were uploaded don't count as papers that were asked for", async () => {
  const importer = await createAdmin(db, "owner");
  const cookie = await cookieOf(importer);
  for (let n = 0; n < 40; n += 1) expect((await send({ headers: { cookie } })).status).toBe(400);
  const paper = await (await callAs(deps, importer)).papers.statement({
    firstDay: "2026-01-01",
    lastDay: "2026-12-31",
  });
  expect(paper.id).toEqual(expect.any(Number));
});

describe("the reading process", () => {
  const task = (content: string) => ({ content: new Uint8Array(Buffer.from(content)), mapping: null, dayOrder: null });
  const said = (text: string) => ({ kind: "refused", faults: [{ row: null, text }] });

  test("that needs more memory or time than it may is a refusal, and others go on", async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `03/11/2026,${"word ".repeat(20)}${index},1.00\n`);
    const large = `Date,Description,Amount\n${rows.join("")}`;
    const small = readingProcesses({ heapMegabytes: 12, milliseconds: 60_000 });
    const short = readingProcesses({ heapMegabytes: 256, milliseconds: 1 });
    expect(await readInProcess(deps, task(large), small)).toMatchObject(said(texts.tooMuchMemory));
    expect(await readInProcess(deps, task(large), short)).toMatchObject(said(texts.tookTooLong));
    expect(await readInProcess(deps, task(large))).toMatchObject({ kind: "read" });
  });

  /** The reader's unit test checks the words of each refusal. */
  test("refuses a hostile file of each format in words, and meanwhile others are answered", async () => {
    const before = await state();
    for (const shapes of Object.values(hostileStatements)) {
      const files = Object.values<() => Uint8Array>(shapes).slice(0, isLong ? undefined : 1);
      let isOver = false;
      const sent = Promise.all(files.map((make) => send({ file: make() }))).finally(() => {
        isOver = true;
      });
      while (!isOver) expect((await fetch(`${url}/healthz`)).status).toBe(200);
      for (const { status, body } of await sent) expect([status, body.kind]).toEqual([200, "refused"]);
    }
    expect(await state()).toEqual(before);
  });
});
