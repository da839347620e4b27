import { tracingChannel } from "node:diagnostics_channel";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import type { FastifyInstance, FastifyRequest } from "fastify";
import superjson from "superjson";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projects } from "#server/db/schema/projects.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createProject } from "#tests/support/projects.ts";

/** What the second who asks gets out of memory, before any route: over a real connection, as only there it is given. */
const deps = await openTestDeps();
let app: FastifyInstance;
let port: number;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
  projectId = (await createProject(deps.db, { title: "Snails of Ibadan" })).id;
});

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

async function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, ...options }, async (answer) => {
      resolve({ status: answer.statusCode, headers: answer.headers, body: await text(answer) });
    });
    sent.on("error", reject).end();
  });
}

/** A batch of calls of which the first has an input. */
const address = (paths: string, input: unknown) =>
  `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: superjson.serialize(input) }))}`;
const popular = { sort: "popular" };

/** The addresses that a route of the server was asked for. */
const routed: string[] = [];
const routes = tracingChannel("fastify.request.handler");
const listening = {
  start: (message: unknown) => void routed.push((message as { request: FastifyRequest }).request.url),
};
beforeAll(() => routes.subscribe(listening as never));
afterAll(() => void routes.unsubscribe(listening as never));
const timesRouted = (path: string) => routed.filter((url) => url === path).length;

test("an answer out of memory is the one that was made, with all its headers but its own request id", async () => {
  const path = address("projects.list", popular);
  const made = await ask(path);
  const kept = await ask(path, { headers: { cookie: "session=somebody" } });
  expect(made.status).toBe(200);
  expect(made.body).toContain("Snails of Ibadan");
  expect(kept.body).toBe(made.body);
  const { date: _, "x-request-id": firstId, ...headers } = made.headers;
  const { date: __, "x-request-id": secondId, ...keptHeaders } = kept.headers;
  expect(keptHeaders).toEqual(headers);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(secondId).toMatch(/^[0-9a-f-]{36}$/);
  expect(secondId).not.toBe(firstId);
  expect(timesRouted(path)).toBe(1);
});

test("a change of a project is in the next answer", async () => {
  const path = address("projects.list,projects.featured", popular);
  expect((await ask(path)).body).toContain("Snails of Ibadan");
  await ask(path);
  await deps.db.update(projects).set({ title: "Snails of Abeokuta" }).where(eq(projects.id, projectId));
  await expect.poll(async () => (await ask(path)).body).not.toContain("Snails of Ibadan");
  expect((await ask(path)).body).toContain("Snails of Abeokuta");
});

test("nothing is kept of errors, of answers that are somebody's, or for other methods", async () => {
  const wrong = address("projects.list", { sort: "sideways" });
  const mixed = address("projects.list,auth.viewer", popular);
  for (const path of [wrong, mixed]) {
    await ask(path);
    await ask(path);
    expect(timesRouted(path)).toBe(2);
  }
  const path = address("projects.list", { sort: "newest" });
  await ask(path);
  await ask(path);
  expect(timesRouted(path)).toBe(1);
  expect((await ask(path, { method: "HEAD" })).status).toBe(405);
  expect(timesRouted(path)).toBe(2);
});

test("many who ask at once wait for one making, and each for itself where it fails", async () => {
  const path = address("projects.list", { sort: "popular", limit: 3 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(path)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(8);
  expect(timesRouted(path)).toBe(1);

  const wrong = address("projects.list", { sort: "upwards" });
  const refused = await Promise.all(Array.from({ length: 8 }, () => ask(wrong)));
  expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(400));
  expect(timesRouted(wrong)).toBe(8);
});

test("those who take brotli get it so once it is compressed, the others as it is", async () => {
  for (const title of ["Catfish", "Snails", "Poultry", "Goats"]) await createProject(deps.db, { title });
  const path = address("projects.list", { sort: "newest", showClosed: true });
  const plain = await ask(path);
  expect(Buffer.byteLength(plain.body)).toBeGreaterThan(1024);
  const askSmall = () => fetch(`http://127.0.0.1:${port}${path}`, { headers: { "accept-encoding": "gzip, br" } });
  await expect.poll(async () => (await askSmall()).headers.get("content-encoding")).toBe("br");
  const small = await askSmall();
  expect(Number(small.headers.get("content-length"))).toBeLessThan(Buffer.byteLength(plain.body) / 2);
  expect(small.headers.get("vary")).toBe("accept-encoding");
  expect(await small.text()).toBe(plain.body);
  const again = await ask(path);
  expect(again.body).toBe(plain.body);
  expect(again.headers).not.toHaveProperty("content-encoding");
});

test("a foreign name of this machine gets nothing out of memory either", async () => {
  const path = address("projects.list", { sort: "ending" });
  expect((await ask(path)).status).toBe(200);
  const foreign = await ask(path, { headers: { host: "evil.example" } });
  expect(foreign.status).toBe(404);
  expect(foreign.body).not.toContain("Snails");
});

test("a server that is closing gives nothing out of memory any more", async () => {
  const path = address("projects.list", { sort: "funded" });
  await ask(path);
  await ask(path);
  expect(timesRouted(path)).toBe(1);
  const closing = app.close();
  await expect.poll(async () => ask(path).catch(() => "refused")).toEqual("refused");
  await closing;
});
