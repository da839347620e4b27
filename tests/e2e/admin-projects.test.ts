import { asc, eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import sharp from "sharp";
import { projects } from "#server/db/schema/projects.ts";
import { test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { createPayment } from "#tests/support/money.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Administrators make, change, close, clone and delete projects in the built product; each test has one of its own.

const titles = [
  "Edited farm",
  "Closed farm",
  "Cloned farm",
  "Deleted farm",
  "Raced farm",
  "Reloaded farm",
  "Vanishing farm",
] as const;
type Title = (typeof titles)[number];
type People = Record<"owner" | "manager" | "viewer", TestUser>;

let server: SeededServer<{ people: People; ids: Record<Title, number> }>;
test.beforeAll(async () => {
  server = await startSeededServer(async (deps) => {
    const { db } = deps;
    const sold = await createProject(db, { title: "Sold farm" });
    await createPayment(deps, { project: sold, status: "approved" });
    const ids = {} as Record<Title, number>;
    for (const title of titles) ids[title] = (await createProject(db, { title })).id;
    const [first] = await db.select().from(projects).where(eq(projects.title, titles[0])).orderBy(asc(projects.id));
    if (!first) throw new Error("the projects were not written");
    const people: People = {
      owner: await createAdmin(db, "owner"),
      manager: await createAdmin(db, "manager"),
      viewer: await createAdmin(db, "viewer"),
    };
    return { people, ids };
  });
});
test.afterAll(async () => server.stop());

const problems: string[] = [];
test.beforeEach(() => {
  problems.length = 0;
});

async function openAs(browser: Browser, who: keyof People, path = "/admin/dashboard") {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await signInBrowser(context, server, server.prepared.people[who]);
  await context.addInitScript(() => localStorage.setItem("isAdmin", "true"));
  const page = await context.newPage();
  watchErrors(page, { into: problems, allowed: nothing });
  await page.goto(path);
  return page;
}

const rowOf = (page: Page, title: string) =>
  page.getByRole("row").filter({ has: page.getByText(title, { exact: true }) });
const alert = (page: Page) => page.getByRole("alert");
const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });

async function act(page: Page, title: string, action: string) {
  await page.getByPlaceholder("Search by title or backer...").fill(title);
  const item = page.getByRole("menuitem", { name: action, exact: true });
  // What the search finds may come while the menu opens, and closes it.
  await expect(async () => {
    await page.getByRole("button", { name: `Actions for ${title}`, exact: true }).click();
    await expect(item).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await item.click();
}

/** Says yes to the question. */
async function actSurely(page: Page, title: string, action: "Close" | "Clone" | "Reopen") {
  await act(page, title, action);
  await page
    .getByRole("dialog", { name: `${action} Project` })
    .getByRole("button", { name: `${action} Project` })
    .click();
}

test.describe("the dashboard", () => {
  test("shows the money and the actions of one's role", async ({ browser }) => {
    const viewer = await openAs(browser, "viewer");
    await expect(viewer.getByText("Open projects")).toBeVisible();
    await expect(viewer.getByText("Pending review")).toHaveCount(0);
    await expect(viewer.getByRole("link", { name: "Create New Project" })).toHaveCount(0);
    await expect(viewer.getByRole("button", { name: /^Actions for/ })).toHaveCount(0);

    const manager = await openAs(browser, "manager");
    await expect(manager.getByText("Pending review")).toBeVisible();
    await expect(manager.getByText("Approved this month")).toBeVisible();
    await manager.getByText("As a table").click();
    await expect(manager.getByRole("table", { name: "Money approved by week" }).getByRole("row")).toHaveCount(13);
    await expect(manager.getByRole("link", { name: "Create New Project" })).toBeVisible();
    await manager.getByPlaceholder("Search by title or backer...").fill("Deleted farm");
    await manager.getByRole("button", { name: "Actions for Deleted farm" }).click();
    await expect(manager.getByRole("menuitem")).toHaveText(["View project", "Edit", "Close", "Clone"]);
    await manager.keyboard.press("Escape");
    await expectSound(manager);

    const owner = await openAs(browser, "owner", "/admin/dashboard?search=Deleted+farm");
    await owner.getByRole("button", { name: "Actions for Deleted farm" }).click();
    await expect(owner.getByRole("menuitem")).toHaveText(["View project", "Edit", "Close", "Clone", "Delete"]);
    expect(problems).toEqual([]);
  });

  test("closes and reopens, and says so", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "manager");
    await act(page, "Closed farm", "Close");
    const question = page.getByRole("dialog", { name: "Close Project" });
    await expect(question.getByText('Close "Closed farm" to new backers?')).toBeVisible();
    await expect(question.getByText("Its backers are told by email.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(page.getByRole("button", { name: "Actions for Closed farm" })).toBeFocused();
    await expect(rowOf(page, "Closed farm").getByText("CLOSED", { exact: true })).toHaveCount(0);
    await actSurely(page, "Closed farm", "Close");
    await expect(question).toBeHidden();
    await expect(status(page, "Project closed successfully")).toBeVisible();
    await expect(rowOf(page, "Closed farm").getByText("CLOSED", { exact: true })).toBeVisible();
    await act(page, "Closed farm", "Reopen");
    await expect(status(page, "Project reopened successfully")).toBeVisible();
    await expect(rowOf(page, "Closed farm").getByText("CLOSED", { exact: true })).toHaveCount(0);
    expect(problems).toEqual([]);

    // Somebody else closes it meanwhile.
    const other = await openAs(browser, "owner");
    await actSurely(other, "Closed farm", "Close");
    await expect(status(other, "Project closed successfully")).toBeVisible();
    await actSurely(page, "Closed farm", "Close");
    await expect(alert(page).getByText("Failed to update project status")).toBeVisible();
    await expect(alert(page).getByText("This project is already closed.")).toBeVisible();
    await expect(rowOf(page, "Closed farm").getByText("CLOSED", { exact: true })).toBeVisible();
  });

  test("offers a sold project again only after a question that says what follows", async ({ browser }) => {
    const page = await openAs(browser, "manager");
    await act(page, "Sold farm", "Reopen");
    const question = page.getByRole("dialog", { name: "Reopen Project" });
    await expect(
      question.getByText('"Sold farm" was sold: a payment for it is approved. Offer it again?'),
    ).toBeVisible();
    await expect(question.getByText("Whoever paid stays its backer.")).toBeVisible();
    await expectSound(page);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(rowOf(page, "Sold farm").getByText("CLOSED", { exact: true })).toBeVisible();
    await actSurely(page, "Sold farm", "Reopen");
    await expect(status(page, "Project reopened successfully")).toBeVisible();
    await expect(rowOf(page, "Sold farm")).toContainText("₦0");
    expect(problems).toEqual([]);
  });

  test("clones", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "manager");
    await actSurely(page, "Cloned farm", "Clone");
    await expect(status(page, "Project cloned successfully")).toBeVisible();
    await expect(rowOf(page, "Cloned farm (Clone)")).toContainText("Admin");
    expect(problems).toEqual([]);
  });

  test("deletes after a question that names what follows", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openAs(browser, "owner");
    await act(page, "Deleted farm", "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete Project" });
    await expect(
      dialog.getByText('Are you sure you want to delete "Deleted farm"? This action cannot be undone.'),
    ).toBeVisible();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(rowOf(page, "Deleted farm")).toBeVisible();
    await act(page, "Deleted farm", "Delete");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(status(page, "Project deleted successfully")).toBeVisible();
    await expect(page.getByText("No projects found matching your search")).toBeVisible();
    expect(problems).toEqual([]);
  });
});

const story = "Forty pens of giant snails, looked after by two families who have kept snails for years.";
const editor = (page: Page) => page.getByRole("textbox", { name: "Full Description" });

test.describe("the wizard", () => {
  test("publishes with an uploaded picture and two rewards, and loses nothing in a reload", async ({ browser }) => {
    const page = await openAs(browser, "manager", "/create-project");
    await page.getByLabel("Project Title").fill("Snail pens in Ikorodu");
    await page.getByLabel("Category").selectOption("livestock");
    await page.getByLabel("Short Description").fill("Forty pens of giant snails near Ikorodu.");
    await page.getByRole("button", { name: "Next" }).click();
    await editor(page).click();
    await page.keyboard.type(story);
    const photo = await sharp({ create: { width: 1300, height: 800, channels: 3, background: "#3a7d44" } })
      .jpeg()
      .toBuffer();
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
    await page.getByLabel("Upload an image").setInputFiles(text);
    await expect(page.getByText("Please upload a JPEG, PNG or WebP image")).toBeVisible();
    await page.getByLabel("Upload an image").setInputFiles({ name: "farm.jpg", mimeType: "image/jpeg", buffer: photo });
    await expect(page.getByLabel("Image URL")).toHaveValue(/^\/files\/photos\/[0-9a-f]{32}\/1300\.webp$/);
    await page.getByRole("button", { name: "Next" }).click();
    await expect(page.getByText(/\$25 Supporter tier with a thank-you and updates/)).toBeVisible();

    await page.reload();
    await expect(page.getByRole("tab", { selected: true })).toHaveText("3. Rewards");
    await page.getByRole("button", { name: "Add Another Reward Tier" }).click();
    await page.getByRole("button", { name: "Publish Project" }).click();
    await expect(page.getByText("Please name the reward")).toBeVisible();
    await page.getByLabel("Reward name").last().fill("Snail dinner");
    await page.getByLabel("Amount").last().fill("50,000");
    await page.getByLabel("What the backer gets").last().fill("A dinner at the farm.");
    await page.getByLabel("Unlimited quantity").last().uncheck();
    await page.getByRole("textbox", { name: "Quantity", exact: true }).fill("5");
    await expectSound(page);
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await expect(editor(page)).toHaveText(story);
    await page.getByRole("button", { name: "Next" }).click();

    await page.getByRole("button", { name: "Publish Project" }).click();
    await expect(status(page, "Success!")).toBeVisible();
    await expect(status(page, "Your project has been created successfully.")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.getByPlaceholder("Search by title or backer...").fill("Ikorodu");
    await page.getByRole("button", { name: "Actions for Snail pens in Ikorodu" }).click();
    await page.getByRole("menuitem", { name: "View project" }).click();
    await expect(page.getByText("Snail dinner")).toBeVisible();
    await expect(page.getByText("₦50,000")).toBeVisible();
    await expect(page.getByText(story)).toBeVisible();
    const picture = page.locator('img[src^="/files/photos/"]');
    await expect(picture).toHaveAttribute("srcset", /480\.webp 480w, .*1008\.webp 1008w, .*1300\.webp 1300w/);
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    // The page's HTML preloads the very file that the picture shows, and no other one is fetched.
    const fetched: string[] = [];
    page.on("request", (request) => {
      if (/^\/files\/photos\//.test(new URL(request.url()).pathname)) fetched.push(request.url());
    });
    const html = (await (await page.reload())?.text()) ?? "";
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(fetched.map((url) => url.replace(/^.*\//, ""))).toEqual(["1008.avif"]);
    const source = await page.locator("main picture source").first().getAttribute("srcset");
    expect(source).toMatch(/320\.avif 320w, .*1008\.avif 1008w, .*1300\.avif 1300w$/);
    const head = html.slice(0, html.indexOf("</head>"));
    const preload = /<link rel="preload" as="image" type="image\/avif"[^>]*>/.exec(head)?.[0];
    expect(preload).toContain(` fetchPriority="high" imageSrcSet="${source}" `);
    // A new wizard starts anew.
    await page.goto("/create-project");
    await expect(page.getByLabel("Project Title")).toHaveValue("");
    expect(problems).toEqual([]);
  });
});

test.describe("the edit screen", () => {
  const path = (title: Title) => `/edit-project/${server.prepared.ids[title]}`;

  test("shows the project, saves it and goes back", async ({ browser }) => {
    const page = await openAs(browser, "manager", path("Edited farm"));
    await expect(page.getByRole("heading", { name: "Project Details" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Project Story" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Back to Dashboard" })).toBeVisible();
    await expect(page.getByLabel("Funding Goal")).toHaveValue("500,000");
    await expect(editor(page)).toContainText("Three new ponds");
    await expectSound(page);
    await page.getByLabel("Location").fill("Epe, Lagos");
    await page.getByRole("button", { name: "Add Another Reward Tier" }).click();
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Please name the reward")).toBeVisible();
    await page.getByRole("button", { name: "Remove reward tier 1" }).click();
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(status(page, "Project updated successfully")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.goto(path("Edited farm"));
    await expect(page.getByLabel("Location")).toHaveValue("Epe, Lagos");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    expect(problems).toEqual([]);
  });

  test("keeps what was typed over a reload, says so, and lets it be discarded", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openAs(browser, "manager", path("Reloaded farm"));
    await page.getByLabel("Location").fill("Epe, Lagos");
    await page.getByLabel("Duration").fill("45");
    await page.reload();
    await expect(page.getByText("Your unsaved changes are back")).toBeVisible();
    await expect(page.getByLabel("Location")).toHaveValue("Epe, Lagos");
    await expect(page.getByLabel("Duration")).toHaveValue("45");
    await expectSound(page);
    await page.getByRole("button", { name: "Discard my changes" }).click();
    await expect(page.getByText("Your unsaved changes are back")).toHaveCount(0);
    await expect(page.getByLabel("Location")).not.toHaveValue("Epe, Lagos");
    await page.reload();
    await expect(page.getByLabel("Duration")).toHaveValue("30");
    await expect(page.getByText("Your unsaved changes are back")).toHaveCount(0);

    // What somebody else saved between the two is not overwritten unseen.
    await page.getByLabel("Location").fill("First's town");
    const other = await openAs(browser, "owner", path("Reloaded farm"));
    await other.getByLabel("Location").fill("Second's town");
    await other.getByRole("button", { name: "Save Changes" }).click();
    await expect(status(other, "Project updated successfully")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Location")).toHaveValue("First's town");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(alert(page).getByText("What you typed is still here.")).toBeVisible();
    await page.getByRole("button", { name: "Save my version" }).click();
    await expect(status(page, "Project updated successfully")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.goto(path("Reloaded farm"));
    await expect(page.getByLabel("Location")).toHaveValue("First's town");
    await expect(page.getByText("Your unsaved changes are back")).toHaveCount(0);
  });

  test("says that the project was deleted meanwhile, and keeps what was typed to be copied", {
    tag: "@nightly",
  }, async ({ browser }) => {
    const page = await openAs(browser, "manager", path("Vanishing farm"));
    await page.getByLabel("Location").fill("Nowhere");
    const other = await openAs(browser, "owner");
    await act(other, "Vanishing farm", "Delete");
    await other.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await expect(status(other, "Project deleted successfully")).toBeVisible();
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(alert(page).getByText("Failed to update project: Project not found")).toBeVisible();
    await expect(alert(page).getByText(/^Somebody deleted this project while you were editing it/)).toBeVisible();
    await expect(page.getByLabel("Location")).toHaveValue("Nowhere");
  });

  test("never overwrites what somebody else saved unseen, and loses nothing", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const first = await openAs(browser, "manager", path("Raced farm"));
    const second = await openAs(browser, "owner", path("Raced farm"));
    await second.getByLabel("Location").fill("Second's town");
    await first.getByLabel("Location").fill("First's town");
    await first.getByRole("button", { name: "Save Changes" }).click();
    await expect(status(first, "Project updated successfully")).toBeVisible();
    await second.getByRole("button", { name: "Save Changes" }).click();
    const changed = "This project was changed by somebody else while you were editing it.";
    await expect(alert(second).getByText(`Failed to update project: ${changed}`)).toBeVisible();
    await expect(alert(second).getByText("What you typed is still here.")).toBeVisible();
    // The choice stands free beside the toast, on a phone too.
    for (const size of [
      { width: 360, height: 640 },
      { width: 1280, height: 900 },
    ]) {
      await second.setViewportSize(size);
      await second.getByRole("button", { name: "Save Changes" }).click();
      await expect(status(second, "Project updated successfully")).toHaveCount(0);
      await expect(alert(second).getByText(`Failed to update project: ${changed}`)).toBeVisible();
      for (const name of ["Save my version", "Load their version"]) {
        const button = second.getByRole("button", { name });
        const isFree = () =>
          button.evaluate((node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            const corners = [y + 8, y + height - 8].flatMap((top) => [x + 8, x + width - 8].map((left) => [left, top]));
            return corners.every(([left = 0, top = 0]) => node.contains(document.elementFromPoint(left, top)));
          });
        await expect.poll(isFree, `${name} at ${size.width} px`).toBe(true);
      }
    }
    await expect(second.getByLabel("Location")).toHaveValue("Second's town");
    await second.getByRole("button", { name: "Load their version" }).click();
    await expect(second.getByLabel("Location")).toHaveValue("First's town");
    await second.getByLabel("Location").fill("Agreed town");
    await second.getByRole("button", { name: "Save Changes" }).click();
    await expect(status(second, "Project updated successfully")).toBeVisible();
  });
});
