import { expect, type Page } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { chunkOf } from "#tests/support/chunks.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { waitForHydration } from "#tests/support/screens.ts";
import type { DemoServer } from "#tests/support/seeded-server.ts";

// Ways through the list of projects and back again.
test.describe.configure({ timeout: 60_000 });

let server: DemoServer;
test.beforeAll(({ demo }) => {
  server = demo;
});

let problems: string[];
test.beforeEach(({ page }) => {
  problems = watchErrors(page);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const cards = (page: Page) => page.getByRole("main").getByRole("article");
const search = (page: Page) => page.getByRole("main").getByRole("searchbox", { name: "Search projects" });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("Join Us leads to the projects, and back to home", { tag: "@nightly" }, async ({ page }) => {
  await page.goto(server.url);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Join Us" }).last().click();
  await expect(page).toHaveURL(`${server.url}/discover`);
  await expect(page).toHaveTitle("Discover · Gona");
  await page.goBack();
  await expect(page).toHaveTitle("Gona");
  await expect(title(page)).toContainText("Back a Nigerian farm.");
});

test("a link of the header that is pressed before the page below it is hydrated leads on without an error", {
  tag: "@nightly",
}, async ({ page }) => {
  // Presses it until the router takes the click; before that, the browser would follow the link by itself.
  await page.addInitScript(() => {
    const timer = setInterval(() => document.querySelector<HTMLElement>("header a[aria-label$=', home']")?.click(), 1);
    addEventListener("click", (event) => {
      if (event.defaultPrevented) clearInterval(timer);
      else event.preventDefault();
    });
  });
  await page.goto(`${server.url}/discover`);
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(title(page)).toContainText("Back a Nigerian farm.");
});

test("the fields of the list take nothing before the page answers", async ({ request }) => {
  const html = await (await request.get(`${server.url}/discover`)).text();
  expect(html).toMatch(/<fieldset[^>]* disabled=""/);
});

test("a word that is typed letter by letter is asked for once, and is one step in the history", {
  tag: "@nightly",
}, async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    const input = new URL(request.url()).searchParams.get("input");
    if (request.url().includes("projects.list")) asked.push(/"search":"(\w*)"/.exec(input ?? "")?.[1] ?? "");
  });
  await page.goto(server.url);
  await waitForHydration(page);
  await page.getByRole("banner").getByRole("link", { name: "Discover" }).click();
  await expect(cards(page)).toHaveCount(12);
  await search(page).pressSequentially("snail", { delay: 40 });
  await expect(page).toHaveURL(`${server.url}/discover?search=snail`);
  await expect(cards(page)).toHaveCount(1);
  expect(asked.filter((text) => text !== "")).toEqual(["snail"]);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goForward();
  await expect(search(page)).toHaveValue("snail");
  await expect(cards(page)).toHaveCount(1);
});

test("the way back keeps filters, loaded pages and the place", async ({ page }) => {
  await page.goto(`${server.url}/discover?closed=true&sort=newest`);
  await waitForHydration(page);
  await expect(cards(page)).toHaveCount(12);
  await page.getByRole("button", { name: "Load more projects" }).click();
  await expect(cards(page)).toHaveCount(24);
  await cards(page).nth(18).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(500);
  const name = (await cards(page).nth(18).getByRole("heading").textContent()) ?? "";
  await cards(page).nth(18).getByRole("link").click();
  await expect(title(page)).toContainText(name);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(cards(page)).toHaveCount(24);
  await expect(page.getByLabel("Sort by")).toHaveValue("newest");
  await expect(page.getByRole("switch", { name: "Show Closed Projects" })).toBeChecked();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
});

test("each category is a step in the history", { tag: "@nightly" }, async ({ page }) => {
  await page.goto(`${server.url}/discover`);
  await waitForHydration(page);
  const chosen = page.getByRole("navigation", { name: "Categories" }).locator("[aria-current=page]");
  for (const name of ["Livestock", "Agri-Tech"]) {
    await page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name }).click();
    await expect(chosen).toHaveText(name);
  }
  await page.goBack();
  await expect(chosen).toHaveText("Livestock");
  await expect(cards(page).filter({ hasNotText: "Livestock" })).toHaveCount(0);
  await page.goBack();
  await expect(chosen).toHaveText("All");
});

test("the header's search takes the place of the words that are there, from every page", { tag: "@nightly" }, async ({
  page,
}) => {
  await page.goto(`${server.url}/discover?search=snail&category=livestock`);
  await waitForHydration(page);
  await expect(cards(page)).toHaveCount(1);
  const header = page.getByRole("banner").getByRole("searchbox", { name: "Search projects" });
  await header.fill("  goat ");
  await header.press("Enter");
  await expect(page).toHaveURL(`${server.url}/discover?search=goat`);
  await expect(search(page)).toHaveValue("goat");
  await expect(cards(page).first()).toContainText("goat");
});

for (const when of ["at once", "when its code has been asked for"]) {
  test(`a step back after a step on, ${when}, shows the page of the address`, { tag: "@nightly" }, async ({ page }) => {
    // Not at its first page: there a link that is pressed early waits for the hydration.
    await page.goto(`${server.url}/about`);
    await page.getByRole("banner").getByRole("link", { name: "Gona, home" }).click();
    await expect(cards(page)).toHaveCount(6);
    const asked = Promise.withResolvers<void>();
    const goneBack = Promise.withResolvers<void>();
    await page.route(chunkOf("routes/discover.tsx"), async (route) => {
      asked.resolve();
      await goneBack.promise;
      await route.continue();
    });
    const late = page.waitForResponse(chunkOf("routes/discover.tsx"));
    await page.evaluate(() => document.querySelector<HTMLElement>('header a[href="/discover"]')?.click());
    if (when !== "at once") await asked.promise;
    await page.evaluate(() => history.back());
    goneBack.resolve();
    await (await late).finished();
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page).toHaveTitle("Gona");
    await expect(title(page)).toContainText("Back a Nigerian farm.");
    await expect(cards(page)).toHaveCount(6);
  });
}
