import type { FastifyInstance } from "fastify";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildApp } from "#server/app.ts";
import { errorTexts } from "#shared/errors.ts";
import { projectFormLimits } from "#shared/projects/admin-texts.ts";
import { updateLimits } from "#shared/projects/updates-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { anybodysProcedure, hostileBodies, largestProcedure } from "#tests/support/hostile-bodies.ts";
import { listening } from "#tests/support/http-app.ts";
import { projectFormOf } from "#tests/support/project-form.ts";

/** Bodies made to keep the process busy: refused before they are parsed, and nobody else notices. */
const origin = "https://gona.example";
const deps = await openTestDeps({ env: { PUBLIC_URL: origin, REQUIRE_EMAIL_CONFIRMATION: "false" } });
let app: FastifyInstance;
let address: string;
beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  address = await listening(app);
});
afterAll(() => app.close());

const KB = 1024;
const headers = { origin, "content-type": "application/json" };
const post = (path: string, body: string) => fetch(`${address}/trpc/${path}`, { method: "POST", headers, body });
const messageIn = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { message?: string; json?: { message: string } } };
  return error.json?.message ?? error.message;
};

describe.each(Object.entries(hostileBodies))("%s", (_name, bodyOf) => {
  test.each([
    [anybodysProcedure, 32 * KB],
    [largestProcedure, 256 * KB],
  ])("to %s is refused", async (path, bytes) => {
    const body = bodyOf(bytes);
    expect(body.length / bytes).toBeLessThanOrEqual(1);
    expect(body.length / bytes).toBeGreaterThan(0.75);
    const answer = await post(path, body);
    expect([400, 401]).toContain(answer.status);
    expect(await messageIn(answer)).toBeTruthy();
  });

  test("larger than the procedure needs isn't parsed", async () => {
    const body = bodyOf(255 * KB);
    const parsed = await isParsed(body, async () => {
      const answer = await post(anybodysProcedure, body);
      expect([answer.status, await messageIn(answer)]).toEqual([413, errorTexts.tooLarge]);
    });
    expect(parsed).toBe(false);
  });
});

/** Returns true if the server parsed the text while it answered. */
async function isParsed(text: string, send: () => Promise<unknown>): Promise<boolean> {
  const parse = vi.spyOn(JSON, "parse");
  await send();
  const found = parse.mock.calls.some(([given]) => given === text);
  parse.mockRestore();
  return found;
}

test("a procedure that takes no input parses none", async () => {
  const body = '{"json":{"a":1}}';
  let status = 0;
  const send = async () => {
    status = (await post("auth.touch", body)).status;
  };
  expect(await isParsed(body, send)).toBe(false);
  expect(status).toBe(401);
});

test("a batch may hold what the largest of its procedures needs", async () => {
  const body = JSON.stringify({ 0: { json: { padding: "x".repeat(100 * KB) } }, 1: { json: {} } });
  expect((await post("favorites.add,favorites.remove?batch=1", body)).status).toBe(413);
  expect((await post("favorites.add,updates.publish?batch=1", body)).status).toBe(401);
});

test("a body that doesn't say how long it is, is counted", async () => {
  const stream = new Blob([JSON.stringify({ json: { padding: "x".repeat(40 * KB) } })]).stream();
  const answer = await fetch(`${address}/trpc/${anybodysProcedure}`, {
    method: "POST",
    headers,
    body: stream,
    // Node wants it for a stream; its types leave it out.
    duplex: "half",
  } as RequestInit);
  expect([answer.status, await messageIn(answer)]).toEqual([413, errorTexts.tooLarge]);
});

test("the longest update and the longest project fit", async () => {
  const fish = (count: number) => "🐟".repeat(count);
  const update = { projectId: 1, title: fish(updateLimits.title), content: fish(updateLimits.content) };
  const { description, rewards, ...limits } = projectFormLimits;
  const reward = { title: fish(rewards.title), description: fish(rewards.description), amount: "1", quantity: null };
  const project = {
    ...projectFormOf(),
    shortDescription: fish(limits.shortDescription.max),
    description: `${fish(description.max)}${"</p>".repeat((description.maxHtml - 2 * description.max) / 4)}`,
    rewards: Array.from({ length: rewards.max }, () => ({ ...reward })),
  };
  // Nobody is signed in: what is refused for that was not too long.
  expect((await post("updates.publish", superjson.stringify(update))).status).toBe(401);
  expect((await post("projects.create", superjson.stringify(project))).status).toBe(401);
});

test("a reader is answered while twenty of each kind come in at once", async () => {
  let isOver = false;
  const seen: number[] = [];
  const read = async () => {
    while (!isOver) seen.push((await fetch(`${address}/trpc/auth.viewer`)).status);
  };
  const reading = read();
  const refused: number[] = [];
  for (const bodyOf of Object.values(hostileBodies)) {
    for (const [path, body] of [
      [anybodysProcedure, bodyOf(32 * KB)],
      [largestProcedure, bodyOf(255 * KB)],
    ] as const) {
      const sent = Array.from({ length: 20 }, async () => (await post(path, body)).status);
      refused.push(...(await Promise.all(sent)));
    }
  }
  isOver = true;
  await reading;
  expect(new Set(seen)).toEqual(new Set([200]));
  expect(refused.filter((status) => status < 400 || status >= 500)).toEqual([]);
});
