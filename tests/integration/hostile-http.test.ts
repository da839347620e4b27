import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { paymentReceipts } from "#server/db/schema/payments.ts";
import { projectFavorites } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { errorReasons } from "#shared/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { writeFiles } from "#tests/support/http-app.ts";
import { setBankDetails } from "#tests/support/money.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { sessionCookie } from "#tests/support/uploads.ts";

/** Requests that no browser of ours sends. Each is refused in our shape, with nothing changed and no fault logged. */
const origin = "https://gona.example";
const deps = await openTestDeps({ env: { PUBLIC_URL: origin, REQUIRE_EMAIL_CONFIRMATION: "false" } });
let app: FastifyInstance;
let cookie: string;
let projectId: number;

beforeAll(async () => {
  await setBankDetails(deps.db);
  const page = "<!doctype html><title>Gona</title><div id=root></div>";
  const distDir = await writeFiles(join(deps.env.dataDir, "dist"), { "index.html": page });
  app = await buildApp(deps, { distDir });
  cookie = await sessionCookie(deps, await createUser(deps.db));
  projectId = (await createProject(deps.db)).id;
});
afterAll(() => app.close());

/** The number of rows that the requests of this file could make. */
async function rowsMade() {
  return [users, projectFavorites, paymentReceipts].map((table) => deps.db.$count(table));
}

const json = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

/** A call as the signed-in backer's browser makes it, but for what is given. */
function post(body: unknown, given: InjectOptions = {}) {
  const all = { origin, cookie, "content-type": "application/json", ...given.headers };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return app.inject({ method: "POST", url: "/trpc/favorites.add", payload: json(body), ...given, headers });
}

type Refusal = { reason: unknown; message: unknown };

/** The error of an answer of ours, of tRPC's shape or the other. */
function refusalIn(body: string): Refusal {
  const parsed: unknown = JSON.parse(body);
  const [first] = Array.isArray(parsed) ? parsed : [parsed];
  const { error } = first as { error: { json?: { message: string; data: { reason: string } } } & Refusal };
  return error.json ? { reason: error.json.data.reason, message: error.json.message } : error;
}

async function expectRefused(answer: { statusCode: number; body: string }, status?: number) {
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(500);
  if (status !== undefined) expect(answer.statusCode).toBe(status);
  const { reason, message } = refusalIn(answer.body);
  expect(errorReasons).toContain(reason);
  expect(reason).not.toBe("internal");
  expect(message).toMatch(/^\p{Lu}.{5,200}\.?$/u);
  expect(answer.body).not.toMatch(/node_modules|at async|Failed query|Unexpected token|superjson/);
  expect(await Promise.all(await rowsMade())).toEqual([1, 0, 0]);
}

const sound = () => ({ json: { projectId } });

describe("a post to a procedure", () => {
  test.each([
    undefined,
    "",
    "text/plain",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json5",
    "application/octet-stream",
    "\tapplication",
  ])("with the content type %s", async (type) => {
    await expectRefused(await post(sound(), { headers: { "content-type": type } }), 415);
  });

  test.each([
    undefined,
    "null",
    "",
    "https://evil.example",
    "http://gona.example",
    "https://gona.example/",
    "https://gona.example.evil.example",
    "https://gona.example:444",
    "https://GONA.example",
    "https://gona.example, https://evil.example",
  ])("from the origin %s", async (from) => {
    await expectRefused(await post(sound(), { headers: { origin: from } }), 403);
  });

  test.each(["cross-site", "same-site", "none", "", "same-origin, cross-site"])(
    "that the browser calls %s",
    async (site) => {
      await expectRefused(await post(sound(), { headers: { "sec-fetch-site": site } }), 403);
    },
  );

  test.each([
    "",
    "{",
    "nul",
    "\0",
    '{"json":',
    '{"json":{"projectId":1}}}',
    "[".repeat(30_000),
    '"text"',
    "7",
    "null",
    "[]",
    "{}",
    '{"json":null}',
    '{"json":{"projectId":"1"}}',
    '{"__proto__":{"json":{"projectId":1}}}',
    '{"json":{"projectId":{"__proto__":{"isAdmin":true}}}}',
    '{"json":{"projectId":1e999}}',
    `{"json":{"projectId":${"9".repeat(4000)}}}`,
  ])("with the body %j", async (body) => {
    await expectRefused(await post(body), 400);
  });

  test("with types that reach for every object's prototype", async () => {
    for (const path of ["__proto__", "__proto__.isAdmin", "constructor.prototype", "projectId.__proto__.isAdmin"]) {
      const meta = `{"values":{"${path}":["Date"]},"referentialEqualities":{"projectId":["${path}"]}}`;
      await expectRefused(await post(`{"json":{"projectId":"x"},"meta":${meta}}`), 400);
      expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    }
  });

  test.each(["a\0b", "\ud800", "\udc00a"])("with text that no table holds: %j", async (text) => {
    const meta = { values: { projectId: ["map"] } };
    await expectRefused(await post({ json: { projectId: text } }), 400);
    await expectRefused(await post({ json: { projectId: [[text, 1]] }, meta }), 400);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)("by the method %s", async (method) => {
    const url = `/trpc/favorites.add?input=${encodeURIComponent(json(sound()))}`;
    const answer = await app.inject({ method, url, headers: { origin, cookie, "content-type": "application/json" } });
    if (method === "HEAD") expect(answer.statusCode).toBeLessThan(500);
    else await expectRefused(answer);
    expect(await deps.db.$count(projectFavorites)).toBe(0);
  });

  test("to a query", async () => {
    await expectRefused(await post(undefined, { url: "/trpc/favorites.ids", payload: "" }));
  });
});

describe("several calls in one", () => {
  const batch = (count: number) => ({
    url: `/trpc/${Array.from({ length: count }, () => "favorites.add").join(",")}?batch=1`,
    payload: json(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { json: { projectId: -1 } }])),
    ),
  });

  test("are at most ten", async () => {
    await expectRefused(await post(undefined, batch(10)), 400);
    await expectRefused(await post(undefined, batch(11)), 400);
    await expectRefused(await post(undefined, batch(600)));
  });

  test.each(["[]", "7", "null", '{"a":{}}', '{"0":7}', '{"__proto__":{"json":{}}}', '{"1e999":{}}'])(
    "with the body %s",
    async (payload) => {
      await expectRefused(await post(undefined, { url: "/trpc/favorites.add?batch=1", payload }));
    },
  );

  test("as a stream", async () => {
    const headers = { "trpc-accept": "application/jsonl" };
    const answer = await post(undefined, { ...batch(10), headers });
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.body).not.toContain("INTERNAL_SERVER_ERROR");
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});

describe("what never reaches a route", () => {
  const guarded = {
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
  };

  test.each(["/%ff", "/%", "/trpc/%zz"])("%s has the security headers", async (url) => {
    const answer = await app.inject({ url, headers: { accept: "text/html" } });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers).toMatchObject({ ...guarded, "x-request-id": expect.any(String) });
  });

  /** The answer to bytes that no client of HTTP would send. */
  async function answerTo(bytes: string) {
    await app.listen({ port: 0, host: "127.0.0.1" }).catch(() => {});
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write(bytes);
    return readAnswer(await text(socket));
  }

  function readAnswer(raw: string) {
    const [head = "", body = ""] = raw.split("\r\n\r\n");
    const [first = "", ...lines] = head.split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
    return { status: Number(first.split(" ")[1]), headers, body };
  }

  test.each([
    ["no request at all", "FARM\r\n\r\n", 400, "The request could not be read."],
    ["a header too long", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}`, 431, "The request is too large."],
  ])("%s is refused with the security headers", async (_what, bytes, status, message) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatchObject({ status, headers: guarded });
    expect(JSON.parse(answer.body)).toEqual({ error: { reason: "invalid", message } });
  });

  test("a request that never ends is refused with the security headers", async () => {
    const socket = new PassThrough();
    app.server.emit("clientError", Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    expect(readAnswer(await text(socket))).toMatchObject({ status: 408, headers: guarded });
  });
});

describe("an address that isn't one", () => {
  test.each([
    "/trpc",
    "/trpc/",
    "/trpc/,",
    "/trpc/nope",
    "/trpc/__proto__",
    "/trpc/constructor",
    "/trpc/toString",
    "/trpc/hasOwnProperty",
    "/trpc/auth",
    "/trpc/auth.__proto__",
    "/trpc/auth.viewer.call",
    "/trpc/%00",
    "/trpc/%F0%9F%90%9F",
    "/trpc/auth.viewer%2fx",
    "/trpc/%zz",
    "/trpc/../trpc/nope",
    `/trpc/${"x".repeat(5001)}?batch=1`,
    `/trpc/${"a,".repeat(2000)}?batch=1`,
    "/trpc/projects.byId?input=%7B",
    "/trpc/projects.byId?input=%00",
    "/trpc/projects.byId?input[a]=1",
    "/trpc/projects.byId?input=1&input=2",
    "/trpc/projects.byId?batch=1&input=%7B",
    "/trpc/projects.byId?batch=1&input=[]",
    "/files/receipts/",
    "/files/receipts/%00",
    "/files/receipts/..%2f..%2fapp-secret",
    "/files/receipts/%2e%2e/%2e%2e/app-secret",
    "/uploads/receipts",
    "/uploads/%2e%2e/receipts",
    "/%",
    "/%c0%ae%c0%ae/package.json",
    "/..%5c..%5cpackage.json",
    "/assets/..%2f..%2fpackage.json",
    "/.git/config",
    "/readyz/../trpc",
    `/${"x".repeat(8000)}`,
  ])("%s", async (url) => {
    await expectRefused(await app.inject({ url, headers: { cookie, accept: "application/json" } }));
  });
});
