import { expect, type Page } from "playwright/test";
import { formatNaira } from "#shared/money.ts";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { waitForContent, waitForHydration } from "#tests/support/screens.ts";
import type { DemoServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// The public and the backer's screens on the demo farms, in the built product, with its policy and its real answers.
test.describe.configure({ timeout: 45_000 });

let server: DemoServer;
let facts: Awaited<ReturnType<typeof learnFacts>>;
test.beforeAll(async ({ demo }) => {
  server = demo;
  facts = await learnFacts();
});

/** What the demo holds, by the server's own word: the texts of its farms may change. */
async function learnFacts() {
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

async function open(page: Page, path: string) {
  await page.goto(`${server.url}${path}`);
  await waitForHydration(page);
}

async function signIn(page: Page) {
  const { backer } = demoSignIns(server.output());
  await open(page, "/login");
  await page.getByLabel("Email").fill(backer.email);
  await page.getByLabel("Password", { exact: true }).fill(backer.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/profile");
}

async function openProject(page: Page, title: string) {
  await open(page, `/discover?closed=true&search=${encodeURIComponent(title)}`);
  await page.getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
}

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

test.describe("home", () => {
  test("shows six projects, the figures, seven categories and three voices", async ({ page }) => {
    await open(page, "/");
    await expect(cards(page)).toHaveCount(6);
    await expect(cards(page).first()).toContainText(facts.popular.title);
    await expect(page.getByRole("link", { name: "Join Us" }).first()).toHaveAttribute("href", "/discover");
    for (const text of ["150+", "50+", "₦100M+", "93%"])
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(
      page.getByText("funding success rate for projects that reach 60% of their goal", { exact: true }),
    ).toBeVisible();
    const categories = page.locator('a[href^="/discover?category="]');
    await expect(categories).toContainText([
      ...["Sustainable Farming", "Organic Produce", "Livestock", "Agri-Tech", "Community Gardens"],
      ...["Agricultural Education", "Farm Equipment"],
    ]);
    for (const name of ["Amaka", "Tunde", "Zainab"]) await expect(page.getByText(name, { exact: true })).toBeVisible();
    await expectSound(page);
  });

  test("has a footer with For Backers and About, and says at once that this is a demo", { tag: "@nightly" }, async ({
    page,
  }) => {
    await open(page, "/");
    await expect(page.getByRole("complementary", { name: "Demo notice" })).toContainText("Send no money.");
    const column = (name: string) => page.getByRole("contentinfo").getByRole("navigation", { name, exact: true });
    await expect(column("For Backers").getByRole("link")).toHaveText([
      ...["Discover projects", "How it works", "Trust & Safety", "FAQ", "Verify a paper"],
      ...["My projects", "Create an account"],
    ]);
    await expect(column("About").getByRole("link")).toHaveText([
      ...["About us", "Careers", "Contact", "Creator resources"],
    ]);
  });

  test("leads to a category and to a project by its whole card", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/");
    await page.getByRole("link", { name: "Livestock", exact: true }).click();
    await expect(page).toHaveURL(/\/discover\?category=livestock$/);
    await page.goBack();
    await cards(page)
      .first()
      .click({ position: { x: 40, y: 40 } });
    await expect(heading(page, facts.popular.title)).toBeVisible();
  });
});

test.describe("discover", () => {
  test("searches as one types and keeps the words in the address", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover");
    await expect(cards(page)).toHaveCount(12);
    await page.getByRole("main").getByRole("searchbox", { name: "Search projects" }).fill("snail");
    await expect(page).toHaveURL(/\/discover\?search=snail$/);
    await expect(cards(page)).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("snail");
    await expect(cards(page)).toHaveCount(1);
    await expectSound(page);
  });

  test("the header's search leads here with its words", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/");
    const search = page.getByRole("banner").getByRole("searchbox", { name: "Search projects" });
    await search.fill("catfish");
    await search.press("Enter");
    await expect(page).toHaveURL(/\/discover\?search=catfish$/);
    await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("catfish");
    await expect(cards(page).first()).toContainText("catfish");
  });

  test("sorts by four orders", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover");
    const sort = page.getByLabel("Sort by");
    await expect(sort.getByRole("option")).toHaveText(["Most Popular", "Most Funded", "Newest", "Ending Soon"]);
    await expect(cards(page).first()).toContainText(facts.popular.title);
    await sort.selectOption("Ending Soon");
    await expect(page).toHaveURL(/sort=ending/);
    await expect(page.getByRole("list").filter({ has: page.getByRole("article") })).not.toHaveAttribute("aria-busy");
    const days = await cards(page)
      .getByText(/days? left$/)
      .allTextContents();
    const counts = days.map((text) => Number.parseInt(text, 10));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    await sort.selectOption("Most Popular");
    await expect(page).toHaveURL(/\/discover$/);
  });

  test("filters by category", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover");
    const filter = page.getByRole("navigation", { name: "Categories" });
    await expect(filter.getByRole("link", { name: "All" })).toHaveAttribute("aria-current", "page");
    await filter.getByRole("link", { name: "Organic Produce" }).click();
    await expect(page).toHaveURL(/category=organic$/);
    await expect(cards(page).filter({ hasText: "Organic Produce" })).not.toHaveCount(0);
    await expect(cards(page).filter({ hasNotText: "Organic Produce" })).toHaveCount(0);
    await expect(filter.getByRole("link", { name: "All" })).not.toHaveAttribute("aria-current");
  });

  test("shows closed projects when asked", { tag: "@nightly" }, async ({ page }) => {
    await open(page, `/discover?search=${encodeURIComponent(facts.closed.title)}`);
    await expect(cards(page)).toHaveCount(0);
    await page.getByRole("switch", { name: "Show Closed Projects" }).click();
    await expect(page).toHaveURL(/closed=true/);
    await expect(cards(page)).toContainText(["CLOSED"]);
    await expect(cards(page)).not.toContainText("days left");
  });

  test("loads more, and is where it was on the way back", async ({ page }) => {
    await open(page, "/discover?closed=true");
    await expect(cards(page)).toHaveCount(12);
    await page.getByRole("button", { name: "Load more projects" }).click();
    await expect(cards(page)).toHaveCount(24);
    const title = (await cards(page).nth(20).getByRole("heading").textContent()) ?? "";
    await cards(page).nth(20).getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
    await page.goBack();
    await expect(cards(page)).toHaveCount(24);
    await expect(cards(page).nth(20)).toBeInViewport();
  });

  test("finds nothing with the specified words, and starts over", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover?search=zzzz&category=tech");
    await expect(heading(page, "No projects found in this category.")).toBeVisible();
    await expectSound(page);
    await page.getByRole("button", { name: "Reset filters" }).click();
    await expect(page).toHaveURL(/\/discover$/);
    await expect(cards(page)).toHaveCount(12);
    await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("");
  });

  test("drops what it doesn't know from a typed address", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover?category=weapons&sort=evil&closed=perhaps&search=%22%22");
    await expect(cards(page)).toHaveCount(12);
  });
});

test.describe("project", () => {
  test("shows who, where, how much and how long, with its three tabs", async ({ page }) => {
    const { reviewed, reviewedUpdates } = facts;
    await openProject(page, reviewed.title);
    await expect(page).toHaveTitle(`${reviewed.title} · Gona`);
    const funding = page.getByRole("region", { name: "Funding" });
    await expect(funding).toContainText(`raised of ${formatNaira(reviewed.fundingGoalKobo)}`);
    await expect(funding).toContainText(/\d+ days? left to invest/);
    // Others' receipts are a warning only where no lot is free.
    await expect(funding).not.toContainText("A receipt for this project is under review");
    await expect(page.getByRole("main")).toContainText(reviewed.creator);
    await expect(page.getByRole("main")).toContainText(reviewed.location);
    await expect(heading(page, "What can go wrong")).toBeVisible();
    await expect(heading(page, "At harvest")).toBeVisible();
    await expectSound(page);

    await page.getByRole("tab", { name: "Updates" }).click();
    await expect(page).toHaveURL(/\?tab=updates$/);
    await expect(cards(page)).toHaveCount(Math.min(5, reviewedUpdates.total));
    await page.getByRole("tab", { name: "Updates" }).press("ArrowRight");
    await expect(page).toHaveURL(/\?tab=gallery$/);
    await expect(
      page
        .getByRole("tabpanel")
        .getByRole("button", { name: /^Photo: / })
        .first(),
    ).toBeVisible();
    await page.getByRole("tab", { name: "About Project" }).click();
    await expect(page).toHaveURL(/\/project\/\d+$/);
  });

  test("shows a calm field of the same size where a picture can't be loaded, and tries again with the connection", {
    tag: "@nightly",
  }, async ({ page, context }) => {
    await page.route("**/scenes/**", (route) => route.abort());
    await openProject(page, facts.reviewed.title);
    const picture = page.getByRole("main").getByRole("img", { name: facts.reviewed.imageAlt });
    const tagOf = () => picture.evaluate(({ tagName }) => tagName);
    await expect.poll(tagOf).toBe("SPAN");
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(1.6, 1);
    await expectSound(page);
    await page.unroute("**/scenes/**");
    await context.setOffline(true);
    await context.setOffline(false);
    await expect.poll(tagOf).toBe("IMG");
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  test("takes no money once it is closed", { tag: "@nightly" }, async ({ page }) => {
    await openProject(page, facts.closed.title);
    await expect(heading(page, `${facts.closed.title} (CLOSED)`)).toBeVisible();
    await expect(page.getByText("Project is closed", { exact: true })).toBeVisible();
    await expect(page.getByText("left to invest")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Back this project" })).toHaveCount(0);
    await expectSound(page);
  });

  for (const id of ["999999", "abc", "1.5", "-1", "99999999999"]) {
    test(`is not found as ${id}`, { tag: "@nightly" }, async ({ page }) => {
      await open(page, `/project/${id}`);
      await expect(heading(page, "Project Not Found")).toBeVisible();
      await expect(page.getByText("The project you're looking for doesn't exist or has been removed.")).toBeVisible();
      await expect(page.getByRole("link", { name: "Browse Projects" })).toHaveAttribute("href", "/discover");
    });
  }

  test("keeps its action in reach on a phone", { tag: "@nightly" }, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openProject(page, facts.reviewed.title);
    const buttons = page.getByRole("button", { name: "Back this project" });
    await heading(page, "At harvest").scrollIntoViewIfNeeded();
    await expect(buttons.last()).toBeInViewport();
    await page.getByRole("region", { name: "Funding" }).getByRole("progressbar").scrollIntoViewIfNeeded();
    await buttons.first().scrollIntoViewIfNeeded();
    await expect(buttons).toHaveCount(1);
  });
});

test.describe("an anonymous visitor", () => {
  test("is asked to log in for a favorite", { tag: "@nightly" }, async ({ page }) => {
    await open(page, "/discover");
    await page.getByRole("button", { name: `Favorite ${facts.popular.title}` }).click();
    await expect(page.getByText("Please log in to favorite this project")).toBeVisible();
    await expect(page).toHaveURL(/\/discover$/);
  });

  test("is asked to log in to back, with the ways in beside it", async ({ page }) => {
    await openProject(page, facts.reviewed.title);
    await page.getByRole("button", { name: "Back this project" }).click();
    await expect(page.getByText("Please log in to back this project").first()).toBeVisible();
    await page.getByRole("link", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/login\?next=%2Fback-project%2F\d+$/);
  });

  test("is sent to the sign-in from the profile and from a backed project", { tag: "@nightly" }, async ({ page }) => {
    for (const path of ["/profile", "/backed-project/1"]) {
      await open(page, path);
      await expect(page).toHaveURL(`${server.url}/login?next=${encodeURIComponent(path)}`);
    }
  });
});

test.describe("a backer", () => {
  test.beforeEach(({ page }) => signIn(page));

  test("adds a favorite, is told of a second time, and takes it away", async ({ page }) => {
    const title = facts.strangers[0] ?? "";
    await openProject(page, title);
    const button = page.getByRole("button", { name: "Favorite", exact: true });
    await expect(button).toHaveAttribute("aria-pressed", "false");
    await button.click();
    await expect(page.getByText("Project added to favorites")).toBeVisible();
    await expect(button).toHaveAttribute("aria-pressed", "true");

    await open(page, "/profile?tab=favorites");
    const mine = cards(page).filter({ hasText: title });
    await expect(mine).toHaveCount(1);
    await mine.getByRole("button", { name: `Favorite ${title}` }).click();
    await expect(mine).toHaveCount(0);
  });

  test("finds the account in the footer, where visitors are offered one", { tag: "@nightly" }, async ({ page }) => {
    const footer = page.getByRole("contentinfo");
    // The footer moves down when the list above it comes.
    await waitForContent(page);
    await footer.getByRole("link", { name: "My account" }).click();
    await expect(heading(page, "Account settings")).toBeVisible();
    await expect(footer.getByRole("link", { name: "Create an account" })).toHaveCount(0);
    await page.context().clearCookies();
    await open(page, "/");
    await expect(footer.getByRole("link", { name: "Create an account" })).toBeVisible();
    await expect(footer.getByRole("link", { name: "My account" })).toHaveCount(0);
  });

  test("finds backed, pending and refused projects in the profile", { tag: "@nightly" }, async ({ page }) => {
    const { backer } = demoSignIns(server.output());
    await expect(heading(page, "My Profile")).toBeVisible();
    await expect(page.getByText(backer.email)).toBeVisible();
    await expect(page.getByRole("tab")).toHaveText(["Backed Projects", "Pending Approval", "Favorites", "Money"]);
    await expect(cards(page).first().getByRole("link")).toHaveAttribute("href", /^\/backed-project\/\d+$/);
    await expectSound(page);

    await page.getByRole("tab", { name: "Pending Approval" }).click();
    await expect(page).toHaveURL(/\/profile\?tab=pending$/);
    const pending = cards(page).filter({ hasText: facts.reviewed.title });
    await expect(pending).toContainText(
      "We have your receipt. We review receipts within one working day and email you.",
    );
    await expect(pending.getByRole("link")).toHaveAttribute("href", /^\/project\/\d+$/);
    const rejected = cards(page).filter({ hasText: "Rejected" });
    await expect(rejected).toContainText("We could not accept your receipt");
    await expect(rejected.getByRole("link", { name: "Send a new receipt" })).toHaveAttribute(
      "href",
      /^\/back-project\//,
    );
    await expectSound(page);

    await page.getByRole("tab", { name: "Favorites" }).click();
    await expect(cards(page).first().getByRole("button", { pressed: true })).toBeVisible();
  });

  test("follows a backed project and searches its updates", { tag: "@nightly" }, async ({ page }) => {
    const { backed, backedUpdates } = facts;
    await cards(page).getByRole("link", { name: backed.title }).click();
    await expect(page).toHaveURL(/\/backed-project\/\d+$/);
    await expect(heading(page, backed.title)).toBeVisible();
    const summary = page.getByRole("region", { name: "Funding summary" });
    const state = backed.isClosed ? "Project is closed" : "left to invest";
    for (const text of [backed.creator, backed.location, formatNaira(backed.fundingGoalKobo), state]) {
      await expect(summary).toContainText(text);
    }
    await expect(cards(page)).toHaveCount(Math.min(5, backedUpdates.total));
    const last = backedUpdates.items.at(-1)?.title ?? "";
    await page.getByRole("searchbox", { name: "Search updates" }).fill(last);
    await expect(cards(page)).toHaveCount(1);
    await expect(cards(page)).toContainText([last]);
    await page.getByRole("searchbox", { name: "Search updates" }).fill("no such words");
    await expect(heading(page, "No updates found")).toBeVisible();
    await expectSound(page);
    await page.getByRole("tab", { name: "Media" }).click();
    await expect(page).toHaveURL(/\?tab=media$/);
    await page.getByRole("link", { name: "Back to profile" }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  test("finds no page for a project that somebody else backs", { tag: "@nightly" }, async ({ page }) => {
    for (const id of ["999999", "abc"]) {
      await open(page, `/backed-project/${id}`);
      await expect(heading(page, "Project not found")).toBeVisible();
      await expect(page.getByRole("link", { name: "Back to profile" })).toHaveAttribute("href", "/profile");
    }
  });

  test("goes on to pay, and the favorite is gone", async ({ page }) => {
    const title = facts.strangers[2] ?? "";
    await openProject(page, title);
    await page.getByRole("button", { name: "Favorite", exact: true }).click();
    await expect(page.getByText("Project added to favorites")).toBeVisible();
    await page.getByRole("button", { name: "Back this project" }).click();
    await expect(page).toHaveURL(/\/back-project\/\d+$/);
    await open(page, "/profile?tab=favorites");
    await expect(cards(page).first()).toBeVisible();
    await expect(cards(page).filter({ hasText: title })).toHaveCount(0);
  });

  test("logs out", async ({ page }) => {
    await page.getByRole("button", { name: "Log Out" }).click();
    await expect(page).toHaveURL(/\/login/);
  });
});
