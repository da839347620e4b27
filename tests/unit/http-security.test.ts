import { expect, test } from "vitest";
import { registerCspReport } from "#server/http/csp-report.ts";
import { guardTrpcScope } from "#server/http/security.ts";
import type { Env } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { httpApp, testEnv, testOrigin } from "#tests/support/http-app.ts";
import { gona, siteOf } from "#tests/support/site.ts";

function appWithRoutes(env: Env = testEnv(), lines: string[] = []) {
  const app = httpApp(env, lines);
  app.get("/", async () => "hello");
  app.post("/change", async () => "changed");
  app.post("/unsubscribe", { config: { anyOrigin: true } }, async () => "gone");
  registerCspReport(app, { clock: { now: () => new Date(0) }, site: siteOf(gona) });
  app.register(async (scope) => {
    scope.addHook("onRequest", guardTrpcScope(env));
    scope.post("/trpc/x", async () => "called");
    scope.get("/trpc/x", async () => "read");
  });
  return app;
}

test("every answer carries the security headers, errors and unknown addresses too", async () => {
  const app = appWithRoutes();
  for (const request of [{ url: "/" }, { url: "/nowhere" }, { url: "/change", method: "POST" as const }]) {
    const { headers } = await app.inject(request);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(headers["permissions-policy"]).toContain("camera=()");
  }
});

test("data carries what guards it, and nothing that is meant for documents", async () => {
  const app = appWithRoutes();
  app.get("/data", { config: { isData: true } }, async () => ({}));
  const { headers } = await app.inject("/data");
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  });
  const { headers: ofDocument } = await app.inject("/");
  const left = Object.keys(ofDocument).filter((name) => !(name in headers));
  expect(left.sort()).toEqual([
    "cross-origin-opener-policy",
    "permissions-policy",
    "referrer-policy",
    "reporting-endpoints",
    "x-frame-options",
  ]);
});

test("plain http never asks for https", async () => {
  const { headers } = await appWithRoutes(testEnv({ PUBLIC_URL: "http://localhost:3000" })).inject("/");
  expect(headers).not.toHaveProperty("strict-transport-security");
});

test("a change needs our origin; reading and the two exceptions don't", async () => {
  const app = appWithRoutes();
  const post = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ method: "POST", url, headers })).statusCode;
  expect(await post("/change", { origin: testOrigin })).toBe(200);
  expect(await post("/change", { origin: testOrigin, "sec-fetch-site": "same-origin" })).toBe(200);
  expect(await post("/change", {})).toBe(403);
  expect(await post("/change", { origin: "null" })).toBe(403);
  expect(await post("/change", { origin: "https://gona.example.evil.example" })).toBe(403);
  expect(await post("/change", { origin: "http://gona.example" })).toBe(403);
  expect(await post("/change", { origin: testOrigin, "sec-fetch-site": "same-site" })).toBe(403);
  expect(await post("/change", { origin: "http://localhost:3000", host: "localhost:3000" })).toBe(403);
  expect(await post("/unsubscribe", { origin: "https://mail.example" })).toBe(200);
  expect((await app.inject("/")).statusCode).toBe(200);
});

test("in local use both names of this machine are ours, and no other", async () => {
  const app = appWithRoutes(testEnv({ PUBLIC_URL: "http://localhost:3000" }));
  const post = async (host: string, origin: string) =>
    (await app.inject({ method: "POST", url: "/change", headers: { host, origin } })).statusCode;
  expect(await post("127.0.0.1:3000", "http://127.0.0.1:3000")).toBe(200);
  expect(await post("localhost:3000", "http://localhost:3000")).toBe(200);
  expect(await post("[::1]:3000", "http://[::1]:3000")).toBe(200);
  expect(await post("localhost:3000", "http://localhost:9999")).toBe(403);
  expect(await post("rebound.example:3000", "http://rebound.example:3000")).toBe(404);
});

test("local use, where demo accounts may be, answers to this machine's own names only", async () => {
  const statuses = async (env: Parameters<typeof appWithRoutes>[0]) => {
    const app = appWithRoutes(env);
    const hosts = ["localhost:3000", "127.0.0.1", "[::1]:3000", "tunnel.example", "rebound.example:3000"];
    return Promise.all(hosts.map(async (host) => (await app.inject({ url: "/", headers: { host } })).statusCode));
  };
  expect(await statuses(testEnv({ PUBLIC_URL: "http://localhost:3000" }))).toEqual([200, 200, 200, 404, 404]);
  expect(await statuses(testEnv())).toEqual([200, 200, 200, 200, 200]);
});

test("a tunnel's visitor can't act on a local installation by naming its origin", async () => {
  const app = appWithRoutes(testEnv({ PUBLIC_URL: "http://localhost:3000" }));
  const headers = { host: "tunnel.example", origin: "http://localhost:3000" };
  expect((await app.inject({ method: "POST", url: "/change", headers })).statusCode).toBe(404);
});

test("the tRPC scope takes JSON from our pages only", async () => {
  const app = appWithRoutes();
  const post = async (type: string | undefined, origin = testOrigin) =>
    (
      await app.inject({
        method: "POST",
        url: "/trpc/x",
        headers: { origin, ...(type && { "content-type": type }) },
        payload: "{}",
      })
    ).statusCode;
  expect(await post("application/json")).toBe(200);
  expect(await post("application/json; charset=utf-8")).toBe(200);
  expect(await post("multipart/form-data; boundary=b")).toBe(415);
  expect(await post("application/jsonp")).toBe(415);
  expect(await post("text/plain")).toBe(415);
  expect(await post(undefined)).toBe(415);
  expect(await post("application/json", "https://evil.example")).toBe(403);
  expect((await app.inject("/trpc/x")).body).toBe("read");
});

test("errors are answered in one shape, and faults say nothing", async () => {
  const app = httpApp();
  app.get("/app", async () => {
    throw new AppError("rate_limited", "Wait a little", { fields: { email: ["no"] }, details: { seconds: 5 } });
  });
  app.get("/fault", async () => {
    throw new Error("password of the database");
  });
  app.post("/json", async (request) => request.body);
  const refused = await app.inject("/app");
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({
    error: { reason: "rate_limited", message: "Wait a little", fields: { email: ["no"] }, details: { seconds: 5 } },
  });
  const fault = await app.inject("/fault");
  expect(fault.statusCode).toBe(500);
  expect(fault.json()).toEqual({
    error: { reason: "internal", message: "Something went wrong. Please try again later." },
  });
  expect((await app.inject("/nowhere")).json()).toEqual({ error: { reason: "not_found", message: "Not found" } });
  const headers = { origin: testOrigin, "content-type": "application/json" };
  const broken = await app.inject({ method: "POST", url: "/json", headers, payload: '{"a":' });
  expect([broken.statusCode, broken.json().error.reason]).toEqual([400, "invalid"]);
  const large = await app.inject({ method: "POST", url: "/json", headers, payload: `"${"x".repeat(2_000_000)}"` });
  expect([large.statusCode, large.json().error.message]).toEqual([413, "The request is too large."]);
});

test("the address of reports, opened in a browser, is an empty page", async () => {
  const answer = await appWithRoutes(testEnv()).inject("/csp-report");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(answer.body).toMatch(/<body><\/body>/);
});

test("reports of the content security policy become a few short log lines without tokens", async () => {
  const lines: string[] = [];
  const app = appWithRoutes(testEnv(), lines);
  const post = async (type: string, payload: string) =>
    (await app.inject({ method: "POST", url: "/csp-report", headers: { "content-type": type }, payload })).statusCode;
  const old = {
    "document-uri": "https://gona.example/reset?token=abc",
    "violated-directive": "img-src",
    "blocked-uri": "x:",
  };
  expect(await post("application/csp-report", JSON.stringify({ "csp-report": old }))).toBe(204);
  const current = {
    type: "csp-violation",
    body: {
      effectiveDirective: "script-src",
      blockedURL: "inline",
      documentURL: "https://gona.example/report/abc",
      lineNumber: 3,
    },
  };
  expect(await post("application/reports+json", JSON.stringify([current, { type: "deprecation" }]))).toBe(204);
  expect(await post("application/json", "not json")).toBe(204);
  expect(await post("application/json", "{}")).toBe(204);
  expect(await post("text/plain", "{}")).toBe(415);
  expect(await post("application/json", " ".repeat(20_000))).toBe(413);
  const reports = () => lines.map((line) => JSON.parse(line)).filter((line) => line.report);
  expect(reports().map((line) => line.report)).toEqual([
    { directive: "img-src", blocked: "x:", page: "https://gona.example/reset" },
    { directive: "script-src", blocked: "inline", page: "https://gona.example/report/[removed]", line: 3 },
  ]);
  for (let index = 0; index < 30; index += 1) await post("application/reports+json", JSON.stringify([current]));
  expect(reports()).toHaveLength(10);
});
