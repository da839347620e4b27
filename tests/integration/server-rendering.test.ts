import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import superjson from "superjson";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { projectFavorites, projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { requireSignInKey } from "#shared/settings/texts.ts";
import { openTestDeps, type TestDeps } from "#tests/support/deps.ts";
import { writeFiles } from "#tests/support/http-app.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { sessionCookie } from "#tests/support/uploads.ts";

// The server's part of rendered pages. What renders here only writes down what it was given; the components are drawn by
// the built product in tests/e2e/paint.test.ts.

const template = `<!doctype html><html><head><meta property="csp-nonce" nonce="__CSP_NONCE__"><!--head--></head><body><div id="root"><!--root--></div><!--boot--></body></html>`;
const drawing = `
let drawn = 0;
export async function renderPage({ href, boot, nonce }) {
  if (boot.includes("cannot be drawn")) throw new Error("no");
  if (boot.includes("never drawn")) await new Promise(() => {});
  drawn += 1;
  const text = boot.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return { root: \`<main nonce="\${nonce}" data-drawn="\${drawn}" data-href="\${href}">\${text}</main>\`, preloads: "<link rel=preload>" };
}
`;

const deps: TestDeps = await openTestDeps({ env: { PUBLIC_URL: "https://gona.example" } });
let app: FastifyInstance;
beforeAll(async () => {
  const manifest = {
    "index.html": { file: "assets/start.js", isEntry: true, css: ["assets/start.css"] },
    _shared: { file: "assets/shared.js", imports: ["index.html"], css: ["assets/shared.css"] },
    "src/client/routes/project.$id.tsx?tsr-split=component": { file: "assets/project.js", imports: ["_shared"] },
    "src/client/app/shell/footer.tsx": { file: "assets/footer.js", imports: ["_shared"], css: ["assets/footer.css"] },
  };
  const distDir = await writeFiles(join(deps.env.dataDir, "dist"), {
    "index.html": template,
    ".rendering/entry-server.js": drawing,
    ".vite/manifest.json": JSON.stringify(manifest),
    "assets/shared.css": ".shared{}",
    "assets/footer.css": ".footer{}",
  });
  app = await buildApp(deps, { distDir });
  return () => app.close();
});

let project: TestProject;
beforeEach(async () => {
  project = await createProject(deps.db, { title: "Snail pens in Epe" });
});
afterEach(async () => {
  await deps.db.delete(projects);
  await deps.db.delete(settings);
});

const open = (url: string, headers = {}) => app.inject({ url, headers: { accept: "text/html", ...headers } });
const rootOf = (html: string) => /<div id="root">(.*)<\/div>/s.exec(html)?.[1];
const bootOf = (html: string) => /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1];
const answersIn = (html: string) =>
  superjson.parse<{ key: unknown; data?: unknown; refusal?: unknown }[]>(bootOf(html) ?? "null");

async function signedIn() {
  const user = await createUser(deps.db);
  return { user, headers: { cookie: await sessionCookie(deps, user) } };
}

test("a page comes with its drawing, its answers and the tags of its code", async () => {
  const { body, headers } = await open(`/project/${project.id}?utm_source=chat`);
  expect(rootOf(body)).toContain(`data-href="/project/${project.id}">`);
  expect(answersIn(body)).toMatchObject([
    {
      key: [["projects", "byId"], { input: { projectId: project.id }, type: "query" }],
      data: { title: project.title },
    },
  ]);
  expect(body).toContain(
    `<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/project.js"><link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/shared.js"><link rel="stylesheet" disabled media="not all" href="/assets/shared.css"><link rel="stylesheet" disabled media="not all" href="/assets/footer.css">`,
  );
  const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
  expect(body).toContain(`<style nonce="${nonce}">.shared{}.footer{}</style></head>`);
  expect(rootOf(body)).toContain(`<main nonce="${nonce}"`);
  expect(headers["cache-control"]).toBe("no-cache");
});

test("a page is drawn anew with every change", async () => {
  for (const url of ["/", `/project/${project.id}`]) {
    expect(rootOf((await open(url)).body)).toContain(project.title);
    const title = `Goat herd of ${url}`;
    await deps.db.update(projects).set({ title }).where(eq(projects.id, project.id));
    await expect.poll(async () => rootOf((await open(url)).body)).toContain(title);
    await deps.db.update(projects).set({ title: project.title }).where(eq(projects.id, project.id));
    await expect.poll(async () => rootOf((await open(url)).body)).not.toContain(title);
  }
});

test("the days left follow the clock", async () => {
  const daysLeft = async () => Number(/"daysLeft":(\d+)/.exec((await open(`/project/${project.id}`)).body)?.[1]);
  const before = await daysLeft();
  deps.clock.advance({ days: 2 });
  const after = await daysLeft();
  deps.clock.advance({ days: -2 });
  expect(after).toBe(before - 2);
});

test("hostile words stay words, in the drawing and in the answers", async () => {
  const title = `</script><script nonce="__CSP_NONCE__">$& $1 $\` <!--boot--><!--root--></div></head>`;
  const hostile = await createProject(deps.db, { title });
  for (const url of ["/", `/project/${hostile.id}`]) {
    const { body, headers } = await open(url);
    expect(superjson.stringify(answersIn(body))).toContain(JSON.stringify(title).slice(1, -1));
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body.match(/<\/head>/g)).toHaveLength(1);
    expect(rootOf(body)).toContain("__CSP_NONCE__");
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "none";
    expect(body.split(`"${nonce}"`)).toHaveLength(4);
  }
});

test("whoever is signed in gets the project as theirs, and nobody else does", async () => {
  const { user, headers } = await signedIn();
  await deps.db.insert(projectFavorites).values({ projectId: project.id, userId: user.id });
  const mine = await open(`/project/${project.id}`, headers);
  expect(answersIn(mine.body)).toMatchObject([{ data: { isFavorite: true } }]);
  expect(mine.headers["cache-control"]).toBe("no-store");
  expect(answersIn((await open(`/project/${project.id}`)).body)).toMatchObject([{ data: { isFavorite: false } }]);
});

test("a session that is over gets what anybody gets", async () => {
  const headers = { cookie: `${sessionCookieName(deps.env)}=stale` };
  expect(answersIn((await open(`/project/${project.id}`, headers)).body)).toMatchObject([
    { data: { isFavorite: false, isBacked: false } },
  ]);
});

test("a missing project is drawn as missing", async () => {
  const { statusCode, body } = await open("/project/999999");
  expect(statusCode).toBe(404);
  expect(answersIn(body)).toMatchObject([{ refusal: { data: { reason: "not_found" } } }]);
});

test("where projects are for signed-in people, nobody else gets anything of one", async () => {
  await deps.db.insert(settings).values({ key: requireSignInKey, value: "true" });
  const there = await open(`/project/${project.id}`);
  expect(there.statusCode).toBe(200);
  expect(answersIn(there.body)).toMatchObject([{ refusal: { data: { reason: "unauthenticated" } } }]);
  expect(there.body).not.toContain("Snail");
  const { headers } = await signedIn();
  expect((await open(`/project/${project.id}`, headers)).body).toContain("Snail pens in Epe");
});

test("a page that can't be drawn comes with its answers, for the browser to draw", async () => {
  const odd = await createProject(deps.db, { title: "It cannot be drawn" });
  const { statusCode, body } = await open(`/project/${odd.id}`);
  expect(statusCode).toBe(200);
  expect(rootOf(body)).toBe("");
  expect(answersIn(body)).toMatchObject([{ data: { title: "It cannot be drawn" } }]);
});

test("a drawing that never ends keeps neither its page away nor others", async () => {
  const odd = await createProject(deps.db, { title: "It is never drawn" });
  const answers = await Promise.all([odd, odd, project].map(({ id }) => open(`/project/${id}`)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(answers.slice(0, 2).map(({ body }) => rootOf(body))).toEqual(["", ""]);
  expect(answersIn(answers[0]?.body ?? "")).toMatchObject([{ data: { title: "It is never drawn" } }]);
  expect(rootOf((await open(`/project/${project.id}`)).body)).toContain("Snail pens in Epe");
});

test("without the database the page comes all the same, empty", async () => {
  const db = new Proxy(deps.db, {
    get: (real, name, receiver) => {
      if (name === "select" || name === "execute") throw new Error("the database is away");
      return Reflect.get(real, name, receiver);
    },
  });
  const distDir = join(deps.env.dataDir, "dist");
  const cutOff = await buildApp({ ...deps, db }, { distDir });
  for (const url of ["/", "/discover", `/project/${project.id}`]) {
    const { statusCode, body } = await cutOff.inject({ url, headers: { accept: "text/html" } });
    expect([url, statusCode, rootOf(body), bootOf(body)]).toEqual([url, 200, "", undefined]);
  }
  await cutOff.close();
});
