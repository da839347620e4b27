import { readFileSync } from "node:fs";
import { expect } from "playwright/test";
import { publicPages } from "#server/http/pages/page-heads.ts";
import { createApiClient } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import type { DemoServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// What the server says of a page before any script runs, against what the page then says of itself.
test.describe.configure({ timeout: 60_000 });

let server: DemoServer;
let open: { id: number; title: string };
let closed: { id: number; title: string };
test.beforeAll(async ({ demo }) => {
  server = demo;
  const { items } = await createApiClient(server.url).projects.list.query({ showClosed: true });
  const find = (isClosed: boolean) => {
    const found = items.find((project) => project.isClosed === isClosed);
    if (!found) throw new Error(`the demo has no ${isClosed ? "closed" : "open"} project`);
    return found;
  };
  [open, closed] = [find(false), find(true)];
});

let problems: string[];
test.beforeEach(({ page }) => {
  problems = watchErrors(page);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const unescapeHtml = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name as string] ?? "'",
  );

test("every public page, and a project, has from the server the title that it keeps", { tag: "@nightly" }, async ({
  page,
  request,
}) => {
  const routeTree = readFileSync("src/client/route-tree.gen.ts", "utf8");
  const paths = Object.keys(publicPages).filter((path) => routeTree.includes(`fullPath: "${path}"`));
  expect(paths).toContain("/discover");
  for (const path of [...paths, `/project/${open.id}`, `/project/${closed.id}`, "/project/999999", "/nowhere"]) {
    const answer = await request.get(`${server.url}${path}`, { headers: { accept: "text/html" } });
    const title = unescapeHtml(/<title>(.*?)<\/title>/s.exec(await answer.text())?.[1] ?? "");
    await page.goto(`${server.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page, path).toHaveTitle(title);
  }
});

test("a missing page and a missing project are answered as not found, and say so", { tag: "@nightly" }, async ({
  page,
}) => {
  const missing = await page.goto(`${server.url}/no/such/page`);
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL(`${server.url}/`);

  const gone = await page.goto(`${server.url}/project/999999`);
  expect(gone?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Project Not Found" })).toBeVisible();
  await expect(page.getByText("The project you're looking for doesn't exist or has been removed.")).toBeVisible();
});

test("the first page's address is not passed on as another page's", { tag: "@nightly" }, async ({ page }) => {
  const canonical = page.locator("link[rel=canonical]");
  await page.goto(`${server.url}/discover?category=tech`);
  await expect(canonical).toHaveAttribute("href", `${server.url}/discover`);
  await page.getByRole("banner").getByRole("link", { name: "Gona, home" }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(canonical).toHaveCount(0);
});

test("a project is shared by its one address, with WhatsApp first", { tag: "@nightly" }, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${server.url}/project/${open.id}?tab=updates`);
  const share = page.getByRole("region", { name: "Share this project" });
  const address = `${server.url}/project/${open.id}`;
  const text = `${open.title} on Gona:`;
  await expect(share.getByRole("link")).toHaveText([/^WhatsApp/, /^Facebook/, /^X/]);
  const hrefs = await share
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const [whatsApp, facebook, x] = hrefs.map((href) => new URL(href).searchParams);
  expect(whatsApp?.get("text")).toBe(`${text} ${address}`);
  expect(facebook?.get("u")).toBe(address);
  expect([x?.get("text"), x?.get("url")]).toEqual([text, address]);
  for (const link of await share.getByRole("link").all())
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await share.getByRole("button", { name: "Copy link" }).click();
  await expect(share.getByRole("button", { name: "Copied link" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expectSound(page);
});

test("a phone's own way to share is offered where there is one, and may be closed without a fault", {
  tag: "@nightly",
}, async ({ page }) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(navigator, {
      share: (data: unknown) => {
        shared.push(data);
        return Promise.reject(new DOMException("closed", "AbortError"));
      },
      shared,
    });
  });
  await page.goto(`${server.url}/project/${closed.id}`);
  await page.getByRole("button", { name: "Share with an app" }).click();
  const title = `${closed.title} (CLOSED)`;
  expect(await page.evaluate(() => Reflect.get(navigator, "shared"))).toEqual([
    { title, text: `${title} on Gona`, url: `${server.url}/project/${closed.id}` },
  ]);
});

test("the pictures of link previews are there", async ({ request }) => {
  for (const path of ["/cards/site.jpg", `/cards/project/${open.id}.jpg`]) {
    const card = await request.get(`${server.url}${path}`);
    expect([card.status(), card.headers()["content-type"]]).toEqual([200, "image/jpeg"]);
    expect((await card.body()).length).toBeLessThan(300_000);
  }
});
