import fastifyCookie from "@fastify/cookie";
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import { eq, sql } from "drizzle-orm";
import Fastify, { type FastifyInstance } from "fastify";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projects } from "#server/db/schema/projects.ts";
import { createCallContext } from "#server/platform/context.ts";
import { type AppRouter, appRouter } from "#server/router.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { sessionCookie } from "#tests/support/uploads.ts";

/** Our route and the official adapter, side by side on the same database: what one answers, the other does. */
const origin = "https://gona.example";
const deps = await openTestDeps({ env: { PUBLIC_URL: origin } });
let ours: FastifyInstance;
let official: FastifyInstance;
let cookie: string;

beforeAll(async () => {
  ours = await buildApp(deps, { distDir: "/nowhere" });
  official = Fastify({ routerOptions: { maxParamLength: 5000 } });
  await official.register(fastifyCookie);
  await official.register(fastifyTRPCPlugin, {
    prefix: "/trpc",
    trpcOptions: {
      router: appRouter,
      createContext: ({ req, res }) => createCallContext(deps, req, res),
      maxBatchSize: 10,
    } satisfies FastifyTRPCPluginOptions<AppRouter>["trpcOptions"],
  });
  cookie = await sessionCookie(deps, await createUser(deps.db));
  await createProject(deps.db, { title: "Snails of Ibadan" });
  await createProject(deps.db, { title: "Catfish of Kano" });
});
afterAll(async () => {
  await ours.close();
  await official.close();
});

const wire = (value: unknown) => JSON.stringify(superjson.serialize(value));
const query = (path: string, input?: unknown) =>
  `/trpc/${path}${input === undefined ? "" : `?input=${encodeURIComponent(wire(input))}`}`;
const batch = (paths: string[], inputs: unknown = {}) =>
  `/trpc/${paths.join(",")}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
const input = (value: unknown) => superjson.serialize(value);

type Sent = { url: string; method?: "GET" | "POST" | "PUT" | "HEAD"; payload?: string; isStranger?: true };

async function bothAnswers({ url, method = "GET", payload, isStranger }: Sent) {
  const headers = { origin, ...(!isStranger && { cookie }), ...(payload && { "content-type": "application/json" }) };
  const answers = [];
  for (const app of [ours, official]) {
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    });
    // Stacks are shown by the official adapter of an unbuilt server only, and quote its own files.
    answers.push({
      statusCode,
      body: body.replace(/,?"stack":"[^"]*"/g, ""),
    });
  }
  return answers;
}

const table: [string, Sent][] = [
  ["a public query", { url: query("projects.featured") }],
  ["a query with an input", { url: query("projects.list", { sort: "newest" }) }],
  ["a query for the signed-in person", { url: query("notifications.newest") }],
  ["the same for a stranger", { url: query("notifications.newest"), isStranger: true }],
  ["a query that finds nothing", { url: query("projects.byId", { projectId: 999_999 }) }],
  ["an input that the schema refuses", { url: query("projects.byId", { projectId: "one" }) }],
  ["an input that is missing", { url: query("projects.byId") }],
  ["an input that is no JSON", { url: "/trpc/projects.byId?input=%7Bno" }],
  ["an input that superjson can't read", { url: "/trpc/projects.byId?input=5" }],
  ["a path that is none", { url: query("projects.none") }],
  ["a path of every object", { url: query("constructor") }],
  ["a batch", { url: batch(["projects.featured", "auth.viewer"]) }],
  ["a batch of one", { url: batch(["projects.list"], { 0: input({ sort: "funded" }) }) }],
  ["a batch of which one fails", { url: batch(["projects.featured", "projects.none"]) }],
  ["a batch of which all fail alike", { url: batch(["projects.none", "projects.neither"]) }],
  ["a batch of the same call", { url: batch(["projects.featured", "projects.featured"]) }],
  ["a batch whose input is no object", { url: batch(["projects.list"], 5) }],
  ["a batch that is too long", { url: batch(Array.from({ length: 11 }, () => "projects.featured")) }],
  ["a batch of queries and mutations", { url: batch(["projects.featured", "favorites.add"]) }],
  ["a mutation", { url: "/trpc/users.changeName", method: "POST", payload: wire({ fullName: "Ada Obi" }) }],
  ["a refused mutation", { url: "/trpc/favorites.add", method: "POST", payload: wire({ projectId: 999_999 }) }],
  ["a mutation by GET", { url: query("favorites.add", { projectId: 1 }) }],
  ["a query by POST", { url: "/trpc/projects.featured", method: "POST", payload: wire(null) }],
  ["another method", { url: "/trpc/favorites.add", method: "PUT", payload: wire({ projectId: 1 }) }],
  ["a body that is no JSON", { url: "/trpc/favorites.add", method: "POST", payload: "{no" }],
  [
    "a batch of mutations",
    {
      url: "/trpc/users.changeName,favorites.add?batch=1",
      method: "POST",
      payload: JSON.stringify({ 0: input({ fullName: "Ada Obi" }), 1: input({ projectId: 999_999 }) }),
    },
  ],
];

describe("our route answers as the official adapter does", () => {
  test.each(table)("%s", async (_name, sent) => {
    const [answer, expected] = await bothAnswers(sent);
    expect(answer).toEqual(expected);
  });
});

describe("what is the same for everybody", () => {
  const titlesOf = async (app: FastifyInstance) => {
    const { body, statusCode } = await app.inject({ url: query("projects.list", { sort: "newest" }) });
    expect(statusCode).toBe(200);
    const { result } = JSON.parse(body) as { result: { data: { json: { items: { title: string }[] } } } };
    return result.data.json.items.map(({ title }) => title);
  };

  test("is answered from memory until a project changes, whoever changes it", async () => {
    await titlesOf(ours);
    const before = await titlesOf(ours);
    const project = await createProject(deps.db, { title: "Goats of Jos" });
    await expect.poll(() => titlesOf(ours)).toEqual(["Goats of Jos", ...before]);
    await deps.db.delete(projects).where(eq(projects.id, project.id));
    await expect.poll(() => titlesOf(ours)).toEqual(before);
  });

  test("is no older than five seconds, also where nobody told of a change", async () => {
    const before = await titlesOf(ours);
    await deps.db.execute(sql`alter table farms disable trigger farms_tell_change`);
    await deps.db.execute(sql`alter table projects disable trigger projects_tell_change`);
    await createProject(deps.db, { title: "Bees of Benue" });
    await deps.db.execute(sql`alter table projects enable trigger projects_tell_change`);
    await deps.db.execute(sql`alter table farms enable trigger farms_tell_change`);
    deps.clock.advance({ ms: 4999 });
    expect(await titlesOf(ours)).toEqual(before);
    deps.clock.advance({ ms: 2 });
    expect(await titlesOf(ours)).toEqual(["Bees of Benue", ...before]);
  });
});
