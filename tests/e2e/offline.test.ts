import { expect, type Page } from "playwright/test";
import { createApiClient } from "#tests/support/api-client.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { chunkOf } from "#tests/support/chunks.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { waitForContent } from "#tests/support/screens.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { holdButton, picture } from "#tests/support/story.ts";

// A connection that goes and comes back, and code that is no longer where it was.
test.describe.configure({ timeout: 60_000 });

let server: Site;
let backer: TestUser;
let project: TestProject;
test.beforeAll(async ({ demo }) => {
  server = demo;
  ({ backer, project } = await demo.prepare(async ({ db }) => ({
    backer: await createUser(db),
    project: await createProject(db, { title: "Ponds off the road", lots: 4 }),
  })));
});

const networkText = "Network error. Please check your internet connection.";
const offlineText = "You are offline. What you see may be old.";

let problems: string[];
test.beforeEach(({ page }) => {
  // React tells the console of each failure that an error page catches.
  problems = watchErrors(page, {
    allowed: new RegExp(`^Failed to load resource|${networkText}|dynamically imported module`),
  });
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

/** Opens a page and waits until what watches the connection is there. */
async function open(page: Page, path: string) {
  const watcher = page.waitForResponse(chunkOf("app/session/connection-watcher.tsx"));
  await page.goto(`${server.url}${path}`);
  await (await watcher).finished();
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const discoverLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Discover" });

test("a bar says that one is offline, and with the connection it goes and everything is asked for again", async ({
  page,
  context,
}) => {
  await open(page, "/");
  const bar = page.getByRole("status").filter({ hasText: offlineText });
  await context.setOffline(true);
  await expect(bar).toBeVisible();
  await expectSound(page);
  const refreshed = page.waitForRequest(/\/trpc\/.*projects\.featured/);
  await context.setOffline(false);
  await refreshed;
  await expect(bar).toHaveCount(0);
});

test("a page whose code can't be had says so, and comes with the connection", { tag: "@nightly" }, async ({
  page,
  context,
}) => {
  await open(page, "/");
  await context.setOffline(true);
  await discoverLink(page).click();
  await expect(heading(page, "You seem to be offline")).toBeVisible();
  await expect(page).toHaveTitle("You seem to be offline · Gona");
  await expect(page.getByText(networkText)).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(heading(page, "You seem to be offline")).toBeVisible();
  // The way back still works.
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Back a Nigerian farm.");
  await page.goForward();
  await expect(heading(page, "You seem to be offline")).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, "Discover projects")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/discover`);
});

test("code that a new release has replaced reloads the page, once", async ({ page }) => {
  await open(page, "/");
  let loads = 0;
  // A fresh page asks for its code before it has loaded.
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  // As after a release: what the open page asks for is gone, what a fresh page names is there.
  await page.route(chunkOf("routes/discover.tsx"), (route) =>
    loads === 0 ? route.fulfill({ status: 404, json: {} }) : route.continue(),
  );
  await discoverLink(page).click();
  await expect(heading(page, "Discover projects")).toBeVisible();
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(12);
  await expect(page).toHaveURL(`${server.url}/discover`);
  expect(loads).toBe(1);
});

test("code that stays away ends in a page that says so, not in a circle", { tag: "@nightly" }, async ({ page }) => {
  await open(page, "/");
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await page.route(chunkOf("routes/discover.tsx"), (route) => route.fulfill({ status: 404, json: {} }));
  const watcherOfNextLoad = page.waitForResponse(chunkOf("app/session/connection-watcher.tsx"));
  await discoverLink(page).click();
  await expect.poll(() => loads).toBe(1);
  await (await watcherOfNextLoad).finished();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  // The connection is not to blame.
  await expect(heading(page, "This page could not be shown")).toBeVisible();
  await expect(page.getByText("A part of it could not be fetched. Please try again in a moment.")).toBeVisible();
  expect(loads).toBe(1);
});

test("what one does offline fails in plain words, and is done when it is tried again", { tag: "@nightly" }, async ({
  page,
  context,
}) => {
  await signInBrowser(context, server, backer);
  await open(page, `/project/${project.id}`);
  // All pieces of the page are there before the connection goes.
  await waitForContent(page);
  const favorite = page.getByRole("button", { name: "Favorite", exact: true });
  await expect(favorite).toHaveAttribute("aria-pressed", "false");
  await context.setOffline(true);
  await favorite.click();
  await expect(page.getByText("Failed to favorite project")).toBeVisible();
  await expect(favorite).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("button", { name: "Back this project" }).first().click();
  await expect(page.getByText(networkText)).toBeVisible();
  await expect(heading(page, project.title)).toBeVisible();
  await context.setOffline(false);
  await favorite.click();
  await expect(page.getByText("Project added to favorites")).toBeVisible();
});

test("lots stay held while the connection is gone, the receipt stays chosen, and counts once", async ({
  page,
  context,
}) => {
  await signInBrowser(context, server, backer);
  await open(page, `/back-project/${project.id}`);
  await page.getByRole("button", { name: "One lot more" }).click();
  await page.getByLabel("I have read the terms.").check();
  await page.getByRole("button", { name: holdButton }).click();
  const reference = String(await page.getByText(/^GONA-/).textContent());
  const stands = async () => {
    await expect(page.getByText("2 lots held for you until")).toBeVisible();
    await expect(page.getByText(/^\d\d:\d\d:\d\d left\./)).toBeVisible();
    for (const text of ["0000000000", reference, "transfer.png"]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
  };
  await page.locator("main input[type=file]").setInputFiles(picture("transfer.png"));
  await context.setOffline(true);
  await page.getByRole("button", { name: "Send receipt" }).first().click();
  await expect(page.getByText("Failed to upload payment receipt")).toBeVisible();
  await expect(page.getByRole("main").getByText(networkText)).toBeVisible();
  await stands();
  await context.setOffline(false);
  await expect(page.getByText(offlineText)).toHaveCount(0);
  await stands();

  // This time it arrives, but the connection goes before the answer.
  await page.route(
    "**/uploads/receipts",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Send receipt" }).first().click();
  await expect(page.getByRole("main").getByText(networkText)).toBeVisible();
  await stands();
  await page.getByRole("button", { name: "Send receipt" }).first().click();
  await expect(
    page.getByText("Payment receipt uploaded successfully. We'll review your payment shortly."),
  ).toBeVisible();
  await expect(page.getByText(reference, { exact: true })).toBeVisible();
  const api = createApiClient(server.url);
  await api.auth.signIn.mutate(backer);
  const { pending } = await api.payments.listMyPending.query();
  expect(pending.map(({ payment }) => payment)).toMatchObject([{ reference, lots: 2 }]);
});
