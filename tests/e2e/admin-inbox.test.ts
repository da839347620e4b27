import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "playwright/test";
import { storedFiles } from "#server/db/schema/files.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Job applicants and contact messages in the built product. Beside the demo's there are 25 applicants of long ago, one
// with a resume, and one who tries to be more than text; and a message of the same kind.

const resume = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const hostile = '<img src=x onerror=alert(1)>\n\n"two" & متى الحصاد؟\n'.concat("x".repeat(300));

let server: SeededServer<Record<"owner" | "manager" | "viewer" | "backer", TestUser>>;

async function prepare({ db, storage }: Deps) {
  const person = { email: "ada.obi@example.com", phone: "+234 803 000 0000", position: "Farm Hand" };
  const at = new Date();
  const key = newFileKey("resume");
  await storage.write(key, resume);
  const [file] = await db
    .insert(storedFiles)
    .values({
      kind: "resume" as const,
      storageKey: key,
      sha256: "a".repeat(64),
      bytes: resume.length,
      createdAt: at,
      contentType: "application/pdf",
      originalName: "Résumé Ada.pdf",
    })
    .returning();
  await db.insert(jobApplications).values([
    ...Array.from({ length: 25 }, (_, index) => ({
      ...person,
      fullName: `Early Applicant ${index + 1}`,
      createdAt: new Date(at.getTime() - (100 + index) * 86_400_000),
    })),
    { ...person, fullName: "Ada Obi", resumeFileId: file?.id ?? null, createdAt: at },
    { ...person, fullName: "<b>Bold</b> Name", coverLetter: hostile, createdAt: new Date(at.getTime() - 1000) },
  ]);
  await db
    .insert(contactMessages)
    .values({ name: "Strange Letters", email: "a+b?cc=evil@example.com", phone: person.phone, message: hostile });
  return {
    owner: await createAdmin(db, "owner"),
    manager: await createAdmin(db, "manager"),
    viewer: await createAdmin(db, "viewer"),
    backer: await createUser(db),
  };
}

test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(prepare);
});
test.afterAll(async () => server.stop());

let problems: string[] = [];
test.beforeEach(() => {
  problems = [];
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

/** The gate of /admin/applicants wants the flag that a sign-in stores. */
async function openAs(browser: Browser, who: keyof typeof server.prepared, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(context, server, server.prepared[who]);
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  await page.goto("/admin/dashboard");
  await page.waitForFunction(() => localStorage.getItem("isAdmin") === "true");
  if (path !== "/admin/dashboard") await page.goto(path);
  return page;
}

const entries = (page: Page) => page.getByRole("main").getByRole("list").getByRole("link");
const entry = (page: Page, name: string) => entries(page).filter({ hasText: name });
const filter = (page: Page, name: string) =>
  page.getByRole("navigation", { name: /^Filter/ }).getByRole("link", { name: new RegExp(`^${name}`) });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test.describe("applicants", () => {
  const detail = (page: Page) => page.getByRole("region", { name: "Applicant" });

  test("are for owners", { tag: "@nightly" }, async ({ browser, page }) => {
    for (const who of ["manager", "viewer"] as const) {
      const other = await openAs(browser, who, "/admin/dashboard");
      await expect(other.getByRole("link", { name: "Job Applicants" })).toHaveCount(0);
      await other.goto("/admin/applicants");
      await expect(other.getByText("Access Denied")).toBeVisible();
      await expect(other).toHaveURL(/\/admin\/dashboard$/);
    }
    await page.goto(`${server.url}/admin/applicants`);
    await expect(page.getByText("You must be an admin to access this page")).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/`);
  });

  test("come 30 at a time, newest first, and are filtered in the address bar with counts", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner", "/admin/dashboard");
    await page.getByRole("link", { name: "Job Applicants" }).click();
    await expect(heading(page, "Job Applicants")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Filter by status" }).getByRole("link")).toHaveText([
      /^All \d+$/,
      /^New \d+$/,
      /^Reviewed \d+$/,
      /^Contacted \d+$/,
      /^Rejected \d+$/,
    ]);
    await expect(entries(page)).toHaveCount(30);
    await expect(entries(page).first()).toContainText("Ada Obi");
    await page.getByRole("button", { name: "Load more applicants" }).click();
    await expect(entries(page).last()).toContainText("Early Applicant 25");
    await expect(page.getByRole("button", { name: "Load more applicants" })).toHaveCount(0);
    await filter(page, "Rejected").click();
    await expect(page).toHaveURL(/\?status=rejected$/);
    await expect(filter(page, "Rejected")).toHaveAttribute("aria-current", "page");
    await expect(entry(page, "Maryam Gidado")).toBeVisible();
    await expect(entry(page, "Ada Obi")).toHaveCount(0);
    await expectSound(page);
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
  });

  test("are opened beside the list, by the keyboard too, and set to each status in place", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner", "/admin/applicants?status=new");
    await entry(page, "Blessing Ekanem").focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/status=new&open=\d+$/);
    await expect(detail(page)).toBeFocused();
    await expect(detail(page).getByRole("heading", { level: 2, name: "Blessing Ekanem" })).toBeVisible();
    await expect(detail(page).getByText("I am willing to move to Epe.")).toBeVisible();
    await expect(detail(page).getByText("No resume was sent.")).toBeVisible();
    const mail = detail(page).getByRole("link", { name: "blessing.ekanem@example.com" });
    await expect(mail).toHaveAttribute("href", /^mailto:blessing\.ekanem@example\.com\?subject=Your%20application/);
    const counted = async (name: string) => Number((await filter(page, name).textContent())?.replace(/\D/g, ""));
    const news = await counted("New");
    for (const status of ["Reviewed", "Contacted", "Rejected"]) {
      await detail(page).getByRole("button", { name: status }).click();
      await expect(page.getByText(`Applicant status changed to ${status.toLowerCase()}`)).toBeVisible();
      await expect(detail(page).getByRole("button", { name: status })).toHaveAttribute("aria-pressed", "true");
      await expect(detail(page).getByRole("button", { name: "New" })).toHaveAttribute("aria-pressed", "false");
    }
    // No longer among the new ones, and still open.
    await expect(entry(page, "Blessing Ekanem")).toHaveCount(0);
    await expect(filter(page, "New")).toHaveText(`New ${news - 1}`);
    await page.reload();
    await expect(detail(page).getByRole("button", { name: "Rejected" })).toHaveAttribute("aria-pressed", "true");
    await expectSound(page);
    await detail(page).getByRole("button", { name: "New" }).click();
    await expect(page.getByText("Applicant status changed to new")).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect(entry(page, "Blessing Ekanem")).toBeVisible();
    await detail(page).getByRole("link", { name: "Close this application" }).click();
    await expect(entry(page, "Blessing Ekanem")).toBeFocused();
    await expect(page).toHaveURL(/\?status=new$/);
  });

  test("send a resume that is saved under its own name, and letters that stay letters", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner", "/admin/applicants");
    await entry(page, "Ada Obi").click();
    const button = detail(page).getByRole("button", { name: "Download resume" });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toBe("Résumé Ada.pdf");
    expect((await readFile(await download.path())).equals(resume)).toBe(true);
    await page.route("**/files/resumes/**", (route) => route.fulfill({ status: 404, body: "" }));
    await button.click();
    await expect(page.getByText("Could not download the resume")).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    await entry(page, "<b>Bold</b> Name").click();
    await expect(detail(page).getByText("<img src=x onerror=alert(1)>")).toBeVisible();
    await expect(detail(page).locator("img")).toHaveCount(0);
    await expectSound(page);
  });
});

test.describe("contact messages", () => {
  const detail = (page: Page) => page.getByRole("region", { name: "Message" });

  test("are for owners", { tag: "@nightly" }, async ({ browser, page }) => {
    const manager = await openAs(browser, "manager", "/admin/messages");
    await expect(manager.getByText("Access Denied")).toBeVisible();
    await expect(manager).toHaveURL(/\/admin\/dashboard$/);
    await page.goto(`${server.url}/admin/messages`);
    await expect(page).toHaveURL(/\/admin\/login/);
  });

  test("are read by opening them, marked as unread, and answered by mail", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner", "/admin/dashboard");
    await page.getByRole("main").getByRole("link", { name: "Messages" }).click();
    await expect(heading(page, "Contact messages")).toBeVisible();
    await expect(filter(page, "Unread")).toHaveText("Unread 3");
    await expect(entry(page, "Unread: Yetunde O'Brien-Cole")).toBeVisible();
    await entry(page, "Yetunde O'Brien-Cole").click();
    await expect(detail(page).getByText("do we have to book?")).toBeVisible();
    await expect(filter(page, "Unread")).toHaveText("Unread 2");
    await expect(entry(page, "Unread: Yetunde O'Brien-Cole")).toHaveCount(0);
    await expect(detail(page).getByRole("link", { name: "Reply by email" })).toHaveAttribute(
      "href",
      "mailto:yetunde.cole@example.com?subject=Your%20message%20to%20Gona",
    );
    await expectSound(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await detail(page).getByRole("button", { name: "Mark as unread" }).click();
    await expect(page.getByText("Message marked as unread")).toBeVisible();
    await expect(detail(page).getByRole("button", { name: "Mark as read" })).toBeVisible();
    await expect(filter(page, "Unread")).toHaveText("Unread 3");
    await filter(page, "Read").click();
    await expect(page).toHaveURL(/\?show=read$/);
    await expect(entry(page, "Grace Adamu")).toBeVisible();
    await expect(entry(page, "Yetunde O'Brien-Cole")).toHaveCount(0);
  });

  test("are shown as they were written, and an address adds nothing to the answer", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "owner", "/admin/messages?show=unread");
    await page.setViewportSize({ width: 360, height: 740 });
    await entry(page, "Strange Letters").click();
    await expect(detail(page).getByText("<img src=x onerror=alert(1)>")).toBeVisible();
    const href = await detail(page).getByRole("link", { name: "Reply by email" }).getAttribute("href");
    expect(new URL(String(href)).searchParams.has("cc")).toBe(false);
    await expectSound(page);
  });
});
