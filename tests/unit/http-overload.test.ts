import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { registerOverload } from "#server/http/overload.ts";
import { httpApp } from "#tests/support/http-app.ts";

const limits = { maxDelayMs: 100, sampleMs: 200 };

async function busyApp(given = limits): Promise<FastifyInstance> {
  const app = httpApp();
  await registerOverload(app, given);
  for (const path of ["/", "/healthz", "/readyz", "/assets/a.js"]) app.get(path, async () => ({ status: "ok" }));
  await app.ready();
  return app;
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Keeps the process from nearly everything else until the app refuses. */
async function overload(app: FastifyInstance): Promise<void> {
  for (let times = 0; times < 100; times += 1) {
    block(2 * limits.maxDelayMs);
    // A few turns, so that timers run too.
    for (let turns = 0; turns < 5; turns += 1) await turn();
    if ((await app.inject("/")).statusCode === 503) return;
  }
  throw new Error("the app never refused");
}

test("an overloaded process refuses at once, says when to come back, and takes part again once it is over", async () => {
  const app = await busyApp();
  expect((await app.inject("/")).statusCode).toBe(200);
  await overload(app);
  const refused = await app.inject("/");
  expect(refused.statusCode).toBe(503);
  expect(refused.headers).toMatchObject({
    "retry-after": "10",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const message = "Too many people are here right now. Please try again in a few seconds.";
  expect(refused.json()).toEqual({ error: { reason: "unavailable", message } });

  const page = await app.inject({ url: "/", headers: { accept: "text/html,*/*;q=0.8" } });
  expect([page.statusCode, page.headers["content-type"], page.body]).toEqual([
    503,
    "text/plain; charset=utf-8",
    `${message}\n`,
  ]);
  await expect.poll(async () => (await app.inject("/")).statusCode, { timeout: 4000 }).toBe(200);
});

test("who asks whether the process is up gets an answer all the while, and so does a page for its parts", async () => {
  const app = await busyApp();
  await overload(app);
  for (const path of ["/healthz", "/readyz", "/assets/a.js"]) {
    expect((await app.inject(path)).statusCode, path).toBe(200);
  }
  expect((await app.inject("/")).statusCode).toBe(503);
});

test("a machine that stood still for a moment refuses nobody", async () => {
  const app = await busyApp({ maxDelayMs: 100, sampleMs: 1000 });
  block(1500);
  for (let turns = 0; turns < 20; turns += 1) {
    await turn();
    expect((await app.inject("/")).statusCode).toBe(200);
  }
});
