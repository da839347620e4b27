import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import { projectFavorites } from "#server/db/schema/projects.ts";
import type { Deps } from "#server/platform/deps.ts";
import { fundingPercent } from "#shared/money.ts";
import { mediaTexts } from "#shared/projects/media-texts.ts";
import { createApiClient } from "#tests/support/api-client.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { waitForContent, waitForHydration } from "#tests/support/screens.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { openWatched } from "#tests/support/watched-page.ts";

// The content of pages before any of their scripts has run, and how the scripts take it over.
test.describe.configure({ timeout: 60_000 });

const hostileTitle = `</script><img src=x onerror="document.title='pwned'"> $& __CSP_NONCE__ ' style="color:red`;

async function prepare({ db }: Deps) {
  const farm = await createProject(db, {
    title: "Snail pens in Epe",
    location: "Epe, Lagos",
    fundingGoalKobo: 75_000_000n,
    description: '<p>Forty pens under palms, looked after by a cooperative. We wrote style="color:red" here.</p>',
  });
  const hostile = await createProject(db, { title: hostileTitle, location: hostileTitle, imageAlt: hostileTitle });
  const broken = await createProject(db, { title: "Farm without a picture", imageUrl: "/scenes/none-such.svg" });
  const backer = await createUser(db);
  await db.insert(projectFavorites).values({ projectId: farm.id, userId: backer.id });
  return { farm, hostile, broken, backer };
}

let server: Site;
let prepared: Awaited<ReturnType<typeof prepare>>;
/** The first of the demo's farms on the home page. */
let popular: { id: number; title: string; currentFundingKobo: bigint; fundingGoalKobo: bigint };
test.beforeAll(async ({ demo }) => {
  server = demo;
  prepared = await demo.prepare(prepare);
  const [first] = await createApiClient(server.url).projects.featured.query();
  if (!first) throw new Error("the demo has no farm");
  popular = first;
});

const contexts: BrowserContext[] = [];
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

type Visit = { page: Page; problems: string[]; asked: string[] };

/** A browser that notes errors, what its policy blocked, and which procedures the page asks for. */
async function visit(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: server.url, ...options });
  contexts.push(context);
  const page = await context.newPage();
  const problems = watchErrors(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/trpc/")) asked.push(...pathname.slice("/trpc/".length).split(","));
  });
  return { page, problems, asked };
}

const read = async (path: string, headers = {}) => {
  const answer = await fetch(server.url + path, { headers: { accept: "text/html", ...headers } });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test.describe("a crawler", () => {
  test("reads a project's words and amounts", async () => {
    const { farm } = prepared;
    const { status, html } = await read(`/project/${farm.id}`);
    expect(status).toBe(200);
    for (const text of ["Epe, Lagos", "₦750,000", farm.creator, "Forty pens under palms"]) expect(html).toContain(text);
    expect(html).toMatch(/<h1[^>]*>Snail pens in Epe<\/h1>/);
  });

  test("finds the projects from the home page and from the filtered list", async () => {
    const { farm } = prepared;
    const leadsTo = async (path: string, { id }: { id: number }) =>
      expect([path, (await read(path)).html.includes(`href="/project/${id}"`)]).toEqual([path, true]);
    await leadsTo("/", popular);
    await leadsTo("/discover", popular);
    await leadsTo("/discover?category=livestock&sort=newest", farm);
    await leadsTo("/discover?search=snail+pens+in", farm);
    const { html } = await read("/discover?search=no+such+words");
    expect(html).not.toContain(`href="/project/${farm.id}"`);
    expect(html).toContain("No projects found in this category.");
  });

  test("is told that a project is missing", async () => {
    const { status, html } = await read("/project/999999");
    expect(status).toBe(404);
    expect(html).toMatch(/<h1[^>]*>Project Not Found<\/h1>/);
  });

  test("gets no style tag without the answer's nonce", async () => {
    for (const path of ["/", "/discover", `/project/${prepared.farm.id}`]) {
      const { html } = await read(path);
      expect(html.match(/<style(?! data-mantine-styles="[^"]*" nonce="[^"]+"| nonce="[^"]+")/g)).toBeNull();
    }
  });
});

test.describe("without JavaScript", () => {
  test("one can look around", async ({ browser }) => {
    const { page, problems } = await visit(browser, { javaScriptEnabled: false });
    const { farm } = prepared;
    await page.goto("/");
    await expect(heading(page, popular.title)).toBeVisible();
    await page.getByRole("banner").getByRole("link", { name: "Discover" }).click();
    await expect(heading(page, "Discover projects")).toBeVisible();
    const search = page.getByRole("banner").getByRole("searchbox", { name: "Search projects" });
    await search.fill(farm.title);
    await search.press("Enter");
    await expect(page.getByRole("main").getByRole("article")).toHaveCount(1);
    await page.getByRole("link", { name: farm.title }).click();
    await expect(page.getByRole("region", { name: "Funding" })).toContainText("₦750,000");
    await expect(page.getByRole("main")).toContainText("Forty pens under palms");
    expect(problems).toEqual([]);
  });

  test("the page is dressed", async ({ browser }) => {
    const { page } = await visit(browser, { javaScriptEnabled: false });
    await page.goto("/");
    const join = page.getByRole("main").getByRole("link", { name: "Join Us" }).first();
    await expect(join).toHaveCSS("background-color", "rgb(22, 87, 38)");
    const bar = page.getByRole("progressbar", { name: `Funding of ${popular.title}` }).locator("div");
    const share = await bar.evaluate((filled) => {
      return filled.getBoundingClientRect().width / (filled.parentElement?.getBoundingClientRect().width ?? 0);
    });
    expect(share).toBeCloseTo(fundingPercent(popular.currentFundingKobo, popular.fundingGoalKobo) / 100, 2);
  });
});

test.describe("the page's scripts", () => {
  for (const scheme of ["light", "dark"] as const) {
    test(`take over what is painted, as it stands, in the ${scheme} scheme`, async ({ browser }) => {
      const { page, problems, asked } = await visit(browser);
      await page.addInitScript((chosen) => {
        localStorage.setItem("mantine-color-scheme-value", chosen);
        const moved = { sum: 0, parts: [] as string[] };
        type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
        new PerformanceObserver((list) => {
          for (const { startTime, value, sources } of list.getEntries() as Shift[]) {
            moved.sum += value;
            const those = sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 30)}`);
            moved.parts.push(`${value} after ${startTime} ms: ${those.join(", ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
        Object.assign(window, { moved });
        document.addEventListener("readystatechange", () => {
          // The page has been read, and no module of it has run.
          if (document.readyState !== "interactive") return;
          for (const element of document.querySelectorAll("#root *")) element.toggleAttribute("data-painted", true);
        });
      }, scheme);
      for (const path of ["/", "/discover?category=livestock", `/project/${prepared.farm.id}`]) {
        await openWatched(page, path);
        await waitForContent(page);
        await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
        for (const selector of ["h1", "main img", "main a", "footer a", "[role=progressbar] > div"])
          await expect(page.locator(selector).first()).toHaveAttribute("data-painted");
        const moved = await page.evaluate<{ sum: number; parts: string[] }>("moved");
        expect(moved.sum, `what moved on ${path}: ${moved.parts.join("; ")}`).toBeLessThan(0.05);
        const toggle = page
          .getByRole("button", { name: `Use ${scheme === "dark" ? "light" : "dark"} colours` })
          .first();
        await expect(toggle).toBeVisible();
        await expect(toggle.locator("svg:visible")).toHaveCount(1);
      }
      expect(problems).toEqual([]);
      // The farm's record is fetched in addition to what is painted, and moves nothing.
      expect(new Set(asked)).toEqual(new Set(["auth.viewer", "farmPages.record"]));
    });
  }

  test("bring the page to life", async ({ browser }) => {
    const { page, problems } = await visit(browser);
    await page.goto(`/project/${prepared.farm.id}`);
    await waitForHydration(page);
    await page.getByRole("tab", { name: "Gallery" }).click();
    await expect(heading(page, mediaTexts.galleryEmpty)).toBeVisible();
    await page.getByRole("button", { name: "Back this project" }).first().click();
    await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
    expect(problems).toEqual([]);
  });

  test("run nothing of a hostile title, and leave it as it was painted", async ({ browser }) => {
    const { page, problems } = await visit(browser);
    await page.goto(`/project/${prepared.hostile.id}`);
    await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(hostileTitle);
    await expect(page).toHaveTitle(`${hostileTitle} · Gona`);
    await page.goto("/discover?sort=newest");
    await expect(page.getByRole("main").getByRole("link", { name: hostileTitle })).toBeVisible();
    expect(problems).toEqual([]);
  });

  test("know of a picture that failed before they ran", { tag: "@nightly" }, async ({ browser }) => {
    const { page } = await visit(browser);
    await page.goto(`/project/${prepared.broken.id}`);
    await expect(page.locator("main [data-missing]")).toBeVisible();
  });

  test("ask again for what a page held when it was left", { tag: "@nightly" }, async ({ browser }) => {
    const { page, asked } = await visit(browser);
    await page.goto("/");
    await page.getByRole("link", { name: "Login" }).first().waitFor();
    await page.goto("/robots.txt");
    await page.goBack();
    await page.getByRole("link", { name: "Login" }).first().waitFor();
    const wasKept = await page.evaluate(() => performance.getEntriesByType("navigation").length === 0);
    if (!wasKept) await expect.poll(() => asked).toContain("projects.featured");
  });
});

test("a page is painted for whoever is signed in", async ({ browser }) => {
  const { page, problems, asked } = await visit(browser);
  await signInBrowser(page.context(), server, prepared.backer);
  const path = `/project/${prepared.farm.id}`;
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const saysFavorite = async (headers = {}) => (await read(path, headers)).html.includes('"isFavorite":true');
  expect([await saysFavorite({ cookie }), await saysFavorite()]).toEqual([true, false]);
  await page.goto(path);
  await expect(page.getByRole("link", { name: "Profile" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Favorite", pressed: true })).toBeVisible();
  expect(asked).not.toContain("projects.byId");
  // Gone with the session, on the way back as well.
  await page.goto("/robots.txt");
  await page.context().clearCookies();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  expect(await page.locator("#boot").evaluate((boot) => boot.textContent)).toContain('"isFavorite":false');
  expect(problems).toEqual([]);
});
