import { type Browser, expect, type Page } from "playwright/test";
import { projectBackings } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { callOf, serverFault } from "#tests/support/visitor.ts";

// What administrators read when something fails, where no other test tells of it: the specified words, after the fault
// that they are for, and that the same works a moment later.

type People = Record<"owner" | "colleague" | "backer" | "blocked" | "invited", TestUser>;
let server: SeededServer<{ people: People; projectId: number }>;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(async ({ db, clock }) => {
    const people: People = {
      owner: await createAdmin(db, "owner", { fullName: "Chidi Eze", email: "chidi@gona.example" }),
      colleague: await createAdmin(db, "manager", { fullName: "Ada Obi", email: "ada@gona.example" }),
      backer: await createUser(db, { fullName: "Bola Faultless", email: "bola.faultless@farm.example" }),
      blocked: await createUser(db, { fullName: "Efe Blocked", email: "efe@farm.example", isBlocked: true }),
      invited: await createUser(db, { fullName: "Ngozi Bello", email: "ngozi@gona.example" }),
    };
    const { id: projectId } = await createProject(db, { title: "Ponds with faults", backersCount: 1 });
    await db.insert(projectBackings).values({ projectId, userId: people.backer.id, grantedAt: clock.now() });
    await db.delete(settings);
    return { people, projectId };
  });
});
test.afterAll(async () => server.stop());

const problems: string[] = [];
test.beforeEach(() => {
  problems.length = 0;
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

async function openAs(browser: Browser, who: keyof People | null, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  if (who) await signInBrowser(context, server, server.prepared.people[who]);
  const page = await context.newPage();
  // The router writes that the way to a page failed.
  watchErrors(page, { into: problems, allowed: /^Failed to load resource|^TRPCClientError: Failed to fetch/ });
  // Calls are held all the time: one that is under way when the browser begins or ceases to hold them can hang for good.
  await page.route("**/trpc/**", (route) => route.continue());
  await page.goto(path);
  return page;
}

const dialog = (page: Page) => page.getByRole("dialog");
const alert = (page: Page, text: string) => page.getByRole("alert").getByText(text, { exact: true });
const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** The procedure fails on the server once; the page says `text`. */
async function expectFault(page: Page, procedure: string, act: () => Promise<unknown>, text: string): Promise<void> {
  await page.route(callOf(procedure), (route) => route.fulfill(serverFault));
  await act();
  await expect(alert(page, text).first()).toBeVisible();
  await page.unroute(callOf(procedure));
}

async function choose(page: Page, who: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${who}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test("a project's management: what can't be added is told, and stays typed", async ({ browser }) => {
  const page = await openAs(browser, "owner", `/admin/project/${server.prepared.projectId}?tab=backers`);
  const picker = page.getByLabel("User", { exact: true });
  await picker.fill("ngozi@gona.example");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option").click();
  await expectFault(page, "backings.grant", () => press(page, "Add as Backer"), "Failed to add backer");
  await press(page, "Add as Backer");
  await expect(status(page, "Backer added successfully")).toBeVisible();

  await page.getByRole("tab", { name: "Media" }).click();
  await page.getByLabel("YouTube URL").fill("https://youtu.be/dQw4w9WgXcQ");
  await expectFault(page, "media.addYoutube", () => press(page, "Add YouTube URL"), "Failed to add YouTube URL");
  await expect(page.getByLabel("YouTube URL")).toHaveValue("https://youtu.be/dQw4w9WgXcQ");
  await page.getByLabel("Livestream URL").fill("https://live.example/farm");
  await expectFault(page, "media.addLivestream", () => press(page, "Add Livestream"), "Failed to add livestream URL");
  await expect(page.getByLabel("Livestream URL")).toHaveValue("https://live.example/farm");

  await page.route("**/uploads/project-videos", (route) => route.fulfill({ status: 500, json: {} }));
  const buffer = Buffer.concat([Buffer.from("1a45dfa3", "hex"), Buffer.alloc(500)]);
  await page.getByLabel("Video", { exact: true }).setInputFiles({ name: "pond.webm", mimeType: "video/webm", buffer });
  await press(page, "Upload Video");
  await expect(alert(page, "Failed to upload video")).toBeVisible();
});

test("without a connection: at the verification, and beside rows that are there", async ({ browser }) => {
  const page = await openAs(browser, "owner", "/discover");
  await page.route(callOf("auth.viewer"), (route) => route.abort("connectionrefused"));
  await page.goto("/admin/dashboard");
  await expect(alert(page, "Network error: Unable to connect to server")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Network Error" })).toBeVisible();
  await expect(page.getByText("Unable to load projects...")).toBeVisible();
  await page.unroute(callOf("auth.viewer"));
  await press(page, "Refresh Page");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.route(callOf("dashboard.projects"), (route) => route.abort("connectionrefused"));
  await press(page, "Refresh");
  await expect(page.getByText("Unable to load projects... The rows above may be out of date.")).toBeVisible();
});

test("a project for its backers asks to sign in", async ({ browser }) => {
  const page = await openAs(browser, null, `/backed-project/${server.prepared.projectId}`);
  await expect(alert(page, "Authentication Required")).toBeVisible();
  await expect(alert(page, "Please log in to access this project")).toBeVisible();
  await expect(page).toHaveURL(/\/login\?next=/);
});

test("the last active owner can't give the role away, and nobody gives a role to themselves", async ({ browser }) => {
  const page = await openAs(browser, "owner", "/admin/settings?tab=admins");
  await choose(page, "Amaka Obi", "Deactivate");
  await dialog(page).getByRole("button", { name: "Deactivate", exact: true }).click();
  await expect(status(page, "Admin Deactivated")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await choose(page, "Chidi Eze", "Edit Roles");
  await expect(dialog(page).getByLabel("Another role")).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "Remove role Owner" }).click();
  await dialog(page).getByRole("button", { name: "Remove Role", exact: true }).click();
  await expect(alert(page, "Failed to remove role")).toBeVisible();
  await expect(page.getByText(/^You are the last active owner\./)).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "Remove role Owner" })).toBeVisible();
});
