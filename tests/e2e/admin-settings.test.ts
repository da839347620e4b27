import { readFile } from "node:fs/promises";
import { asc, eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { auditLogs } from "#server/db/schema/audit.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

// Settings, administrators, people, roles and the audit log in the built product, by role.

const cows = "Five dairy cows on the plateau";
type Prepared = Record<"owner" | "manager" | "viewer" | "halima" | "blockable" | "idle", TestUser>;
let server: SeededServer<Prepared>;

test.beforeAll(async () => {
  server = await startSeededServer(async ({ db, clock }) => {
    const halima = await createUser(db, { fullName: "Halima Backer", email: "halima.backer@farm.example" });
    const [farm] = await db.select().from(projects).where(eq(projects.title, cows)).orderBy(asc(projects.id));
    if (!farm) throw new Error("the demo has no cows");
    await db.insert(projectBackings).values({ projectId: farm.id, userId: halima.id, grantedAt: clock.now() });
    await db.delete(settings).where(eq(settings.key, "supportemail"));
    await db.insert(auditLogs).values(
      Array.from({ length: 120 }, (_, index) => ({
        actionType: "edit_project",
        userEmail: "owner@demo.example",
        details: { projectId: index, before: { title: `Old ${index}` }, after: { title: `New ${index}` } },
        createdAt: new Date(Date.UTC(2025, 0, 10, 0, index)),
      })),
    );
    return {
      halima,
      owner: await createAdmin(db, "owner", { fullName: "Chidi Eze", email: "chidi@gona.example" }),
      manager: await createAdmin(db, "manager", { fullName: "Ada Obi", email: "ada@gona.example" }),
      viewer: await createAdmin(db, "viewer", { fullName: "Zainab Musa", email: "zainab@gona.example" }),
      blockable: await createUser(db, { fullName: "Bola Blockable", email: "bola.blockable@farm.example" }),
      idle: await createUser(db, { fullName: "Idle Person", email: "idle.person@farm.example" }),
    };
  });
});
test.afterAll(async () => server.stop());

let problems: string[] = [];
const expectCleanConsole = () => expect(problems, "errors on the console").toEqual([]);
test.beforeEach(() => {
  problems = [];
});
test.afterEach(expectCleanConsole);

async function openAs(browser: Browser, who: "owner" | "manager" | "viewer", path = "/admin/settings") {
  const visitor = await newVisitor(browser, {
    baseURL: server.url,
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
  });
  const { page } = visitor;
  problems = visitor.problems;
  await signInBrowser(page.context(), server, server.prepared[who]);
  await page.goto(path);
  return page;
}

const bodyRows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });
const rowOf = (page: Page, text: string) => bodyRows(page).filter({ hasText: text });
const headers = (page: Page) => page.getByRole("columnheader");
const toast = (page: Page, text: string) => page.getByText(text, { exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, who: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${who}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("managers and viewers are told that they may not, and go to the dashboard", { tag: "@nightly" }, async ({
  browser,
}) => {
  for (const who of ["manager", "viewer"] as const) {
    const page = await openAs(browser, who);
    await expect(toast(page, "Access Denied")).toBeVisible();
    await expect(toast(page, "You don't have permission to access admin settings")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
    await page.goto(`/admin/user-projects/${server.prepared.halima.id}`);
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    expectCleanConsole();
    await page.context().close();
  }
});

test.describe("general settings", () => {
  test("the session timeout is whole minutes, and the session's end is told", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner");
    await expect(page.getByRole("tab")).toHaveText([
      "General Settings",
      "Admin Users",
      "All Users",
      "Roles",
      "Audit Logs",
    ]);
    await expect(page.getByText(/^Your session expires: \d+ \w+ \d{4}, \d\d:\d\d WAT/)).toBeVisible();
    const minutes = page.getByLabel("Timeout in minutes");
    await expect(minutes).toHaveValue("30");
    await minutes.fill("45");
    await page.getByRole("button", { name: "Save timeout" }).click();
    await expect(toast(page, "Session Timeout Updated")).toBeVisible();
    await expect(rowOf(page, "sessiontimeout")).toContainText("45");
    await expectSound(page);
  });

  test("a setting is added and edited", async ({ browser }) => {
    const page = await openAs(browser, "owner");
    await expect(headers(page)).toHaveText(["Key", "Value", "Description", "Updated", "Actions"]);
    await page.getByRole("button", { name: "Add Setting" }).click();
    await dialog(page).getByRole("button", { name: "Add Setting" }).click();
    await expect(dialog(page).getByText("Please enter a key")).toBeVisible();
    await expect(dialog(page).getByText("Please enter a value")).toBeVisible();
    // Only what something reads, and isn't there yet.
    const ofLots = ["platformfee", "holdhours", "offerhours", "maxlots", "secondperson"];
    const ofPayouts = ["maxtransfer", "refunddays", "vatpercent", "withholdingpercent", "payoutcolumns"];
    const missing = ["supportemail", ...ofLots, ...ofPayouts, "requiresigninforprojects", "requiretwofactor"];
    await expect(dialog(page).getByLabel("Key").getByRole("option")).toHaveText(["Choose a setting", ...missing]);
    await dialog(page).getByLabel("Key").selectOption("supportemail");
    await dialog(page).getByLabel("Value").fill("desk@farm.example");
    await dialog(page).getByRole("button", { name: "Add Setting" }).click();
    await expect(toast(page, "New setting added")).toBeVisible();
    await expect(dialog(page)).toBeHidden();

    await page.getByRole("button", { name: "Edit supportemail" }).click();
    await dialog(page).getByLabel("Value").fill("office@farm.example");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect(toast(page, "Setting updated successfully")).toBeVisible();
    await expect(rowOf(page, "supportemail")).toContainText("office@farm.example");
  });

  test("the bank details change by two owners only", async ({ browser }) => {
    const page = await openAs(browser, "owner");
    const number = page.getByLabel("Account number");
    await number.fill("123");
    await page.getByRole("button", { name: "Save bank details" }).click();
    await expect(page.getByText("The account number must be 10 digits")).toBeVisible();
    await number.fill("0123456789");
    await page.getByRole("button", { name: "Save bank details" }).click();
    await expect(dialog(page)).toContainText("0000000000 → 0123456789");
    await expectSound(page);
    await dialog(page).getByRole("button", { name: "Send to another owner" }).click();
    await expect(dialog(page).getByText(secondPersonTexts.reasonTooShort)).toBeVisible();
    await dialog(page).getByLabel("Reason").fill("The bank has given us another account.");
    await dialog(page).getByRole("button", { name: "Send to another owner" }).click();
    await expect(toast(page, secondPersonTexts.asked)).toBeVisible();
    // Nothing changes before another owner confirms it.
    await expect(rowOf(page, "bankaccountnumber")).toContainText("0000000000");
  });
});

test.describe("admin users", () => {
  test("somebody is invited, reminded and uninvited", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=admins");
    await expect(headers(page)).toHaveText(["Name", "Email", "Role(s)", "Status", "Created", "Actions"]);
    await expect(rowOf(page, "ada@gona.example")).toContainText("Active");
    await page.getByRole("button", { name: "Add Admin User" }).click();
    await dialog(page).getByRole("button", { name: "Send Invitation" }).click();
    await expect(dialog(page).getByText("Please enter a valid email address")).toBeVisible();
    await expect(dialog(page).getByText("Name must be at least 2 characters")).toBeVisible();
    await expect(dialog(page).getByLabel("Role")).toHaveValue("manager");
    await dialog(page).getByLabel("Email").fill("ngozi@gona.example");
    await dialog(page).getByLabel("Full name").fill("Ngozi Bello");
    await dialog(page).getByRole("button", { name: "Send Invitation" }).click();
    await expect(toast(page, "Invitation Sent")).toBeVisible();
    await expect(rowOf(page, "ngozi@gona.example")).toContainText("Invited");
    await expectSound(page);

    await choose(page, "Ngozi Bello", "Resend Invitation");
    await dialog(page).getByRole("button", { name: "Resend Invitation" }).click();
    await expect(toast(page, "Invitation Resent")).toBeVisible();
    await choose(page, "Ngozi Bello", "Delete Invite");
    await dialog(page).getByRole("button", { name: "Delete Invite" }).click();
    await expect(toast(page, "Invite Removed")).toBeVisible();
    await expect(rowOf(page, "ngozi@gona.example")).toHaveCount(0);
  });

  test("roles are added and removed, never one's own up", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=admins");
    await choose(page, "Zainab Musa", "Edit Roles");
    await dialog(page).getByRole("button", { name: "Add Role" }).click();
    await dialog(page).getByLabel("Another role").selectOption("manager");
    await dialog(page).getByRole("button", { name: "Add Role" }).click();
    await expect(toast(page, "Role Added")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Remove role Manager" }).click();
    await dialog(page).getByRole("button", { name: "Remove Role", exact: true }).click();
    await expect(toast(page, "Role Removed")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(rowOf(page, "zainab@gona.example")).toContainText("Viewer");

    await page.getByRole("button", { name: "Actions for Chidi Eze" }).click();
    await expect(page.getByRole("menuitem")).toHaveText(["Edit Roles"]);
    await page.getByRole("menuitem", { name: "Edit Roles" }).click();
    await expect(dialog(page).getByLabel("Another role")).toHaveCount(0);
  });

  test("one is deactivated, reactivated, sent a link and removed", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=admins");
    await choose(page, "Zainab Musa", "Reset Password");
    await dialog(page).getByRole("button", { name: "Send Link" }).click();
    await expect(toast(page, "Password Reset Email Sent")).toBeVisible();
    await choose(page, "Zainab Musa", "Deactivate");
    await expect(dialog(page)).toContainText("All administrator rights end at once");
    await dialog(page).getByRole("button", { name: "Deactivate" }).click();
    await expect(toast(page, "Admin Deactivated")).toBeVisible();
    await expect(rowOf(page, "zainab@gona.example")).toContainText("Deactivated");
    await choose(page, "Zainab Musa", "Reactivate");
    await dialog(page).getByRole("button", { name: "Reactivate" }).click();
    await expect(rowOf(page, "zainab@gona.example")).toContainText("Active");
    await choose(page, "Zainab Musa", "Remove Admin");
    await dialog(page).getByRole("button", { name: "Remove Admin" }).click();
    await expect(rowOf(page, "zainab@gona.example")).toHaveCount(0);
  });
});

test.describe("all users", () => {
  test("are searched, blocked and unblocked", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=users");
    await expect(headers(page)).toHaveText(["User", "Email", "Status", "Created", "Last Activity", "Actions"]);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("button", { name: "Load more users" }).click();
    await expect(bodyRows(page).nth(25)).toBeVisible();
    await page.getByPlaceholder("Search by name or email...").fill("BLOCKABLE");
    await expect(bodyRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/search=BLOCKABLE/);
    await page.getByRole("button", { name: "Block Bola Blockable" }).click();
    await expect(dialog(page)).toContainText("This person is signed out everywhere at once");
    await dialog(page).getByRole("button", { name: "Block" }).click();
    await expect(toast(page, "User Blocked")).toBeVisible();
    await expect(bodyRows(page).first()).toContainText("Blocked");
    await expect(dialog(page)).toBeHidden();
    await expectSound(page);
    await page.getByRole("button", { name: "Unblock Bola Blockable" }).click();
    await dialog(page).getByRole("button", { name: "Unblock" }).click();
    await expect(toast(page, "User Unblocked")).toBeVisible();
    await page.getByPlaceholder("Search by name or email...").fill("nobody at all");
    await expect(page.getByRole("heading", { name: "No users found matching your search" })).toBeVisible();
  });

  test("a person's backed projects, or that there are none", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=users&search=halima.backer");
    await page.getByRole("link", { name: "Backed Projects of Halima Backer" }).click();
    await expect(page).toHaveURL(new RegExp(`/admin/user-projects/${server.prepared.halima.id}$`));
    await expect(page.getByText("halima.backer@farm.example")).toBeVisible();
    await expect(headers(page)).toHaveText([
      "Title",
      "Category",
      "Funding Goal",
      "Current Funding",
      "Status",
      "Actions",
    ]);
    await expect(rowOf(page, cows)).toContainText("Active");
    await expectSound(page);
    await page.getByRole("link", { name: `View Project: ${cows}` }).click();
    await expect(page).toHaveURL(/\/project\/\d+$/);
    await page.goto(`/admin/user-projects/${server.prepared.idle.id}`);
    await expect(page.getByText("This user has not backed any projects yet")).toBeVisible();
    await page.goto(`/admin/user-projects/${crypto.randomUUID()}`);
    await expect(page.getByText("Failed to fetch user details")).toBeVisible();
    await page.getByRole("link", { name: "Back to Settings" }).click();
    await expect(page).toHaveURL(/\/admin\/settings\?tab=users$/);
  });
});

test.describe("audit logs", () => {
  test("are filtered and paged in the address bar, and tell what became what", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=audit");
    await expect(headers(page)).toHaveText(["Time", "Action", "User", "Details", "IP Address"]);
    await expect(bodyRows(page)).toHaveCount(10);
    await page.getByLabel("Start date").fill("2025-01-10");
    await page.getByLabel("End date").fill("2025-01-10");
    await page.getByLabel("Action type").selectOption({ label: "Edit project" });
    await expect(page.getByText("1–10 of 120 entries")).toBeVisible();
    await expect(page).toHaveURL(/from=2025-01-10&to=2025-01-10&action=edit_project/);
    // One sentence, and what it was made of behind it: an arrow for the eye, a word for readers.
    const change = bodyRows(page).first().getByText("Old 119 →became New 119");
    await expect(change).toBeHidden();
    await bodyRows(page).first().locator("summary").first().press("Enter");
    await expect(change).toBeVisible();
    await expectSound(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    const pages = page.getByRole("navigation", { name: "Audit logs: pages" });
    await expect(pages.getByRole("listitem")).toHaveText(["1", "2", "3", "4", "…", "12"]);
    await pages.getByRole("button", { name: "Page 12" }).click();
    await expect(page.getByText("111–120 of 120 entries")).toBeVisible();
    await page.getByLabel("Entries per page").selectOption("50");
    await expect(page.getByText("1–50 of 120 entries")).toBeVisible();
    await expect(page.getByLabel("Entries per page").locator("option")).toHaveText([
      "5 per page",
      "10 per page",
      "25 per page",
      "50 per page",
    ]);
    await page.getByLabel("Entries per page").selectOption("5");
    await expectSound(page);
    await page.getByLabel("Start date").fill("2025-01-11");
    await expect(page.getByText("The start date is after the end date.")).toBeVisible();
    await page.getByLabel("End date").fill("2025-01-12");
    await expect(page.getByRole("heading", { name: "No audit logs found" })).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(bodyRows(page)).toHaveCount(5);
  });

  test("are exported as CSV and JSON, as filtered", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/settings?tab=audit&action=edit_project&to=2025-01-31");
    await expect(page.getByText("1–10 of 120 entries")).toBeVisible();
    for (const format of ["csv", "json"] as const) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: `Audit logs as ${format.toUpperCase()}` }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-logs-\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
      const text = await readFile(await download.path(), "utf8");
      if (format === "csv") expect(text.trimEnd().split("\r\n")).toHaveLength(121);
      else expect(JSON.parse(text)).toHaveLength(120);
      await expect(toast(page, "Audit logs exported")).toBeVisible();
    }
  });
});

/** A page on which calls are refused in the end, which browsers write on the console. */
async function openUnwatched(browser: Browser, person: TestUser, path: string): Promise<Page> {
  const { page } = await newVisitor(browser, { baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(page.context(), server, person);
  await page.goto(path);
  return page;
}

test("an owner signs people out everywhere without blocking them, from both tables", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { halima, manager } = server.prepared;
  const backerPage = await openUnwatched(browser, halima, "/profile");
  const managerPage = await openUnwatched(browser, manager, "/admin/dashboard");
  await expect(backerPage.getByRole("heading", { name: "My Profile" })).toBeVisible();
  await expect(managerPage.getByRole("heading", { name: "Dashboard" })).toBeVisible();

  const page = await openAs(browser, "owner", "/admin/settings?tab=users&search=halima.backer");
  await page.getByRole("button", { name: "Sign Out Halima Backer everywhere" }).click();
  await expect(dialog(page)).toContainText("Sign Halima Backer (halima.backer@farm.example) out on every device?");
  await expectSound(page);
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "Sign Out Halima Backer everywhere" }).click();
  await dialog(page).getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect(toast(page, "Signed Out Everywhere")).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, "Halima Backer")).toContainText("Active");
  await backerPage.reload();
  await expect(backerPage).toHaveURL(/\/login/);

  const admins = await openAs(browser, "owner", "/admin/settings?tab=admins");
  await choose(admins, "Ada Obi", "Sign Out Everywhere");
  await expect(dialog(admins)).toContainText("Rights and roles stay as they are");
  await dialog(admins).getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect(toast(admins, "Signed Out Everywhere")).toBeVisible();
  await managerPage.getByRole("button", { name: "Refresh" }).first().click();
  await expect(managerPage.getByText("Your admin session has expired. Please log in again.")).toBeVisible();
  await expect(managerPage).toHaveURL(/\/admin\/login/);
});

test("making two-factor sign-in mandatory asks first, and says whom it stops", { tag: "@nightly" }, async ({
  browser,
}) => {
  const page = await openUnwatched(browser, server.prepared.owner, "/admin/settings");
  const required = page.getByRole("switch", { name: "Administrators must use two-factor sign-in" });
  await required.click({ force: true });
  await expect(dialog(page)).toContainText("Chidi Eze (you)");
  await expect(dialog(page)).toContainText("must set it up at their next click");
  await expectSound(page);
  await expect(required).not.toBeChecked();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await expect(required).not.toBeChecked();
  await required.click({ force: true });
  await dialog(page).getByRole("button", { name: "Require it" }).click();
  await expect(toast(page, "Setting updated successfully")).toBeVisible();
  await expect(page.getByText("Two-factor sign-in is required").first()).toBeVisible();
});
