import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { callAs, cookieJar, createUser, type Who } from "#tests/support/people.ts";
import { createReportLink, createReportScene } from "#tests/support/report-scene.ts";

// What the page is without a database is in tests/unit/report-page.test.ts, what it does on a phone in tests/e2e/report.test.ts.

const deps = await openTestDeps({ env: { NODE_ENV: "", PUBLIC_URL: "http://localhost:3000" } });
const { db, clock } = deps;

let app: FastifyInstance;
let distDir: string;
beforeAll(async () => {
  distDir = mkdtempSync(join(tmpdir(), "gona-dist-"));
  writeFileSync(join(distDir, "index.html"), "<title>Gona</title>");
  writeFileSync(join(distDir, "report.html"), readFileSync("report.html", "utf8"));
  app = await buildApp(deps, { distDir });
});
afterAll(async () => {
  await app.close();
  rmSync(distDir, { recursive: true });
});

/** Another network for each test: guesses are counted by it. */
let network = 0;
beforeEach(() => {
  network += 1;
});

async function get(path: string, who: Who = "anonymous") {
  const jar = cookieJar();
  await callAs(deps, who, { jar });
  const name = sessionCookieName(deps.env);
  const { statusCode, body } = await app.inject({
    url: path,
    headers: { host: "localhost:3000", accept: "text/html", cookie: `${name}=${jar.get(name) ?? ""}` },
    remoteAddress: `10.9.${network}.1`,
  });
  const text = body.replace(/<script[^>]*id="facts".*?<\/script>|<[^>]+>/gs, " ").replace(/\s+/g, " ");
  return { status: statusCode, text };
}

const figures = { alive: "500", died: "0" };

test("a link opens its project's report, and after it was sent says who sent it", async () => {
  const { token, project } = await createReportScene(db, clock.now());
  const { status, text } = await get(`/report/${token}`);
  expect([status, text.includes("Write 7K3P on a slate, and have it in one photo.")]).toEqual([200, true]);
  expect(text).toContain("Report 1 500 layers in Ilorin · Gona Farms");
  const { reports } = await callAs(deps, "anonymous");
  const opened = await reports.open({ by: { token } });
  const typed = Object.fromEntries(opened.report?.figures.map(({ key }) => [key, "10"]) ?? []);
  const report = { number: 1, content: "All well.", figures: { ...typed, ...figures }, farmNote: "", photoKeys: [] };
  await reports.send({ by: { token }, idempotencyKey: crypto.randomUUID(), ...report, isConfirmed: true });
  const other = await createReportLink(db, project.id, clock.now(), { label: "Hauwa" });
  expect((await get(`/report/${other}`)).text).toMatch(/Report 1 is sent .* It was sent on .* by Musa\./);
});

test.each([
  ["ended", { expiresAt: new Date("2026-11-01") }],
  ["was taken back", { revokedAt: new Date("2026-11-20") }],
])("a link that %s says so", async (_, link) => {
  const { token } = await createReportScene(db, clock.now(), link);
  const { status, text } = await get(`/report/${token}`);
  expect([status, text.includes("This link has ended. Ask whoever sent it for a new one.")]).toEqual([404, true]);
});

test("after 60 guesses in an hour a network learns nothing more, not even of a link that works", async () => {
  const { token } = await createReportScene(db, clock.now());
  for (let guess = 0; guess < 60; guess += 1) expect((await get(`/report/guess-${guess}`)).status).toBe(404);
  expect((await get(`/report/${token}`)).status).toBe(429);
});

test("the farm's people report signed in; strangers are told why not, and who is signed out signs in", async () => {
  const { project } = await createReportScene(db, clock.now());
  const path = `/farm/${project.id}/report`;
  const reporter = await createFarmPerson(db, project.farmId ?? 0, "reporter");
  expect(await get(path, reporter)).toMatchObject({ status: 200, text: expect.stringContaining("Write 7K3P") });
  expect((await get(path, await createUser(db))).status).toBe(403);
  expect(await get(path)).toMatchObject({ status: 401, text: expect.stringContaining("Sign in to report") });
});
