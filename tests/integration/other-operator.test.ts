import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { seedDemoData } from "#server/cli/seed.ts";
import { papers } from "#server/db/schema/papers.ts";
import { payoutRuns } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { privatePages, publicPages } from "#server/http/pages/page-heads.ts";
import { exportFormatsOf, exportNames, exportPath } from "#shared/exports/texts.ts";
import { paperKinds } from "#shared/papers/kinds.ts";
import { paperPath } from "#shared/papers/texts.ts";
import { payoutFilePath } from "#shared/payouts/runs-texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { download } from "#tests/support/downloads.ts";
import { keepOtherOperator } from "#tests/support/keep-gona.ts";
import { readPdf } from "#tests/support/pdf-text.ts";
import { callAs, createAdmin, type TestUser } from "#tests/support/people.ts";
import { otherOperator } from "#tests/support/site.ts";

/**
 * A season under another operator: nothing that leaves the site has the name of the demo's. The product's own texts,
 * mails and heads are searched by tests/unit/operators-name.test.ts, its screens by tests/e2e/other-operator.test.ts.
 */

const deps = await openTestDeps();
const name = /gona/i;
let app: FastifyInstance;
let owner: TestUser;

beforeAll(async () => {
  await keepOtherOperator(deps);
  await seedDemoData(deps, {
    owner: { email: "owner@demo.example", password: "Farm-b3q8Zt-k2W" },
    second: { email: "second-owner@demo.example", password: "Farm-b3q8Zt-k2W" },
    backer: { email: "backer@demo.example", password: "Farm-b3q8Zt-k2W" },
  });
  owner = await createAdmin(deps.db, "owner");
  const distDir = join(deps.env.dataDir, "dist");
  await mkdir(distDir, { recursive: true });
  await cp("public", distDir, { recursive: true });
  await writeFile(
    join(distDir, "index.html"),
    "<!doctype html><html><head><!--head--></head><body><!--boot--></body></html>",
  );
  app = await buildApp(deps, { distDir });
  return () => app.close();
});

type Answer = Awaited<ReturnType<typeof download>>;

async function expectUnnamed(answer: Answer, what: string): Promise<void> {
  expect(answer.statusCode, what).toBe(200);
  expect(JSON.stringify(answer.headers), what).not.toMatch(name);
  const isPdf = answer.headers["content-type"] === "application/pdf";
  expect(isPdf ? await readPdf(answer.rawPayload) : answer.body, what).not.toMatch(name);
  // A PDF's metadata stands in it as plain text.
  if (isPdf) expect(answer.rawPayload.toString("latin1"), what).not.toMatch(name);
}

test("a paper of each kind is the other operator's", async () => {
  const range = { firstDay: "2026-06-01", lastDay: "2026-11-20" };
  const [backer] = await deps.db.select().from(users).where(eq(users.email, "backer@demo.example"));
  const caller = await callAs(deps, owner);
  await caller.papers.statementOf({ userId: backer?.id ?? "", ...range });
  await caller.papers.taxList(range);
  const all = await deps.db.select().from(papers);
  const byKind = Map.groupBy(all, ({ kind }) => kind);
  expect([...byKind.keys()].sort()).toEqual([...paperKinds].sort());
  for (const [kind, [paper]] of byKind) {
    const answer = await download(deps, app, owner, paperPath(paper?.id ?? 0));
    await expectUnnamed(answer, kind);
    const { legalName, paperPrefix } = otherOperator;
    expect(await readPdf(answer.rawPayload), kind).toContain(legalName);
    expect(answer.headers["content-disposition"], kind).toContain(`filename="${paperPrefix}`);
  }
});

test("every export, one's own data and the bank's file say nothing else", async () => {
  const [project] = await deps.db.select().from(projects);
  for (const each of exportNames) {
    for (const format of exportFormatsOf(each)) {
      const path = `${exportPath(each, format)}${each === "backers" ? `?projectId=${project?.id}` : ""}`;
      await expectUnnamed(await download(deps, app, owner, path), `${each}.${format}`);
    }
  }
  const [backer] = await deps.db.select().from(users).where(eq(users.email, "backer@demo.example"));
  const own = await download(deps, app, { ...owner, id: backer?.id ?? "", isAdmin: false }, "/files/my-data.json");
  await expectUnnamed(own, "my data");
  expect(own.headers["content-disposition"]).toContain('filename="harvest-house-my-data-');
  const runs = await deps.db.select().from(payoutRuns);
  const exported = runs.find(({ exportedAt }) => exportedAt !== null);
  await deps.db.delete(rateLimits);
  await expectUnnamed(await download(deps, app, owner, payoutFilePath(exported?.id ?? 0, "csv")), "the bank's file");
});

test("every page comes with a head of theirs, and so do the files for search engines", async () => {
  const [project] = await deps.db.select().from(projects);
  const paths = [...Object.keys(publicPages), ...Object.keys(privatePages), `/project/${project?.id}`, "/robots.txt"];
  for (const path of [...paths, "/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/projects-0.xml"]) {
    const answer = await app.inject({ url: path.replace(/\$\w+/g, "1"), headers: { accept: "text/html" } });
    expect(`${JSON.stringify(answer.headers)}\n${answer.body}`, path).not.toMatch(name);
  }
});
