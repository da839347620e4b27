import { expect, type Page } from "playwright/test";
import { formatNaira } from "#shared/money.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { chunkOf } from "#tests/support/chunks.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { waitForContent, waitForHydration } from "#tests/support/screens.ts";
import { type DemoServer, signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Looking around on the demo's farms: home, the list of projects and back again, a project, and one's own projects.
test.describe.configure({ timeout: 60_000 });

let server: DemoServer;
let facts: Awaited<ReturnType<typeof readDemoFacts>>;
test.beforeAll(async ({ demo }) => {
  server = demo;
  facts = await readDemoFacts();
});

/** Asks the server what the demo holds, because the texts of its farms may change. */
async function readDemoFacts() {
  const api = createApiClient(server.url);
  await api.auth.signIn.mutate(demoSignIns(server.output()).backer);
  const must = <Value>(value: Value | null | undefined, what: string): Value => {
    if (value === null || value === undefined) throw new Error(`the demo has no ${what}`);
    return value;
  };
  const featured = await api.projects.featured.query();
  const all = await api.projects.list.query({ showClosed: true });
  const { pending } = await api.payments.listMyPending.query();
  const { items: backed } = await api.backings.mine.query({});
  const favorites = await api.favorites.ids.query();
  const strangers = featured.filter(({ id }) => ![...favorites, ...backed.map((own) => own.id)].includes(id));
  const reviewedId = must(pending.find(({ project }) => project?.isClosed === false)?.project, "pending payment").id;
  const backedId = must(backed[0], "backing").id;
  return {
    popular: must(featured[0], "open project"),
    closed: must(
      all.items.find(({ isClosed }) => isClosed),
      "closed project",
    ),
    /** Open, and a receipt of the backer waits for review. */
    reviewed: await api.projects.byId.query({ projectId: reviewedId }),
    reviewedUpdates: await api.updates.list.query({ projectId: reviewedId }),
    backed: await api.backings.project.query({ projectId: backedId }),
    backedUpdates: await api.updates.list.query({ projectId: backedId }),
    /** Open projects that the backer neither backs nor likes. */
    strangers: strangers.map(({ title }) => title),
  };
}

let problems: string[];
test.beforeEach(({ page }) => {
  problems = watchErrors(page);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const cards = (page: Page) => page.getByRole("main").getByRole("article");
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const search = (page: Page) => page.getByRole("main").getByRole("searchbox", { name: "Search projects" });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

async function open(page: Page, path: string) {
  await page.goto(`${server.url}${path}`);
  await waitForHydration(page);
}

async function openProject(page: Page, name: string) {
  await open(page, `/discover?closed=true&search=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name }).first().click();
  await expect(title(page)).toContainText(name);
}

test("a visitor finds a farm from the home page, filters and sorts, and is asked to sign in", async ({ page }) => {
  await open(page, "/");
  await expect(cards(page)).toHaveCount(6);
  await expect(cards(page).first()).toContainText(facts.popular.title);
  await expect(title(page)).toContainText("Back a Nigerian farm.");
  for (const text of ["150+", "50+", "₦100M+", "93%", "Amaka", "Tunde", "Zainab"])
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  await expect(
    page.getByText("funding success rate for projects that reach 60% of their goal", { exact: true }),
  ).toBeVisible();
  await expect(page.locator('a[href^="/discover?category="]')).toContainText([
    ...["Sustainable Farming", "Organic Produce", "Livestock", "Agri-Tech", "Community Gardens"],
    ...["Agricultural Education", "Farm Equipment"],
  ]);
  await expectSound(page);

  await page.getByRole("link", { name: "Join Us" }).last().click();
  await expect(page).toHaveURL(`${server.url}/discover`);
  await expect(page).toHaveTitle("Discover · Gona");
  const sort = page.getByLabel("Sort by");
  await expect(sort.getByRole("option")).toHaveText(["Most Popular", "Most Funded", "Newest", "Ending Soon"]);
  await sort.selectOption("Ending Soon");
  await expect(page).toHaveURL(/sort=ending/);
  await expect(page.getByRole("list").filter({ has: page.getByRole("article") })).not.toHaveAttribute("aria-busy");
  const days = await cards(page)
    .getByText(/days? left$/)
    .allTextContents();
  const counts = days.map((text) => Number.parseInt(text, 10));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  const categories = page.getByRole("navigation", { name: "Categories" });
  for (const name of ["Livestock", "Organic Produce"]) {
    await categories.getByRole("link", { name }).click();
    await expect(categories.locator("[aria-current=page]")).toHaveText(name);
    await expect(cards(page).filter({ hasNotText: name })).toHaveCount(0);
  }
  // Each category is a step in the history.
  await page.goBack();
  await expect(categories.locator("[aria-current=page]")).toHaveText("Livestock");

  // The header's search takes the place of the words and filters that are there.
  const header = page.getByRole("banner").getByRole("searchbox", { name: "Search projects" });
  await header.fill(`  ${facts.closed.title} `);
  await header.press("Enter");
  await expect(page).not.toHaveURL(/category=/);
  await expect(heading(page, "No projects found in this category.")).toBeVisible();
  await expectSound(page);
  await page.getByRole("switch", { name: "Show Closed Projects" }).click();
  await expect(cards(page)).toContainText(["CLOSED"]);
  await cards(page).getByRole("link", { name: facts.closed.title }).click();
  await expect(heading(page, `${facts.closed.title} (CLOSED)`)).toBeVisible();
  await expect(page.getByText("Project is closed", { exact: true })).toBeVisible();
  await expect(page.getByText("left to invest")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Back this project" })).toHaveCount(0);
  await page.goBack();
  await page.getByRole("switch", { name: "Show Closed Projects" }).click();
  await page.getByRole("button", { name: "Reset filters" }).click();
  await expect(page).toHaveURL(/\/discover$/);
  await expect(cards(page)).toHaveCount(12);
  await page.getByRole("button", { name: `Favorite ${facts.popular.title}` }).click();
  await expect(page.getByText("Please log in to favorite this project")).toBeVisible();

  await openProject(page, facts.reviewed.title);
  await page.getByRole("button", { name: "Back this project" }).click();
  await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
  await page.getByRole("link", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fback-project%2F\d+$/);
});

test("a project shows who, where, how much and how long, with its three tabs, and its action in reach on a phone", async ({
  page,
}) => {
  const { reviewed, reviewedUpdates } = facts;
  await openProject(page, reviewed.title);
  const funding = page.getByRole("region", { name: "Funding" });
  await expect(funding).toContainText(`raised of ${formatNaira(reviewed.fundingGoalKobo)}`);
  await expect(funding).toContainText(/\d+ days? left to invest/);
  for (const text of [reviewed.creator, reviewed.location]) await expect(page.getByRole("main")).toContainText(text);
  await expect(heading(page, "What can go wrong")).toBeVisible();
  await expectSound(page);
  await page.getByRole("tab", { name: "Updates" }).click();
  await expect(page).toHaveURL(/\?tab=updates$/);
  await expect(cards(page)).toHaveCount(Math.min(5, reviewedUpdates.total));
  await page.getByRole("tab", { name: "Updates" }).press("ArrowRight");
  await expect(page).toHaveURL(/\?tab=gallery$/);
  const photos = page.getByRole("tabpanel").getByRole("button", { name: /^Photo: / });
  await expect(photos.first()).toBeVisible();
  await page.getByRole("tab", { name: "About Project" }).click();
  await expect(page).toHaveURL(/\/project\/\d+$/);

  await page.setViewportSize({ width: 360, height: 740 });
  const buttons = page.getByRole("button", { name: "Back this project" });
  await heading(page, "At harvest").scrollIntoViewIfNeeded();
  await expect(buttons.last()).toBeInViewport();
});

test("a backer likes a farm, goes on to pay for it, and finds own projects in the profile", async ({ page }) => {
  const { backer } = demoSignIns(server.output());
  await signInBrowser(page.context(), server, { ...backer, isAdmin: false });
  const [liked = "", paid = ""] = facts.strangers;
  const favorite = page.getByRole("button", { name: "Favorite", exact: true });
  for (const name of [liked, paid]) {
    await openProject(page, name);
    await expect(favorite).toHaveAttribute("aria-pressed", "false");
    await favorite.click();
    await expect(page.getByText("Project added to favorites")).toBeVisible();
    await expect(favorite).toHaveAttribute("aria-pressed", "true");
  }
  await page.getByRole("button", { name: "Back this project" }).click();
  await expect(page).toHaveURL(/\/back-project\/\d+$/);

  await open(page, "/discover?search=layers&state=Kwara");
  await page.getByRole("button", { name: "Save this search" }).click();
  await page.getByRole("link", { name: "Rename or stop it" }).click();
  await expect(page.getByRole("region", { name: "Saved searches" })).toContainText("Layers in Kwara");
  await expectSound(page);

  await open(page, "/profile");
  await expect(heading(page, "My Profile")).toBeVisible();
  await expect(page.getByText(backer.email)).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Backed Projects", "Pending Approval", "Favorites", "Money"]);
  await page.getByRole("tab", { name: "Pending Approval" }).click();
  const pending = cards(page).filter({ hasText: facts.reviewed.title });
  await expect(pending).toContainText("We have your receipt. We review receipts within one working day and email you.");
  const rejected = cards(page).filter({ hasText: "Rejected" });
  await expect(rejected.getByRole("link", { name: "Send a new receipt" })).toHaveAttribute("href", /^\/back-project\//);
  await expectSound(page);
  // Whoever goes on to pay likes the farm no more.
  await page.getByRole("tab", { name: "Favorites" }).click();
  const mine = cards(page).filter({ hasText: liked });
  await expect(mine).toHaveCount(1);
  await expect(cards(page).filter({ hasText: paid })).toHaveCount(0);
  await mine.getByRole("button", { name: `Favorite ${liked}` }).click();
  await expect(mine).toHaveCount(0);

  await page.getByRole("tab", { name: "Backed Projects" }).click();
  await cards(page).getByRole("link", { name: facts.backed.title }).click();
  await expect(page).toHaveURL(/\/backed-project\/\d+$/);
  const summary = page.getByRole("region", { name: "Funding summary" });
  const state = facts.backed.isClosed ? "Project is closed" : "left to invest";
  for (const text of [facts.backed.creator, facts.backed.location, state]) await expect(summary).toContainText(text);
  const last = facts.backedUpdates.items.at(-1)?.title ?? "";
  await page.getByRole("searchbox", { name: "Search updates" }).fill(last);
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search updates" }).fill("no such words");
  await expect(heading(page, "No updates found")).toBeVisible();
  await page.getByRole("link", { name: "Back to profile" }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/login/);
});

test("nothing on the public pages moves while they load on a weak signal", { tag: "@nightly" }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const network = await page.context().newCDPSession(page);
  const speed = { latency: 200, downloadThroughput: 100_000, uploadThroughput: 25_000 };
  await network.send("Network.emulateNetworkConditions", { offline: false, ...speed });
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) moved.sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    Object.assign(window, { moved });
  });
  for (const path of ["/", "/discover", `/project/${facts.popular.id}`, "/how-it-works"]) {
    await open(page, path);
    await waitForContent(page);
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await waitForContent(page);
    const sum = await page.evaluate<number>("moved.sum");
    expect.soft(sum, path).toBeLessThan(0.05);
  }
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

test("on a phone, four presses find layers in Kwara under ₦100,000 a lot, with a harvest by July and a finished round", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "/discover?map=true");
  const states = page.getByRole("navigation", { name: "States with projects" });
  await expect(states.getByRole("link", { name: /^Kwara/ })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Map", exact: true }).click();
  await expect(page).toHaveURL(/\/discover$/);
  await search(page).fill("layers in Kwara");
  const july = `Jul ${new Date().getFullYear() + (new Date().getMonth() > 6 ? 1 : 0)}`;
  for (const name of ["Filters", "Up to ₦100,000", july, "A finished round"]) {
    await page.getByRole("main").getByRole("button", { name, exact: true }).click();
  }
  await expect(page.getByRole("button", { name: "Show 1 farm" })).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText("A third house: 400 layers near Ilorin");
  await expectSound(page);
  await page.getByRole("button", { name: "Show 1 farm" }).click();
  await cards(page).getByRole("link").click();
  await page.getByRole("link", { name: "Asa River Poultry", exact: true }).click();
  await expect(title(page)).toHaveText("Asa River Poultry");
  await expect(page.getByText("What one round brought says nothing sure about the next.")).toBeVisible();
  await expectSound(page);
});
