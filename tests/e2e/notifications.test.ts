import { type Browser, expect, type Page } from "playwright/test";
import { projectBackings } from "#server/db/schema/projects.ts";
import { mailLinkSigner } from "#server/features/notifications/rules.ts";
import { createApiClient } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { tell } from "#tests/support/notices.ts";
import { createAdmin, createUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededProcess, signInBrowser, startSeededProcess } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// The bell, its page and the link of a mail, in the built product.
test.describe.configure({ timeout: 90_000, mode: "serial" });

let server: SeededProcess<Awaited<ReturnType<typeof prepare>>>;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededProcess(prepare);
});
test.afterAll(async () => server.stop());

async function prepare(deps: Parameters<Parameters<typeof startSeededProcess>[0]>[0]) {
  const [reader, listener, mailed] = [await createUser(deps.db), await createUser(deps.db), await createUser(deps.db)];
  const owner = await createAdmin(deps.db, "owner");
  const project = await createProject(deps.db, { title: "Ponds of the test" });
  const other = await createProject(deps.db, { title: "Not backed" });
  const follower = await createUser(deps.db);
  const closing = await createProject(deps.db, { title: "A farm that closes" });
  await deps.db.insert(projectBackings).values({ userId: follower.id, projectId: closing.id, grantedAt: new Date() });
  for (const { id } of [reader, listener])
    await deps.db.insert(projectBackings).values({ userId: id, projectId: project.id, grantedAt: new Date() });
  for (let n = 1; n <= 24; n++) await tell(deps, [reader.id], { title: `Report ${n}`, projectId: project.id });
  await tell(deps, [reader.id], { kind: "payment_status", title: "Payment not accepted", projectId: other.id });
  await tell(deps, [reader.id], { title: " ", content: "", projectId: project.id });
  const token = mailLinkSigner(deps.appSecret)({ userId: mailed.id, kind: "project_update" });
  return { reader, listener, mailed, owner, project, token, follower, closing };
}

let problems: string[] = [];
test.beforeEach(({ page }) => {
  problems = watchErrors(page);
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

type Person = Parameters<typeof signInBrowser>[2];
const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });
const panel = (page: Page) => page.getByRole("region", { name: "Notifications" });

async function openAs(page: Page, person: Person, path: string) {
  await signInBrowser(page.context(), server, person);
  await page.goto(`${server.url}${path}`);
}

/** Something that makes a notification: the backer writes, which tells the administrators. */
async function writeAs(person: Person, content: string) {
  const api = createApiClient(server.url);
  await api.auth.signIn.mutate({ email: person.email, password: person.password });
  await api.messages.send.mutate({
    projectId: server.prepared.project.id,
    content,
    idempotencyKey: crypto.randomUUID(),
  });
}

test("nobody is told anything while signed out, and no stream is opened", { tag: "@nightly" }, async ({ page }) => {
  const streams: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/events")) streams.push(request.url());
  });
  await page.goto(server.url);
  await expect(page.getByRole("link", { name: "Sign Up" }).first()).toBeVisible();
  await expect(bell(page)).toHaveCount(0);
  await page.goto(`${server.url}/notifications`);
  await page.waitForURL("**/login?**");
  expect(streams).toEqual([]);
});

test("the page shows all of them, a page at a time, and marks all as read", { tag: "@nightly" }, async ({
  page,
  browser,
}) => {
  await openAs(page, server.prepared.reader, "/notifications");
  const items = page.getByRole("main").getByRole("listitem");
  await expect(items).toHaveCount(20);
  await expect(bell(page)).toHaveAccessibleName("Notifications, 26 unread");
  await page.getByRole("button", { name: "Load more notifications" }).click();
  await expect(items).toHaveCount(26);
  await expectSound(page);

  // In another browser the same person marks all as read; this page shows it without a reload.
  const other = await elsewhere(browser, server.prepared.reader, "/profile");
  await bell(other).click();
  await expect(panel(other).getByRole("listitem")).toHaveCount(5);
  await expect(panel(other).getByText("New:")).toHaveCount(5);
  await expect(panel(other).getByText("No title", { exact: false })).toBeVisible();
  await expect(panel(other).getByText("No content", { exact: true })).toBeVisible();
  await expect(bell(other)).toHaveAccessibleName("Notifications");
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await expect(page.getByRole("button", { name: "Mark all as read" })).toBeDisabled();
  await expect(page.getByRole("main").getByText("New:")).toHaveCount(0);
  await expectSound(other);
  await other.context().close();
});

test("a notification leads to what it is about and closes the list", { tag: "@nightly" }, async ({ page }) => {
  await openAs(page, server.prepared.reader, "/");
  await bell(page).click();
  await panel(page)
    .getByRole("link", { name: /Report 24/ })
    .click();
  await page.waitForURL(`**/backed-project/${server.prepared.project.id}`);
  await expect(panel(page)).toBeHidden();
  // The address changes first. A page that is shown takes the focus, which the bell would lose to it.
  await expect(page.getByRole("main")).toBeFocused();
  // The payment that was not accepted: there is no backing whose page could be shown.
  await bell(page).focus();
  await page.keyboard.press("Enter");
  await panel(page)
    .getByRole("link", { name: /Payment not accepted/ })
    .click();
  await page.waitForURL("**/profile?tab=pending");
});

test("a notification that is followed shows what it tells of, on a page that is open too", { tag: "@nightly" }, async ({
  page,
}) => {
  const { owner, follower, closing } = server.prepared;
  await openAs(page, follower, `/backed-project/${closing.id}`);
  await expect(page.getByRole("heading", { name: closing.title, exact: true })).toBeVisible();
  const api = createApiClient(server.url);
  await api.auth.adminSignIn.mutate({ email: owner.email, password: owner.password });
  await api.projects.close.mutate({ projectId: closing.id });
  await expect(bell(page)).toHaveAccessibleName("Notifications, 1 unread", { timeout: 5000 });
  await bell(page).click();
  await panel(page).getByRole("listitem").getByRole("link").click();
  await expect(page.getByRole("heading", { name: `${closing.title} (CLOSED)` })).toBeVisible();
});

test("what happens arrives in all open tabs without a reload, over one stream, also after the server was restarted", async ({
  page,
}) => {
  test.setTimeout(150_000);
  let streams = 0;
  page.context().on("request", (request) => {
    if (request.url().endsWith("/events")) streams += 1;
  });
  const { owner, listener } = server.prepared;
  await openAs(page, owner, "/admin/dashboard");
  const second = await page.context().newPage();
  watchErrors(second, { into: problems });
  await second.goto(`${server.url}/discover`);
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await expect(bell(second)).toHaveAccessibleName("Notifications");
  await expect.poll(() => streams).toBe(1);
  await writeAs(listener, "When is the harvest?");
  await expect(bell(page)).toHaveAccessibleName("Notifications, 1 unread", { timeout: 5000 });
  await expect(bell(second)).toHaveAccessibleName("Notifications, 1 unread", { timeout: 5000 });
  expect(streams).toBe(1);
  await expectSound(page);

  await server.restart("SIGTERM");
  await writeAs(listener, "And how many fish?");
  await expect(bell(page)).toHaveAccessibleName("Notifications, 2 unread", { timeout: 20_000 });
  await writeAs(listener, "Thank you!");
  await expect(bell(page)).toHaveAccessibleName("Notifications, 3 unread", { timeout: 5000 });
  await expect(bell(second)).toHaveAccessibleName("Notifications, 3 unread", { timeout: 5000 });
});

test("where the server opens no further stream, the bell asks once a minute", { tag: "@nightly" }, async ({ page }) => {
  let refused = 0;
  await page.route("**/events", (route) => {
    refused += 1;
    return route.fulfill({ status: 429, json: { error: { reason: "rate_limited", message: "Too many attempts." } } });
  });
  await page.clock.install();
  await openAs(page, server.prepared.listener, "/discover");
  await expect(bell(page)).toHaveAccessibleName(/^Notifications/);
  await expect.poll(() => refused).toBe(1);
  const before = await bell(page).getAttribute("aria-label");
  const { owner, project } = server.prepared;
  const api = createApiClient(server.url);
  await api.auth.adminSignIn.mutate({ email: owner.email, password: owner.password });
  await api.messages.send.mutate({ projectId: project.id, content: "In May.", idempotencyKey: crypto.randomUUID() });
  await page.clock.runFor(30_000);
  await expect(bell(page)).toHaveAccessibleName(before ?? "");
  await page.clock.runFor(31_000);
  await expect(bell(page)).not.toHaveAccessibleName(before ?? "");
  // After 1, 2, 5, then 10 s, and no faster.
  expect(refused).toBeLessThanOrEqual(10);
});

test("a mail's link asks first, switches off, and takes it back, without a sign-in", async ({ page }) => {
  await page.goto(`${server.url}/unsubscribe?token=${server.prepared.token}`);
  await expect(page.getByRole("heading", { name: "Stop emails about “Project updates”?" })).toBeVisible();
  await expectSound(page);
  await page.reload();
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("heading", { name: "You get no more of these emails" })).toBeVisible();
  await expectSound(page);
  await page.reload();
  await page.getByRole("button", { name: "Undo: switch them on again" }).click();
  await expect(page.getByRole("button", { name: "Stop these emails" })).toBeVisible();
  await page.goto(`${server.url}/unsubscribe?token=forged`);
  await expect(page.getByRole("heading", { name: "This link did not work" })).toBeVisible();
  await expectSound(page);
});

async function elsewhere(browser: Browser, person: Person, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  watchErrors(page, { into: problems });
  await openAs(page, person, path);
  return page;
}
