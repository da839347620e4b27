import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { farms } from "#server/db/schema/farms.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { callAs, cookieJar, createUser, type Who } from "#tests/support/people.ts";
import { createReportLink, createReportScene } from "#tests/support/report-scene.ts";

// What the page is without a database is in tests/unit/report-page.test.ts, what it does on a phone in
// tests/e2e/report.test.ts, and which links work in reports.test.ts.

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

async function get(path: string, who: Who = "anonymous") {
  const jar = cookieJar();
  await callAs(deps, who, { jar });
  const name = sessionCookieName(deps.env);
  const { statusCode, body } = await app.inject({
    url: path,
    headers: { host: "localhost:3000", accept: "text/html", cookie: `${name}=${jar.get(name) ?? ""}` },
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

test("a closed farm has nothing to report any more, by a link neither", async () => {
  const { token, project } = await createReportScene(db, clock.now());
  await db
    .update(farms)
    .set({ closedAt: clock.now() })
    .where(eq(farms.id, project.farmId ?? 0));
  const { status, text } = await get(`/report/${token}`);
  expect([status, text.includes("This farm is closed. It has nothing to report any more.")]).toEqual([403, true]);
  const { reports } = await callAs(deps, "anonymous");
  const report = { number: 1, content: "All well.", figures, farmNote: "", photoKeys: [], isConfirmed: true };
  const sending = reports.send({ by: { token }, idempotencyKey: crypto.randomUUID(), ...report });
  await expect(sending).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("the farm's people report signed in; strangers are told why not, and who is signed out signs in", async () => {
  const { project } = await createReportScene(db, clock.now());
  const path = `/farm/${project.id}/report`;
  const reporter = await createFarmPerson(db, project.farmId ?? 0, "reporter");
  expect(await get(path, reporter)).toMatchObject({ status: 200, text: expect.stringContaining("Write 7K3P") });
  expect((await get(path, await createUser(db))).status).toBe(403);
  expect(await get(path)).toMatchObject({ status: 401, text: expect.stringContaining("Sign in to report") });
});
