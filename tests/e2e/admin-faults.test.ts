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

test("settings: none yet, one that can't be saved, a first timeout, a database that refuses", async ({ browser }) => {
  const page = await openAs(browser, "owner", "/admin/settings");
  await expect(page.getByText("No settings found.", { exact: true })).toBeVisible();
  await page.getByLabel("Timeout in minutes").fill("45");
  await expectFault(page, "settings.save", () => press(page, "Save timeout"), "Failed to update setting");
  await expect(alert(page, "An unexpected error occurred")).toBeVisible();
  await expect(page.getByLabel("Timeout in minutes")).toHaveValue("45");
  await press(page, "Save timeout");
  await expect(status(page, "Session Timeout Created")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "sessiontimeout" })).toContainText("45");

  const data = { code: "SERVICE_UNAVAILABLE", httpStatus: 503, reason: "unavailable" };
  const refusal = "Permission error loading settings. Please check your role permissions.";
  // It may come in one batch with others.
  await page.route(callOf("settings.list"), (route) => {
    const calls = new URL(route.request().url()).pathname.split(",").length;
    const one = { error: { json: { message: refusal, code: -32603, data } } };
    return route.fulfill({ status: 503, json: Array.from({ length: calls }, () => one) });
  });
  await page.getByRole("tab", { name: "Roles" }).click();
  await expect(page.getByRole("table", { name: "Roles of admin users" })).toBeVisible();
  await page.getByRole("tab", { name: "General Settings" }).click();
  await page.reload();
  await expect(page.getByText(refusal, { exact: true })).toBeVisible();
  await page.unroute(callOf("settings.list"));
});

test("admin users: what fails is told in the dialog's own words", async ({ browser }) => {
  const page = await openAs(browser, "owner", "/admin/settings?tab=admins");
  await press(page, "Add Admin User");
  await dialog(page).getByLabel("Email").fill("amina@gona.example");
  await dialog(page).getByLabel("Full name").fill("Amina Sule");
  await dialog(page).getByRole("button", { name: "Send Invitation" }).click();
  await expect(status(page, "Invitation Sent")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);

  const cases = [
    ["Amina Sule", "Resend Invitation", "Resend Invitation", "team.resendInvite"],
    ["Amina Sule", "Delete Invite", "Delete Invite", "team.removeInvite"],
    ["Ada Obi", "Deactivate", "Deactivate", "admins.deactivate"],
    ["Ada Obi", "Reset Password", "Send Link", "admins.sendPasswordReset"],
  ] as const;
  const texts = [
    "Failed to resend admin invitation. Please try again.",
    "Failed to remove admin invite.",
    "Failed to deactivate admin user. Please try again.",
    "Failed to send password reset. Please try again.",
  ];
  for (const [index, [who, action, confirm, procedure]] of cases.entries()) {
    await choose(page, who, action);
    const agree = dialog(page).getByRole("button", { name: confirm, exact: true });
    await expect(agree).toBeVisible();
    await expectFault(page, procedure, () => agree.click(), texts[index] ?? "");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await expect(dialog(page)).toHaveCount(0);
  }
  await choose(page, "Ada Obi", "Edit Roles");
  await dialog(page).getByLabel("Another role").selectOption("viewer");
  const add = dialog(page).getByRole("button", { name: "Add Role" });
  await expectFault(page, "admins.addRole", () => add.click(), "Failed to assign role");
  await add.click();
  await expect(status(page, "Role Added")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Remove role Viewer" }).click();
  const remove = dialog(page).getByRole("button", { name: "Remove Role", exact: true });
  await expectFault(page, "admins.removeRole", () => remove.click(), "Failed to remove role");
  await remove.click();
  await expect(status(page, "Role Removed")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await page.route(callOf("admins.roles"), (route) => route.fulfill(serverFault));
  await page.getByRole("tab", { name: "Roles" }).click();
  await expect(page.getByRole("heading", { name: "Failed to load user roles" })).toBeVisible();
  await page.unroute(callOf("admins.roles"));
  await page.route(callOf("admins.roles"), (route) => route.fulfill({ json: [{ result: { data: { json: [] } } }] }));
  await press(page, "Try again");
  await expect(page.getByText("No admin users found")).toBeVisible();
});

test("people: lists that don't come, and blocks that fail", async ({ browser }) => {
  const page = await openAs(browser, "owner", "/admin/settings");
  await expect(page.getByRole("heading", { name: "Application settings" })).toBeVisible();
  await page.route(callOf("users.list"), (route) => route.fulfill(serverFault));
  await page.getByRole("tab", { name: "All Users" }).click();
  await expect(page.getByRole("heading", { name: "Failed to load users. Please try again." })).toBeVisible();
  await page.unroute(callOf("users.list"));
  await press(page, "Try again");
  const more = page.getByRole("button", { name: "Load more users" });
  await expect(more).toBeVisible();
  await expectFault(page, "users.list", () => more.click(), "Failed to fetch users");
  await more.click();

  const search = page.getByPlaceholder("Search by name or email...");
  for (const [who, action, procedure, text] of [
    ["Bola Faultless", "Block", "users.block", "Failed to block user"],
    ["Efe Blocked", "Unblock", "users.unblock", "Failed to unblock user"],
  ] as const) {
    await search.fill(who);
    await press(page, `${action} ${who}`);
    const agree = dialog(page).getByRole("button", { name: action, exact: true });
    await expect(agree).toBeVisible();
    await expectFault(page, procedure, () => agree.click(), text);
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await expect(dialog(page)).toHaveCount(0);
  }

  await page.route(callOf("users.backedProjects"), (route) => route.fulfill(serverFault));
  await page.goto(`/admin/user-projects/${server.prepared.people.backer.id}`);
  await expect(page.getByRole("heading", { name: "Failed to fetch backed projects" })).toBeVisible();
  await page.unroute(callOf("users.backedProjects"));
  // What failed in one batch with it failed too.
  await page
    .getByRole("alert")
    .filter({ hasText: "Failed to fetch backed projects" })
    .getByRole("button", { name: "Try again" })
    .click();
  await expect(page.getByText("Ponds with faults")).toBeVisible();
});

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
