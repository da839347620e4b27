import { type Browser, expect, type Page } from "playwright/test";
import { projectBackings, projectMessages, projectUpdates } from "#server/db/schema/projects.ts";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Messages between backers and administrators, and the states of the pages around them, in the built product.

const sent = "Message sent successfully";
const hostile = [
  "<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b>",
  "متى الحصاد؟ \u202eabc\u202c وبعد ذلك",
  "🐟🐌👩🏿‍🌾 ".repeat(40).trim(),
  "x".repeat(5000),
  "two\n\n  lines & more",
];

type Prepared = Awaited<ReturnType<typeof prepare>>;
let server: SeededServer<Prepared>;

async function prepare({ db }: Pick<Deps, "db">) {
  const people = {
    backer: await createUser(db, { fullName: "Bola Adeyinka" }),
    other: await createUser(db, { fullName: "Efe Okoro" }),
    stranger: await createUser(db),
    manager: await createAdmin(db, "manager", { fullName: "Amaka Obi" }),
    viewer: await createAdmin(db, "viewer"),
  };
  const make = async (title: string, values: Parameters<typeof createProject>[1] = {}) => {
    const { id: projectId } = await createProject(db, { title, ...values });
    const now = new Date();
    await db
      .insert(projectBackings)
      .values([people.backer, people.other].map(({ id }) => ({ projectId, userId: id, grantedAt: now })));
    return projectId;
  };
  const ids = {
    talk: await make("Ponds to talk about"),
    pages: await make("Ponds of many words"),
    hostile: await make("Ponds of strange letters"),
    empty: await make("Ponds without a word"),
    closed: await make("Ponds that are taken", { isClosed: true }),
  };
  const searched = ["90% alive", "90 percent", "pond_2", "pond 2", "C:\\farm", "C:/farm", "Ada's pen", "Adas pen"];
  const at = (minute: number) => new Date(Date.parse("2026-11-01T09:00:00Z") + minute * 60_000);
  await db.insert(projectMessages).values(
    searched.map((content, minute) => {
      return { projectId: ids.pages, userId: people.other.id, content, isAdminReply: false, createdAt: at(minute) };
    }),
  );
  await db.insert(projectUpdates).values(
    searched.map((content, minute) => ({
      projectId: ids.pages,
      title: `Week ${minute + 1}`,
      content,
      createdAt: at(minute),
    })),
  );
  await db.insert(projectMessages).values(
    hostile.map((content, minute) => ({
      projectId: ids.hostile,
      userId: people.other.id,
      isAdminReply: minute % 2 === 0,
      content,
      createdAt: at(minute),
    })),
  );
  return { people, ids };
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

/** A browser of its own for the person. */
async function pageOf(browser: Browser, person: TestUser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  await signInBrowser(context, server, person);
  const page = await context.newPage();
  watchErrors(page, { into: problems });
  return page;
}

const board = (page: Page) => page.getByRole("region", { name: "Messages" });
const messages = (page: Page) => board(page).getByRole("article");
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const box = (page: Page) => page.getByLabel("Your message");
const sendButton = (page: Page) => page.getByRole("button", { name: "Send message" });

async function openMessages(page: Page, projectId: number) {
  await page.goto(`/backed-project/${projectId}?tab=messages`);
  await expect(page.getByRole("tab", { name: "Messages" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("searchbox", { name: "Search messages" })).toBeVisible();
}

async function write(page: Page, text: string) {
  await box(page).fill(text);
  await sendButton(page).click();
  await expect(page.getByText(sent)).toBeVisible();
  await expect(box(page)).toHaveValue("");
}

test.describe("a conversation", () => {
  test("of a backer and an administrator goes back and forth without a reload, under the labels each may see", async ({
    browser,
  }) => {
    const { people, ids } = server.prepared;
    const [backer, manager, other] = await Promise.all(
      [people.backer, people.manager, people.other].map((person) => pageOf(browser, person)),
    );
    if (!backer || !manager || !other) throw new Error("no pages");
    for (const page of [backer, manager, other]) {
      await openMessages(page, ids.talk);
      await expect(heading(page, "No messages yet")).toBeVisible();
    }
    await expect(sendButton(backer)).toBeDisabled();
    await box(backer).fill("When is the harvest?");
    await box(backer).press("Control+Enter");
    await expect(backer.getByText(sent, { exact: true })).toBeVisible();
    await expect(box(backer)).toHaveValue("");
    await expect(box(backer)).toBeFocused();
    await expect(messages(backer)).toHaveText([/^You.*When is the harvest\?$/]);
    await expect(messages(other)).toHaveText([/^Backer\d.*When is the harvest\?$/]);
    await expect(messages(manager)).toHaveText([/^Bola AdeyinkaBacker.*When is the harvest\?$/]);

    await write(manager, "In March.");
    await expect(messages(manager).first()).toHaveText(/^Amaka Obi \(you\)Admin.*In March\.$/);
    for (const page of [backer, other]) await expect(messages(page).first()).toHaveText(/^Admin\d.*In March\.$/);
    await expect(
      board(backer).getByRole("status").filter({ hasText: "New message from Admin: In March." }),
    ).toHaveCount(1);
    for (const page of [backer, other]) await expect(page.getByText("Amaka")).toHaveCount(0);
    await expectSound(backer);
    await expectSound(manager);
  });

  test("shows who reads an older page or searches that there is more, and leads there", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.backer);
    const manager = await pageOf(browser, people.manager);
    await openMessages(manager, ids.pages);
    await openMessages(page, ids.pages);
    await page.getByRole("button", { name: "Page 2" }).click();
    await expect(messages(page)).toHaveCount(3);
    await write(manager, "News for all");
    const hint = page.getByRole("button", { name: "Show new messages" });
    await expect(hint).toBeVisible();
    await expect(messages(page)).toHaveCount(3);
    await expect(messages(page).filter({ hasText: "News for all" })).toHaveCount(0);
    await hint.click();
    await expect(messages(page).first()).toContainText("News for all");
    await expect(hint).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Page 1" })).toHaveAttribute("aria-current", "page");

    await page.getByRole("searchbox", { name: "Search messages" }).fill("percent");
    await expect(messages(page)).toHaveCount(1);
    await write(manager, "More news for all");
    await expect(hint).toBeVisible();
    // Who writes sees their own message at the top, wherever they were.
    await write(page, "Thank you");
    await expect(messages(page).first()).toContainText("Thank you");
    await expect(messages(page).nth(1)).toContainText("More news for all");
    await expect(page.getByRole("searchbox", { name: "Search messages" })).toHaveValue("");
    await expect(hint).toHaveCount(0);
  });

  test("is only read by an administrator who may only view", { tag: "@nightly" }, async ({ browser }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.viewer);
    await openMessages(page, ids.hostile);
    await expect(messages(page)).toHaveCount(5);
    await expect(page.getByText("Your role lets you read these messages, but not answer them.")).toBeVisible();
    await expect(box(page)).toHaveCount(0);
    await expectSound(page);
  });
});

test.describe("what is written", () => {
  test("stays over a reload and on other pages, for this project and person alone", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.backer);
    await openMessages(page, ids.empty);
    const text = "Dear team,\n\nmay I come on Saturday? 🐟";
    await box(page).fill(text);
    await page.reload();
    await expect(box(page)).toHaveValue(text);
    await page.getByRole("tab", { name: "Updates" }).click();
    await page.getByRole("link", { name: "Back to profile" }).click();
    await expect(heading(page, "My Profile")).toBeVisible();
    await openMessages(page, ids.talk);
    await expect(box(page)).toHaveValue("");
    await openMessages(page, ids.empty);
    await expect(box(page)).toHaveValue(text);
    await signInBrowser(page.context(), server, people.other);
    await openMessages(page, ids.empty);
    await expect(box(page)).toHaveValue("");
  });

  test("is shown as it was written: HTML as text, long words broken, each script in its direction", {
    tag: "@nightly",
  }, async ({ browser }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.backer);
    page.on("dialog", () => problems.push("a dialog opened"));
    await openMessages(page, ids.hostile);
    await expect(messages(page)).toHaveCount(hostile.length);
    const shown = await messages(page)
      .locator("p")
      .evaluateAll((nodes) => nodes.map((node) => node.textContent));
    expect(shown).toEqual(hostile.toReversed());
    await expect(messages(page).locator("b, script, img")).toHaveCount(0);
    await expect(page.getByText(/متى الحصاد/)).toHaveCSS("direction", "rtl");
    await expectSound(page);
    await openMessages(page, ids.talk);
    for (const text of hostile) await write(page, text);
    const own = () =>
      messages(page)
        .locator("p")
        .evaluateAll((nodes) => nodes.map((node) => node.textContent));
    // The page shows the five newest: the last one takes the place of an earlier one once it has arrived.
    await expect.poll(own).toEqual(hostile.toReversed());
  });
});

for (const kind of ["messages", "updates"] as const) {
  test(`${kind} are paged by five and searched literally`, { tag: "@nightly" }, async ({ browser }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.stranger);
    await signInBrowser(page.context(), server, people.other);
    await page.goto(`/backed-project/${ids.pages}${kind === "messages" ? "?tab=messages" : ""}`);
    const list = page.getByRole("tabpanel").getByRole("article");
    await expect(list).toHaveCount(5);
    const search = page.getByRole("searchbox", { name: `Search ${kind}` });
    for (const [text, found] of [
      ["%", "90% alive"],
      ["_", "pond_2"],
      ["\\", "C:\\farm"],
      ["'", "Ada's pen"],
    ] as const) {
      await search.fill(text);
      await expect(list).toHaveCount(1);
      await expect(list).toContainText([found]);
    }
    await search.fill("no such words");
    await expect(heading(page, kind === "messages" ? "No messages found" : "No updates found")).toBeVisible();
    await expectSound(page);
    await search.fill("");
    await page.getByRole("button", { name: "Next page" }).click();
    await expect(list.first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
    // A search begins at its first page.
    await search.fill("pond");
    await expect(list).toHaveCount(2);
  });
}

test.describe("/backed-project", () => {
  test("keeps its tab in the address and says what it shows", { tag: "@nightly" }, async ({ browser }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.backer);
    await page.goto(`/backed-project/${ids.empty}`);
    await expect(page.getByRole("tab")).toHaveText(["Updates", "Media", "Messages"]);
    await expect(heading(page, "No updates yet")).toBeVisible();
    await page.getByRole("tab", { name: "Messages" }).click();
    await expect(page).toHaveURL(/\?tab=messages$/);
    await expect(heading(page, "No messages yet")).toBeVisible();
    await expectSound(page);
    await page.goto(`/backed-project/${ids.empty}?tab=weapons`);
    await expect(page.getByRole("tab", { name: "Updates" })).toHaveAttribute("aria-selected", "true");
  });

  test("says that a project is closed, and still takes messages", { tag: "@nightly" }, async ({ browser }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.backer);
    await openMessages(page, ids.closed);
    await expect(heading(page, "Ponds that are taken (CLOSED)")).toBeVisible();
    const summary = page.getByRole("region", { name: "Funding summary" });
    await expect(summary).toContainText("Project is closed");
    await expect(summary).not.toContainText("left to invest");
    await write(page, "How are the fish?");
    await expect(messages(page)).toHaveCount(1);
  });

  test("is not found for who doesn't back the project, and its messages don't reach them", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { people, ids } = server.prepared;
    const page = await pageOf(browser, people.stranger);
    await page.goto(`/backed-project/${ids.hostile}?tab=messages`);
    await expect(heading(page, "Project not found")).toBeVisible();
    await expect(board(page)).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Back to profile" })).toHaveAttribute("href", "/profile");
    await expectSound(page);
  });
});

test.describe("/profile", () => {
  test("leads from a backed project to its page", { tag: "@nightly" }, async ({ browser }) => {
    const page = await pageOf(browser, server.prepared.people.backer);
    await page.goto("/profile");
    await page.getByRole("link", { name: "Ponds to talk about" }).click();
    await expect(page).toHaveURL(`${server.url}/backed-project/${server.prepared.ids.talk}`);
    await page.getByRole("link", { name: "Back to profile" }).click();
    await expect(heading(page, "My Profile")).toBeVisible();
  });
});
