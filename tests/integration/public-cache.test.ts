import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import superjson from "superjson";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projects } from "#server/db/schema/projects.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createProject } from "#tests/support/projects.ts";

/** Answers that are the same for everybody, made once and again after a change. Requested over HTTP, as by visitors. */
const deps = await openTestDeps();
let app: FastifyInstance;
let projectId: number;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  projectId = (await createProject(deps.db, { title: "Snails of Ibadan" })).id;
});
afterAll(() => app.close());

/** A batch of calls of which the first has an input. */
const address = (paths: string, input: unknown) =>
  `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: superjson.serialize(input) }))}`;
const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a cached answer has all headers of the one that was made, and a request id of its own", async () => {
  const path = address("projects.list", { sort: "popular" });
  const made = await ask(path);
  expect(made.statusCode).toBe(200);
  expect(made.body).toContain("Snails of Ibadan");
  const cached = await ask(path, { cookie: "session=somebody" });
  expect(cached.body).toBe(made.body);
  const { date: _, "x-request-id": firstId, ...headers } = made.headers;
  const { date: __, "x-request-id": secondId, ...cachedHeaders } = cached.headers;
  expect(cachedHeaders).toEqual(headers);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(secondId).not.toBe(firstId);
});

test("a change of a project is in the next answer", async () => {
  const path = address("projects.list,projects.featured", { sort: "newest" });
  expect((await ask(path)).body).toContain("Snails of Ibadan");
  await deps.db.update(projects).set({ title: "Snails of Abeokuta" }).where(eq(projects.id, projectId));
  await expect.poll(async () => (await ask(path)).body).not.toContain("Snails of Ibadan");
  expect((await ask(path)).body).toContain("Snails of Abeokuta");
});

test("a refusal is not kept, and what stands beside it in a batch is", async () => {
  const wrong = address("projects.list", { sort: "sideways" });
  expect((await ask(wrong)).statusCode).toBe(400);
  expect((await ask(wrong)).statusCode).toBe(400);
  const mixed = await ask(address("projects.list,auth.viewer", { sort: "ending" }));
  expect(mixed.statusCode).toBe(200);
});

test("a longer answer goes compressed to whoever takes it", async () => {
  for (const title of ["Catfish", "Snails", "Poultry", "Goats"])
    await createProject(deps.db, { title: `${title} farm` });
  const path = address("projects.list", { sort: "newest", showClosed: true });
  const small = await ask(path, { "accept-encoding": "gzip, br" });
  const plain = await ask(path);
  expect(small.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(plain.headers).not.toHaveProperty("content-encoding");
});
