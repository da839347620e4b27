import { type Browser, expect, type Page } from "playwright/test";
import { projectBackings } from "#server/db/schema/projects.ts";
import { signMailLink } from "#server/features/notifications/rules.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createApiClient } from "#tests/support/api-client.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { tell } from "#tests/support/notices.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import {
  type RunningServer,
  type SeededProcess,
  signInBrowser,
  startSeededProcess,
} from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Backers and administrators talk, and what happens reaches open pages without a reload, in the built product.

const sent = "Message sent successfully";

async function prepare(deps: Deps) {
  const { db } = deps;
  const people = {
    backer: await createUser(db, { fullName: "Bola Adeyinka" }),
    other: await createUser(db, { fullName: "Efe Okoro" }),
    reader: await createUser(db),
    manager: await createAdmin(db, "manager", { fullName: "Amaka Obi" }),
    owner: await createAdmin(db, "owner"),
  };
  const { id: projectId } = await createProject(db, { title: "Ponds to talk about" });
  const { id: otherId } = await createProject(db, { title: "Not backed" });
  await db
    .insert(projectBackings)
    .values([people.backer, people.other].map(({ id }) => ({ projectId, userId: id, grantedAt: new Date() })));
  for (let n = 1; n <= 24; n++) await tell(deps, [people.reader.id], { title: `Report ${n}`, projectId });
  await tell(deps, [people.reader.id], { kind: "payment_status", title: "Payment not accepted", projectId: otherId });
  await tell(deps, [people.reader.id], { title: " ", content: "", projectId });
  const token = signMailLink(deps.appSecret, { userId: people.reader.id, kind: "project_update" });
  return { people, projectId, token };
}

let server: Site;
let prepared: Awaited<ReturnType<typeof prepare>>;
test.beforeAll(async ({ demo }) => {
  server = demo;
  prepared = await demo.prepare(prepare);
});

let problems: string[] = [];
test.beforeEach(() => {
  problems = [];
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });
const panel = (page: Page) => page.getByRole("region", { name: "Notifications" });
const board = (page: Page) => page.getByRole("region", { name: "Messages" });
const messages = (page: Page) => board(page).getByRole("article");
const box = (page: Page) => page.getByLabel("Your message");

/** A browser of its own for the person. */
async function openAs(browser: Browser, person: TestUser, path: string, on: RunningServer = server): Promise<Page> {
  const context = await browser.newContext({ baseURL: on.url });
  await signInBrowser(context, on, person);
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  await page.goto(path);
  return page;
}

test("a backer and an administrator talk without a reload, under the labels each may see", async ({ browser }) => {
  const { people, projectId } = prepared;
  const path = `/backed-project/${projectId}?tab=messages`;
  const [backer, manager, other] = [
    await openAs(browser, people.backer, path),
    await openAs(browser, people.manager, path),
    await openAs(browser, people.other, path),
  ];
  for (const page of [backer, manager, other]) {
    await expect(page.getByRole("heading", { name: "No messages yet", exact: true })).toBeVisible();
  }
  const send = backer.getByRole("button", { name: "Send message" });
  await expect(send).toBeDisabled();
  await box(backer).fill("When is the harvest?");
  await backer.reload();
  await expect(box(backer)).toHaveValue("When is the harvest?");
  await box(backer).press("Control+Enter");
  await expect(backer.getByText(sent, { exact: true })).toBeVisible();
  await expect(box(backer)).toHaveValue("");
  await expect(box(backer)).toBeFocused();
  await expect(messages(backer)).toHaveText([/^You.*When is the harvest\?$/]);
  await expect(messages(other)).toHaveText([/^Backer\d.*When is the harvest\?$/]);
  await expect(messages(manager)).toHaveText([/^Bola AdeyinkaBackerUnanswered.*When is the harvest\?Answer only Bola/]);

  await box(manager).fill("In March. <b>Bring</b> bags.");
  await manager.getByRole("button", { name: "Send message" }).click();
  await expect(manager.getByText(sent)).toBeVisible();
  await expect(messages(manager).first()).toHaveText(/^Amaka Obi \(you\)Admin.*In March\. <b>Bring<\/b> bags\.$/);
  for (const page of [backer, other]) await expect(messages(page).first()).toHaveText(/^Admin\d.*In March\./);
  await expect(board(backer).getByRole("status").filter({ hasText: "New message from Admin: In March." })).toHaveCount(
    1,
  );
  for (const page of [backer, other]) await expect(page.getByText("Amaka")).toHaveCount(0);
  await expectSound(backer);
  await expectSound(manager);
});

test.describe("over one stream", () => {
  let process: SeededProcess<Awaited<ReturnType<typeof prepare>>>;
  test.beforeAll(async () => {
    process = await startSeededProcess(prepare);
  });
  test.afterAll(() => process.stop());

  /** Something that makes a notification: the backer writes, which tells the administrators. */
  async function write(content: string) {
    const { people, projectId } = process.prepared;
    const api = createApiClient(process.url);
    await api.auth.signIn.mutate(people.backer);
    await api.messages.send.mutate({ projectId, content, idempotencyKey: crypto.randomUUID() });
  }

  test("what happens arrives in all open tabs, also after the server was restarted", async ({ browser }) => {
    const page = await openAs(browser, process.prepared.people.owner, "/cookies", process);
    let streams = 0;
    page.context().on("request", (request) => {
      if (request.url().endsWith("/events")) streams += 1;
    });
    await page.goto("/admin/dashboard");
    const second = await page.context().newPage();
    watchErrors(second, { into: problems });
    await second.goto("/discover");
    const unread = async (tab: Page) =>
      Number(/(\d+) unread/.exec((await bell(tab).getAttribute("aria-label")) ?? "")?.[1] ?? 0);
    for (const tab of [page, second]) await expect(bell(tab)).toBeVisible();
    await expect.poll(() => streams).toBeGreaterThan(0);
    const before = await unread(page);
    const opened = streams;
    await write("When is the harvest?");
    for (const tab of [page, second]) await expect.poll(() => unread(tab), { timeout: 5000 }).toBe(before + 1);
    expect(streams).toBe(opened);
    await process.restart("SIGTERM");
    await write("And how many fish?");
    await expect.poll(() => unread(page), { timeout: 20_000 }).toBe(before + 2);
    await write("Thank you!");
    for (const tab of [page, second]) await expect.poll(() => unread(tab), { timeout: 5000 }).toBe(before + 3);
  });
});

test("notifications come a page at a time, lead to what they tell of, and are read in all browsers at once", async ({
  browser,
}) => {
  const { people, projectId } = prepared;
  const page = await openAs(browser, people.reader, "/notifications");
  const items = page.getByRole("main").getByRole("listitem");
  await expect(items).toHaveCount(20);
  await expect(bell(page)).toHaveAccessibleName("Notifications, 26 unread");
  await page.getByRole("button", { name: "Load more notifications" }).click();
  await expect(items).toHaveCount(26);
  await expectSound(page);

  const other = await openAs(browser, people.reader, "/profile");
  await bell(other).click();
  await expect(panel(other).getByRole("listitem")).toHaveCount(5);
  await expect(panel(other).getByText("No title", { exact: false })).toBeVisible();
  await expect(panel(other).getByText("No content", { exact: true })).toBeVisible();
  for (const one of [page, other]) await expect(bell(one)).toHaveAccessibleName("Notifications");
  await expect(page.getByRole("main").getByText("New:")).toHaveCount(0);
  await expectSound(other);
  // The payment that was not accepted: there is no backing whose page could be shown.
  await panel(other)
    .getByRole("link", { name: /Payment not accepted/ })
    .click();
  await other.waitForURL("**/profile?tab=pending");
  await expect(panel(other)).toBeHidden();
  await page
    .getByRole("main")
    .getByRole("link", { name: /Report 24/ })
    .click();
  // Whoever doesn't back the farm is led on to its public page.
  await page.waitForURL(`**/project/${projectId}`);
});

test("a mail's link asks first, switches off, and takes it back, without a sign-in", async ({ page }) => {
  watchErrors(page, { into: problems });
  await page.goto(`${server.url}/unsubscribe?token=${prepared.token}`);
  await expect(page.getByRole("heading", { name: "Stop emails about “Project updates”?" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("heading", { name: "You get no more of these emails" })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Undo: switch them on again" }).click();
  await expect(page.getByRole("button", { name: "Stop these emails" })).toBeVisible();
  await page.goto(`${server.url}/unsubscribe?token=forged`);
  await expect(page.getByRole("heading", { name: "This link did not work" })).toBeVisible();
});
