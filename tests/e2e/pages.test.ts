import { type Browser, expect, type Page } from "playwright/test";
import { cookies, localNames, tabNames } from "#client/features/pages/stored-names.ts";
import { formatDate } from "#shared/dates.ts";
import { test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// The pages of text: what the specification wants on them, where their links lead, how they are read.
test.describe.configure({ timeout: 60_000 });

let server: SeededServer<{ owner: TestUser; viewer: TestUser; backer: TestUser }>;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(async ({ db }) => ({
    owner: await createAdmin(db, "owner"),
    viewer: await createAdmin(db, "viewer"),
    backer: await createUser(db),
  }));
});
test.afterAll(async () => server.stop());

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
  // The footer comes by itself, after the page.
  await expect(page.getByRole("contentinfo")).toBeVisible();
};

for (const { path, heading, title, isLegal } of pages) {
  test(`${path} stands under its heading, with headings in order and pictures that load`, { tag: "@nightly" }, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page).toHaveTitle(`${title} · Gona`);
    await expect(page.getByText("Last updated: ")).toHaveCount(isLegal ? 1 : 0);
    const levels = await page
      .locator("h1, h2, h3, h4")
      .evaluateAll((all) => all.map((element) => Number(element.tagName[1])));
    const leaps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    expect(leaps, "headings that leave a level out").toEqual([]);
    const broken = await page.locator("main img").evaluateAll(async (images) => {
      const loads = images.map(async (image) => {
        (image as HTMLImageElement).loading = "eager";
        await (image as HTMLImageElement).decode().catch(() => undefined);
        return (image as HTMLImageElement).naturalWidth === 0 ? (image as HTMLImageElement).src : [];
      });
      return (await Promise.all(loads)).flat();
    });
    expect(broken, "pictures that don't load").toEqual([]);
  });
}

test("legal pages were last updated today, by the clock of Lagos", { tag: "@nightly" }, async ({ page }) => {
  // In Lagos the new day has begun.
  const lateEvening = new Date("2027-03-04T23:30:00Z");
  await page.clock.setFixedTime(lateEvening);
  for (const { path } of pages.filter(({ isLegal }) => isLegal)) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByText("Last updated: 5 Mar 2027", { exact: true })).toBeVisible();
  }
  await page.clock.setFixedTime(new Date());
  await page.goto(`${server.url}/terms`);
  await expect(page.getByText(`Last updated: ${formatDate(new Date())}`, { exact: true })).toBeVisible();
});

test("Trust & Safety has five cards, a link to book a visit and three reasons", { tag: "@nightly" }, async ({
  page,
}) => {
  await open(page, "/trust-safety");
  const main = page.getByRole("main");
  const cards = ["Transparency", "Sustainability", "Safety & Security", "24/7 Investment Feed", "Book a Visit"];
  await expect(main.getByRole("list").first().getByRole("heading")).toHaveText(cards);
  await expect(main.getByRole("link", { name: "Book a Visit" })).toHaveAttribute("href", "/contact#visit");
  const reasons = main.getByRole("heading", { name: /^Why Trust/ }).locator("xpath=..");
  await expect(reasons.getByRole("listitem")).toHaveCount(3);
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

  test("stand in three groups and open and close by the keyboard", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/faq");
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText([
      "Backing a farm",
      "Updates from the farm",
      "Your account",
      "Your question isn't here?",
    ]);
    await page.getByRole("link", { name: "Your account" }).focus();
    await page.keyboard.press("Tab");
    const first = item(page, "What does it mean to back a farm?");
    await expect(first.locator("summary")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(first).toHaveAttribute("open");
    await expect(first.getByText("You pay for one or more lots of a project")).toBeVisible();
    // The link inside comes next, then the next question.
    await page.keyboard.press("Tab");
    await expect(first.getByRole("link", { name: "four steps" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(item(page, "How do I pay?").locator("summary")).toBeFocused();
    await page.keyboard.press("Space");
    await expect(item(page, "How do I pay?")).toHaveAttribute("open");
    await page.keyboard.press("Space");
    await expect(item(page, "How do I pay?")).not.toHaveAttribute("open");
    await expect(first).toHaveAttribute("open");
    await expectSound(page);
  });

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

  test("stay shut for a name that is none of theirs", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/faq#no.such(question)");
    await expect(page.locator("details[open]")).toHaveCount(0);
  });
});

test("the contents of a long page lead to its sections", { tag: "@nightly" }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, "/terms");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "8. Risks" }).click();
  await expect(page).toHaveURL(/\/terms#risks$/);
  await expect(page.getByRole("heading", { name: "8. Risks" })).toBeInViewport();
  // They stay in sight while the text moves.
  await expect(page.getByRole("link", { name: "15. Contact" })).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/terms`);
  await expect(page.getByRole("link", { name: "8. Risks" })).toBeHidden();
  await page.locator("summary").click();
  await page.getByRole("link", { name: "8. Risks" }).click();
  await expect(page.getByRole("heading", { name: "8. Risks" })).toBeInViewport();
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

test("legal pages print without header, footer and contents", { tag: "@nightly" }, async ({ page }) => {
  await open(page, "/privacy");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const part of [page.getByRole("banner"), page.getByRole("contentinfo"), page.getByText("On this page").first()])
    await expect(part).toBeHidden();
});

test("looking around leaves no cookie, and signing in only those that the cookies page names", async ({ page }) => {
  for (const path of ["/", "/discover", "/faq", "/cookies"]) await open(page, path);
  expect(await page.context().cookies()).toEqual([]);
  await page.goto(`${server.url}/signup`);
  await page.getByLabel("Full Name").fill("Ada");
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(server.prepared.backer.email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(server.prepared.backer.password);
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

test.describe("starting a project", () => {
  const refusal = "Project creation is restricted to administrators.";
  const start = (page: Page) => page.getByRole("main").getByRole("link", { name: "Start a project" });

  async function pageOf(browser: Browser, user: TestUser | null): Promise<Page> {
    const context = await browser.newContext({ baseURL: server.url });
    if (user) await signInBrowser(context, server, user);
    const page = await context.newPage();
    watchErrors(page, { into: problems, allowed: nothing });
    return page;
  }

  for (const who of ["visitor", "backer"] as const) {
    test(`is refused to a ${who}, with ways on`, { tag: "@nightly" }, async ({ browser }) => {
      const page = await pageOf(browser, who === "backer" ? server.prepared.backer : null);
      await page.goto("/start-project");
      await expect(page.getByText(refusal, { exact: true })).toBeVisible();
      await expect(start(page)).toHaveCount(0);
      await expectSound(page);
      await page.getByRole("main").getByRole("link", { name: "Discover projects" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Discover projects");
      await page.context().close();
    });
  }

  test("is offered to an administrator", { tag: "@nightly" }, async ({ browser }) => {
    const page = await pageOf(browser, server.prepared.owner);
    await page.goto("/start-project");
    await expect(start(page)).toHaveAttribute("href", "/create-project");
    await expect(page.getByText(refusal)).toHaveCount(0);
    await expectSound(page);
    await page.context().close();
  });

  test("is explained to an administrator whose role can't", { tag: "@nightly" }, async ({ browser }) => {
    const page = await pageOf(browser, server.prepared.viewer);
    await page.goto("/start-project");
    await expect(page.getByText(/^Your role lets you view projects but not create them/)).toBeVisible();
    await expect(start(page)).toHaveCount(0);
    await page.context().close();
  });
});

test("/create-creator-resources leads to /creator-resources, and back leads past it", { tag: "@nightly" }, async ({
  page,
}) => {
  await open(page, "/about");
  await page.goto(`${server.url}/create-creator-resources`);
  await expect(page).toHaveURL(`${server.url}/creator-resources`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Creator Resources");
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/about`);
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

test("an unknown path says so and leads home", async ({ page }) => {
  await page.goto(`${server.url}/no/such/page`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expectSound(page);
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  problems = problems.filter((text) => !text.startsWith("Failed to load resource"));
});

test("the sign-up's terms open beside it, and what was typed stays", { tag: "@nightly" }, async ({ page, context }) => {
  await page.goto(`${server.url}/signup`);
  await page.getByLabel("Full Name").fill("Ada Obi");
  const [terms] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "terms of service" }).click(),
  ]);
  await expect(terms.getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Obi");
  await expect(page.getByLabel(/I agree to the terms of service/)).not.toBeChecked();
  await expect(page.getByRole("link", { name: "privacy policy" })).toHaveAttribute("href", "/privacy");
});
