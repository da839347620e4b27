import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { users } from "#server/db/schema/users.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase } from "#server/features/payments/buying/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { checkItself } from "#server/self-check.ts";
import { closedName } from "#shared/accounts/texts.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { callAs, cookieJar, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { callOf } from "#tests/support/visitor.ts";

// The administrators' dashboard and payments in the built product, by role. Beside the demo's payments there are 60
// waiting ones for a barn of one lot, of which the last two came with one and the same file.

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const barn = "One milking barn at Vom";
const WAITING = 60;

async function sendReceipt(deps: Deps, backer: TestUser, projectId: number, bytes: Buffer): Promise<void> {
  const from = { device: "Test browser", ipAddress: "203.0.113.7" };
  const actor = await findActor(deps, await startSession(deps, { userId: backer.id, kind: "backer", ...from }));
  if (!actor) throw new Error("the backer can't sign in");
  const ctx: ActorContext = { ...deps, actor, ipAddress: from.ipAddress, userAgent: from.device, cookies: cookieJar() };
  await beginPurchase(ctx, { projectId, lots: 1, termsVersion: 1, hasReadTerms: true });
  const key = newFileKey("receipt");
  await deps.storage.write(key, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = { key, sha256, bytes: bytes.length, contentType: "image/png", originalName: "transfer.png" };
  await submitReceipt(ctx, { projectId, lots: 1, idempotencyKey: randomUUID(), file });
}

/** A payment of an account that was closed before payments under review kept it open; its project was removed since. */
async function leaveARefund(deps: Deps, owner: TestUser): Promise<string> {
  const backer = await createUser(deps.db, { fullName: "Leaving Backer", email: "leaving@example.com" });
  const project = await createProject(deps.db, { title: "Millet for the north" });
  await sendReceipt(deps, backer, project.id, Buffer.concat([picture, Buffer.from("leaving")]));
  await deps.db.update(projectPayments).set({ refundEmail: backer.email }).where(eq(projectPayments.userId, backer.id));
  const closed = { email: `closed-${backer.id}@closed.invalid`, fullName: closedName, closedAt: deps.clock.now() };
  await deps.db
    .update(users)
    .set({ ...closed, passwordHash: null, emailVerifiedAt: null, lastActivityAt: null })
    .where(eq(users.id, backer.id));
  const { items } = await (await callAs(deps, owner)).payments.list({ search: "leaving@" });
  await (await callAs(deps, owner)).projects.delete({ projectId: project.id });
  return items[0]?.reference ?? "";
}

let server: SeededServer<{
  reference: string;
  owner: TestUser;
  manager: TestUser;
  viewer: TestUser;
  backer: TestUser;
}>;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  server = await startSeededServer(async (deps) => {
    const { db } = deps;
    const farm = await createProject(db, { title: barn, fundingGoalKobo: 980_000_000n });
    // More people pay for the barn than there are lots.
    await db.insert(settings).values({ key: holdHoursKey, value: "0" });
    const owner = await createAdmin(db, "owner");
    const reference = await leaveARefund(deps, owner);
    for (let number = 1; number <= WAITING; number++) {
      const backer = await createUser(db, { fullName: `Waiting Backer ${number}` });
      const isTwin = number > WAITING - 2;
      const bytes = isTwin ? picture : Buffer.concat([picture, Buffer.from(String(number))]);
      await sendReceipt(deps, backer, farm.id, bytes);
    }
    await db.update(projects).set({ backersCount: 7 }).where(eq(projects.id, farm.id));
    await checkItself(deps);
    return {
      owner,
      reference,
      manager: await createAdmin(db, "manager"),
      viewer: await createAdmin(db, "viewer"),
      backer: await createUser(db),
    };
  });
});
test.afterAll(async () => server.stop());

async function openAs(
  browser: Browser,
  who: "owner" | "manager" | "viewer" | "backer",
  path = "/admin/dashboard",
  { hasFlag = false } = {},
) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(context, server, server.prepared[who]);
  if (hasFlag) await context.addInitScript(() => localStorage.setItem("isAdmin", "true"));
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** The gate of the page wants the flag that a sign-in stores. */
async function openPayments(browser: Browser, who: "owner" | "manager", search = "") {
  const page = await openAs(browser, who, `/admin/payments${search}`, { hasFlag: true });
  await expect(page.getByRole("button", { name: /^View Receipt/ }).first()).toBeVisible();
  return page;
}

const bodyRows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });
const rowOf = (page: Page, text: string) => bodyRows(page).filter({ hasText: text });
const dialog = (page: Page) => page.getByRole("dialog");

test.describe("dashboard", () => {
  test("shows every project with its figures, and no more than one may do", async ({ browser }) => {
    const page = await openAs(browser, "viewer");
    await expect(page.getByRole("columnheader")).toHaveText([
      "Title",
      "Category",
      "Creator",
      "Backer",
      "Goal",
      "Current",
      "Actions",
    ]);
    const row = rowOf(page, "Solar cold room at Farin Gada market");
    await expect(row.getByText("CLOSED", { exact: true })).toBeVisible();
    await expect(row.getByText("₦11,200,000")).toHaveCount(2);
    await expect(rowOf(page, barn).getByText("CLOSED", { exact: true })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Payments" })).toHaveCount(0);
    await expectSound(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("link", { name: `View project: ${barn}` }).click();
    await expect(page).toHaveURL(/\/project\/\d+$/);
  });

  test("searches by title or backer and sorts, all in the address bar", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner");
    const search = page.getByPlaceholder("Search by title or backer...");
    await search.fill("DAIRY");
    await expect(bodyRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/search=DAIRY/);
    await search.fill("tamuno briggs");
    await expect(bodyRows(page).first()).toContainText("Tamuno Briggs");
    await search.fill("no such farm");
    await expect(page.getByText("No projects found matching your search")).toBeVisible();

    await page.goto("/admin/dashboard?sort=status");
    const sort = page.getByLabel("Sort by");
    await expect(sort).toHaveValue("status");
    await expect(sort.locator("option")).toHaveText(["Sort by Title", "Status", "Backer"]);
    await expect(bodyRows(page).first()).not.toContainText("CLOSED");
    await expect(bodyRows(page).last()).toContainText("CLOSED");
    await sort.selectOption("backer");
    await expect(page).toHaveURL(/sort=backer/);
  });

  test("shows owners, and nobody else, what the self-check found", { tag: "@nightly" }, async ({ browser }) => {
    const manager = await openAs(browser, "manager");
    await expect(bodyRows(manager).first()).toBeVisible();
    const words = "number of backers is not that of the backings: 1 row, since";
    await expect(manager.getByText(words)).toHaveCount(0);
    const page = await openAs(browser, "owner");
    await expect(page.getByText("The self-check found what must not be")).toBeVisible();
    await expect(page.getByText(words)).toBeVisible();
    await expectSound(page);
  });

  test("is loaded anew by a button where the server was not reached", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/cookies");
    await page.route(callOf("dashboard.projects"), (route) => route.abort("connectionrefused"));
    await page.goto("/admin/dashboard");
    await expect(page.getByRole("heading", { name: "Network Error" })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Refresh Page" }).click();
    await expect(bodyRows(page).first()).toBeVisible();
  });

  test("is for administrators", { tag: "@nightly" }, async ({ browser, page }) => {
    await page.goto(`${server.url}/admin/dashboard`);
    await expect(page).toHaveURL(/\/admin\/login/);
    await page.goto(`${server.url}/admin`);
    await expect(page).toHaveURL(/\/admin\/login/);
    await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
    const viewer = await openAs(browser, "viewer", "/admin");
    await expect(viewer).toHaveURL(/\/admin\/dashboard/);
    await expect(bodyRows(viewer).first()).toBeVisible();
    const backer = await openAs(browser, "backer");
    await expect(backer).toHaveURL(/\/admin\/login/);
    await expect(backer.getByText("You do not have admin privileges")).toBeVisible();
  });
});

test.describe("payments", () => {
  test("are not for a viewer, nor for anybody else", { tag: "@nightly" }, async ({ browser, page }) => {
    const viewer = await openAs(browser, "viewer");
    await expect(bodyRows(viewer).first()).toBeVisible();
    await viewer.goto("/admin/payments");
    await expect(viewer.getByText("Access Denied")).toBeVisible();
    await expect(viewer).toHaveURL(/\/admin\/dashboard$/);
    await page.goto(`${server.url}/admin/payments`);
    await expect(page.getByText("Access Denied")).toBeVisible();
    await expect(page.getByText("You must be an admin to access this page")).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/`);
  });

  test("come 50 at a time and are filtered in the address bar", { tag: "@nightly" }, async ({ browser }) => {
    // As a person goes there: the dashboard stores the flag that the page's gate wants.
    const page = await openAs(browser, "manager");
    await page.getByRole("link", { name: "Payments" }).click();
    await expect(page).toHaveURL(/\/admin\/payments$/);
    await expect(page.getByRole("columnheader")).toHaveText([
      "Date",
      "Name",
      "Email",
      "Project",
      "Reference",
      "Amount",
      "Status",
      "Actions",
    ]);
    await expect(bodyRows(page)).toHaveCount(50);
    const more = page.getByRole("button", { name: "Load more payments" });
    for (let shown = 50; await more.isVisible(); shown = await bodyRows(page).count()) {
      await more.click();
      await expect(bodyRows(page)).not.toHaveCount(shown);
    }
    await page.getByRole("link", { name: "Rejected" }).click();
    await expect(page).toHaveURL(/status=rejected$/);
    await expect(rowOf(page, barn)).toHaveCount(0);
    const rejected = await bodyRows(page).count();
    expect(rejected).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Refresh Data" }).click();
    await expect(bodyRows(page)).toHaveCount(rejected);
    await expectSound(page);
  });

  test("are searched by name, email and reference, in the address bar", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openPayments(browser, "manager");
    const search = page.getByRole("searchbox", { name: "Search payments" });
    await search.fill("waiting backer 6");
    await expect(page).toHaveURL(/\?search=waiting\+backer\+6$/);
    await expect(bodyRows(page)).toHaveCount(2);
    await expect(rowOf(page, "Waiting Backer 60")).toHaveCount(1);

    const { reference } = server.prepared;
    await search.fill(reference.toLowerCase().replaceAll("-", " "));
    await expect(bodyRows(page)).toHaveCount(1);
    const row = rowOf(page, reference);
    await expect(row.getByRole("button", { name: `Copy reference ${reference}` })).toBeVisible();
    await expect(row.getByRole("cell", { name: "Unknown", exact: true })).toHaveCount(2);
    await expect(row.getByText("Project removed, refund due")).toBeVisible();
    await expect(row.getByText("Refund contact: leaving@example.com")).toBeVisible();
    await expectSound(page);
    await row.getByRole("button", { name: /^View Receipt/ }).click();
    await expect(dialog(page).getByText("The backer closed the account. Refund contact: ")).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Approved" }).click();
    await expect(page).toHaveURL(/search=.*&?status=approved|status=approved&search=/);
    await expect(page.getByRole("heading", { name: /^No approved payments match "gona / })).toBeVisible();
    await expectSound(page);
    await page.getByRole("link", { name: "Search all payments" }).click();
    await expect(page).toHaveURL(/status=all/);
    await expect(rowOf(page, reference)).toHaveCount(1);
    await search.fill("no such payment");
    await expect(page.getByRole("heading", { name: 'No payments match "no such payment"' })).toBeVisible();
    await page.getByRole("link", { name: "Clear the search" }).click();
    await expect(page).toHaveURL(/\?status=all$/);
    await expect(search).toHaveValue("");
    await expect(bodyRows(page).first()).toBeVisible();
  });

  test("show a manager the receipt, without a way to decide", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openPayments(browser, "manager", "?status=pending");
    await expect(page.getByRole("table").getByRole("combobox")).toHaveCount(0);
    await expect(bodyRows(page).first().getByText("Pending", { exact: true })).toBeVisible();
    await rowOf(page, barn)
      .first()
      .getByRole("button", { name: /^View Receipt/ })
      .click();
    await expect(dialog(page).getByText("Expected amount")).toBeVisible();
    await expect(dialog(page).getByText("₦9,800,000")).toBeVisible();
    await expect(dialog(page).getByText(/\d\d:\d\d WAT/)).toBeVisible();
    await expect(dialog(page).getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog(page).getByRole("button", { name: "Download Receipt" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("transfer.png");
    const saved = await readFile(await download.path());
    expect(saved.subarray(0, picture.length).equals(picture)).toBe(true);
  });

  test("draw a PDF on a canvas, with a worker of our own origin and nothing that the policy forbids", {
    tag: "@nightly",
  }, async ({ browser }) => {
    const page = await openPayments(browser, "owner", "?status=approved");
    const problems = watchErrors(page, { allowed: nothing });
    await bodyRows(page)
      .first()
      .getByRole("button", { name: /^View Receipt/ })
      .click();
    const canvas = dialog(page).locator("canvas");
    await expect(canvas).toBeVisible();
    await expect
      .poll(() =>
        canvas.evaluate((element: HTMLCanvasElement) => {
          const pixels = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data ?? [];
          return new Set(pixels).size;
        }),
      )
      .toBeGreaterThan(10);
    expect(page.workers().map((worker) => new URL(worker.url()).origin)).toEqual([server.url]);
    expect(problems).toEqual([]);
    await expectSound(page);
  });

  test("warn of a file that was used before", async ({ browser }) => {
    const page = await openPayments(browser, "owner", "?status=pending");
    const row = rowOf(page, `Waiting Backer ${WAITING}`);
    await expect(row.getByText("Receipt used before")).toBeVisible();
    await row.getByRole("button", { name: /^View Receipt/ }).click();
    await expect(dialog(page).getByText("This receipt's file was used before")).toBeVisible();
    await expect(dialog(page).getByRole("img", { name: /^Receipt of Waiting Backer/ })).toBeVisible();
    await expect(
      dialog(page).getByText(new RegExp(`^Waiting Backer ${WAITING - 1} for ${barn}, .*: pending$`)),
    ).toBeVisible();
    await expectSound(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await dialog(page).getByRole("link", { name: "Show these payments" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\?sameReceipt=\d+&status=all$/);
    await expect(page.getByText("Payments that share a receipt's file")).toBeVisible();
    await expect(bodyRows(page)).toHaveCount(2);
    await expectSound(page);
    await page.getByRole("link", { name: "Show all payments" }).click();
    await expect(bodyRows(page)).toHaveCount(50);
    await rowOf(page, `Waiting Backer ${WAITING}`)
      .getByRole("link", { name: /^Receipt used before/ })
      .click();
    await expect(bodyRows(page)).toHaveCount(2);
  });

  test("are filtered by project, which the server finds by its title, in the address bar", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openPayments(browser, "manager", "?status=pending");
    const project = page.getByLabel("Filter by project").and(page.locator("input:not([type=hidden])"));
    await project.click();
    await expect(page.getByRole("option")).not.toHaveCount(0);
    await project.fill("MILKING barn");
    await expect(page.getByRole("option")).toHaveText([barn]);
    await page.getByRole("option", { name: barn }).click();
    await expect(page).toHaveURL(/status=pending&project=\d+$/);
    await expect(rowOf(page, barn)).toHaveCount(50);
    await page.getByRole("link", { name: "Rejected" }).click();
    await expect(page).toHaveURL(/status=rejected&project=\d+$/);
    await page.reload();
    await expect(project).toHaveValue(barn);
    await expectSound(page);
    await project.fill("no such farm");
    await expect(page.getByText("No project found")).toBeVisible();
    await project.fill("");
    await page.getByRole("option", { name: "All projects" }).click();
    await expect(page).toHaveURL(/status=rejected$/);
  });

  test("open on what waits, one line to the row, and are walked through by the keyboard", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openPayments(browser, "manager");
    const pending = page.getByRole("link", { name: /^Pending \d+$/ });
    await expect(pending).toHaveAttribute("aria-current", "page");
    const count = Number(((await pending.textContent()) ?? "").replace(/\D/g, ""));
    expect(count).toBeGreaterThan(50);
    const heights = await bodyRows(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights.map(Math.floor)).toEqual(Array.from({ length: 50 }, () => 48));
    await bodyRows(page)
      .nth(49)
      .getByRole("button", { name: /^View Receipt/ })
      .click();
    await expect(dialog(page).getByText(`, 50 of ${count}`)).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(dialog(page).getByText(`, 51 of ${count}`)).toBeVisible();
    await expectSound(page);
    await page.keyboard.press("k");
    await expect(dialog(page).getByText(`, 50 of ${count}`)).toBeVisible();
    await expect(dialog(page).getByRole("img", { name: /^Receipt of/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(bodyRows(page)).toHaveCount(count);
  });

  test("are rejected with a reason by the keyboard alone", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openPayments(browser, "owner", "?status=pending");
    const name = `Waiting Backer ${WAITING - 2}`;
    await rowOf(page, name)
      .getByRole("button", { name: /^View Receipt/ })
      .focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByRole("button", { name: "Reject…" })).toBeEnabled();
    await dialog(page).getByRole("button", { name: "Reject…" }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("Reason (optional)")).toBeFocused();
    await page.keyboard.type("The amount can't be read.");
    await expect(dialog(page).getByText("Reason: The amount can't be read.")).toBeVisible();
    await expectSound(page);
    await page.keyboard.press("Tab");
    await expect(dialog(page).getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Payment status updated to rejected")).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
    // The dialog has gone on to the next one that waits.
    await expect(dialog(page).getByText(new RegExp(`^Waiting Backer ${WAITING - 3}, `))).toBeVisible();
    await page.keyboard.press("Escape");
    // And back: a decision can be taken back in every direction.
    await page.getByRole("link", { name: "Rejected" }).click();
    await rowOf(page, name).getByRole("combobox").selectOption("pending");
    await dialog(page).getByRole("button", { name: "Set to pending" }).click();
    await expect(page.getByText("Payment status updated to pending")).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
  });

  test("are approved after a confirmation; what changed meanwhile is refused and shown anew", async ({ browser }) => {
    const owner = await openPayments(browser, "owner", "?status=pending");
    const late = await openPayments(browser, "owner", "?status=pending");
    const name = `Waiting Backer ${WAITING - 3}`;
    const status = rowOf(owner, name).getByRole("combobox");

    await status.selectOption("approved");
    await expect(dialog(owner).getByText("The project closes to other backers.")).toBeVisible();
    await dialog(owner).getByRole("button", { name: "Cancel" }).click();
    await expect(status).toHaveValue("pending");

    await status.selectOption("approved");
    await dialog(owner).getByRole("button", { name: "Approve payment" }).click();
    await expect(owner.getByText("Payment status updated to approved")).toBeVisible();
    await expect(rowOf(owner, name)).toHaveCount(0);
    await expect(rowOf(owner, barn).first().getByText("Project taken, refund due")).toBeVisible();

    await rowOf(late, name).getByRole("combobox").selectOption("rejected");
    await dialog(late).getByRole("button", { name: "Reject payment" }).click();
    await expect(late.getByText("Failed to update payment status")).toBeVisible();
    await expect(
      late.getByText("This payment changed while you were looking at it. Please review it again."),
    ).toBeVisible();
    await expect(dialog(late)).toHaveCount(0);
    await expect(rowOf(late, name), "the list is fetched again").toHaveCount(0);

    await rowOf(late, barn).first().getByRole("combobox").selectOption("approved");
    await dialog(late).getByRole("button", { name: "Approve payment" }).click();
    await expect(late.getByText(/^Another payment for this project was already approved by/)).toBeVisible();

    await rowOf(late, barn)
      .first()
      .getByRole("button", { name: /^View Receipt/ })
      .click();
    await expect(dialog(late).getByText("Project taken, refund due")).toBeVisible();
    await expect(dialog(late).getByRole("button", { name: "Zoom in" })).toBeVisible();
    await expect(dialog(late).getByRole("button", { name: "Approve…" })).toBeDisabled();
  });
});
