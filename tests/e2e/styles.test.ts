import { readdirSync, readFileSync } from "node:fs";
import { expect } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";

// Which rules the built styles hold, and which of them win.

const folder = "dist/assets";
const sheets = readdirSync(folder)
  .filter((name) => name.endsWith(".css"))
  .map((name) => ({ name, css: readFileSync(`${folder}/${name}`, "utf8") }));

/** The classes of our CSS modules as the build names them, and Mantine's. */
const moduleClass = /\.(_[\w-]+_[\w-]{5}_\d+|m_[0-9a-f]+)(?![\w-])/g;
const ownRule = /\._[\w-]+_[\w-]{5}_\d+\{[^{}]*\}/g;

/** What `find` finds in more than one place, with the files. */
function foundTwice(find: (css: string) => Iterable<string>) {
  const places = new Map<string, string[]>();
  for (const { name, css } of sheets)
    for (const found of find(css)) places.set(found, [...(places.get(found) ?? []), name]);
  expect(places.size).toBeGreaterThan(300);
  return [...places].filter(([, names]) => names.length > 1);
}

// Which of two copies comes last, and wins, would hang on what was loaded before.
test("no class of a CSS module is emitted twice", () => {
  const all = (css: string, pattern: RegExp) => Array.from(css.matchAll(pattern), (match) => match[1] ?? match[0]);
  expect(foundTwice((css) => new Set(all(css, moduleClass)))).toEqual([]);
  expect(foundTwice((css) => all(css, ownRule))).toEqual([]);
});

test.describe("the administrators' header at 1280 px", () => {
  let server: SeededServer<{ owner: TestUser; project: { id: number } }>;
  test.beforeAll(async () => {
    test.setTimeout(150_000);
    server = await startSeededServer(async ({ db }) => ({
      owner: await createAdmin(db, "owner"),
      project: await createProject(db),
    }));
  });
  test.afterAll(async () => server.stop());

  test("has no menu button of phones, before the editor has loaded nor after", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
    await signInBrowser(context, server, server.prepared.owner);
    await context.addInitScript(() => localStorage.setItem("isAdmin", "true"));
    const page = await context.newPage();
    const header = page.getByRole("banner");
    const menuButton = header.getByRole("button", { name: "Account", exact: true, includeHidden: true });
    await page.goto("/admin/dashboard");
    await expect(header.getByRole("button", { name: "Logout" })).toBeVisible();
    await expect(menuButton).toBeHidden();

    await page.goto(`/edit-project/${server.prepared.project.id}`);
    await expect(page.getByRole("toolbar", { name: "Formatting of Full Description" })).toBeVisible();
    await expect(header.getByRole("button", { name: "Logout" })).toBeVisible();
    await expect(menuButton).toBeHidden();
    await page.setViewportSize({ width: 800, height: 900 });
    await expect(menuButton).toBeVisible();
    await context.close();
  });
});
