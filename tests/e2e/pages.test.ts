import { expect, type Page } from "playwright/test";
import { formatDate } from "#shared/dates.ts";
import { cookies, localNames, tabNames } from "#shared/site/stored-names.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";

// The pages of text: what the specification wants on them, where their links lead, how they are read.
test.describe.configure({ timeout: 60_000 });

let server: Site;
let backer: TestUser;
test.beforeAll(async ({ demo }) => {
  server = demo;
  backer = await demo.prepare(({ db }) => createUser(db));
});

let problems: string[] = [];
test.beforeEach(({ page }) => {
  problems = watchErrors(page, { allowed: nothing });
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const pages = [
  { path: "/how-it-works", heading: "How it works", title: "How it works" },
  { path: "/about", heading: "About us", title: "About" },
  { path: "/trust-safety", heading: "Trust & Safety", title: "Trust & Safety" },
  { path: "/faq", heading: "Frequently asked questions", title: "FAQ" },
  { path: "/creator-resources", heading: "Creator Resources", title: "Creator Resources" },
  { path: "/terms", heading: "Terms of Service", title: "Terms of Service", isLegal: true },
  { path: "/privacy", heading: "Privacy Policy", title: "Privacy Policy", isLegal: true },
  { path: "/cookies", heading: "Cookie Policy", title: "Cookie Policy", isLegal: true },
  { path: "/accessibility", heading: "Accessibility", title: "Accessibility", isLegal: true },
  { path: "/start-project", heading: "Start a project", title: "Start a project" },
];

const open = async (page: Page, path: string) => {
  await page.goto(`${server.url}${path}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // The footer loads separately, after the page.
  await expect(page.getByRole("contentinfo")).toBeVisible();
};

test("each stands under its heading, with headings in order and pictures that load", { tag: "@nightly" }, async ({
  page,
}) => {
  for (const { path, heading, title, isLegal } of pages) {
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page).toHaveTitle(`${title} · Gona`);
    await expect(page.getByText("Last updated: ")).toHaveCount(isLegal ? 1 : 0);
    const levels = await page
      .locator("h1, h2, h3, h4")
      .evaluateAll((all) => all.map((element) => Number(element.tagName[1])));
    const leaps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    expect(leaps, `headings of ${path} that leave a level out`).toEqual([]);
    const broken = await page.locator("main img").evaluateAll(async (images) => {
      const loads = (images as HTMLImageElement[]).map(async (image) => {
        image.loading = "eager";
        await image.decode().catch(() => undefined);
        return image.naturalWidth === 0 ? image.src : [];
      });
      return (await Promise.all(loads)).flat();
    });
    expect(broken, `pictures of ${path} that don't load`).toEqual([]);
  }
});

test("legal pages were last updated today", { tag: "@nightly" }, async ({ page }) => {
  for (const { path } of pages.filter(({ isLegal }) => isLegal)) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByText(`Last updated: ${formatDate(new Date())}`, { exact: true })).toBeVisible();
  }
});

test("every link of these pages and of the footer leads to a page, and every #place to its place", {
  tag: "@nightly",
}, async ({ page }) => {
  const links = new Map<string, string>();
  const places = new Map<string, string[]>();
  const read = async (path: string) => {
    await open(page, path);
    places.set(path, await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id)));
    return page.locator("a[href]").evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  };
  for (const path of [...pages.map(({ path }) => path), "/"]) {
    for (const href of await read(path)) if (href.startsWith(server.url)) links.set(href, path);
  }
  expect(links.size).toBeGreaterThan(40);
  for (const [href, from] of links) {
    const { pathname, hash } = new URL(href);
    const answer = await page.request.get(`${server.url}${pathname}`);
    expect(answer.status(), `${pathname}, from ${from}`).toBe(200);
    if (hash === "") continue;
    if (!places.has(pathname)) await read(pathname);
    expect(
      places.get(pathname)?.filter((id) => `#${id}` === hash),
      `${href}, from ${from}`,
    ).toHaveLength(1);
  }
});

test.describe("the questions", () => {
  const refund = "I have paid, but somebody else was faster. Is my money lost?";
  const item = (page: Page, question: string) => page.locator("details").filter({ hasText: question });

  test("open by an address with their name, and stand in sight", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/faq#refund");
    await expect(item(page, refund)).toHaveAttribute("open");
    await expect(item(page, refund).locator("summary")).toBeInViewport();
    await expect(page.locator("details[open]")).toHaveCount(1);
    await page.evaluate(() => {
      location.hash = "close";
    });
    await expect(page.locator("#close")).toHaveAttribute("open");
    await expect(page.locator("#close summary")).toBeInViewport();
  });
});

test("the header fits from the smallest tablet on", { tag: "@nightly" }, async ({ page }) => {
  for (const width of [768, 960, 1024]) {
    await page.setViewportSize({ width, height: 700 });
    await open(page, "/about");
    await expect(page.getByRole("link", { name: "Sign Up" }).first()).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `sideways scrolling at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test("looking around leaves no cookie, and signing in only those that the cookies page names", async ({ page }) => {
  for (const path of ["/", "/discover", "/faq", "/cookies"]) await open(page, path);
  expect(await page.context().cookies()).toEqual([]);
  await page.goto(`${server.url}/signup`);
  await page.getByLabel("Full Name").fill("Ada");
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(backer.email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(backer.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/profile");
  const set = (await page.context().cookies()).map(({ name }) => name);
  expect(set).toContain("session");
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(kept).toContain("lastActivity");
  const named = [...cookies, ...localNames, ...tabNames].map(({ name }) => name);
  expect([...set, ...kept].filter((name) => !named.includes(name))).toEqual([]);
  await open(page, "/cookies");
  for (const name of [...set, ...kept]) await expect(page.getByText(name, { exact: true })).toBeVisible();
  problems = problems.filter((text) => !text.startsWith("Failed to load resource"));
});

test("/csp-report is an empty page that takes reports", async ({ page, request }) => {
  const answer = await page.goto(`${server.url}/csp-report`);
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()["content-type"]).toContain("text/html");
  await expect(page.locator("body")).toBeEmpty();
  const report = {
    "csp-report": { "violated-directive": "img-src", "blocked-uri": "https://elsewhere.example/a.png" },
  };
  const headers = { "content-type": "application/csp-report" };
  const taken = await request.post(`${server.url}/csp-report`, { headers, data: JSON.stringify(report) });
  expect(taken.status()).toBe(204);
});
