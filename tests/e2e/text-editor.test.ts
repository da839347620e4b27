import type { TiptapEditorHTMLElement } from "@tiptap/core";
import { type Browser, expect, type Page } from "playwright/test";
import { type Site, test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// A farm's story is written with the mouse, with the keyboard and by pasting, and stands on its page as it was written.

const titles = ["Formatted farm", "Linked farm"] as const;
type Title = (typeof titles)[number];

let server: Site;
let prepared: { manager: TestUser; ids: Record<Title, number> };
test.beforeAll(async ({ demo }) => {
  server = demo;
  prepared = await demo.prepare(async ({ db }) => {
    const ids = {} as Record<Title, number>;
    for (const title of titles) ids[title] = (await createProject(db, { title })).id;
    return { manager: await createAdmin(db, "manager"), ids };
  });
});

const problems: string[] = [];
test.beforeEach(() => {
  problems.length = 0;
});

const story = (page: Page) => page.getByRole("textbox", { name: "Full Description" });
const toolbar = (page: Page) => page.getByRole("toolbar", { name: "Formatting of Full Description" });
const tool = (page: Page, name: string) => toolbar(page).getByRole("button", { name, exact: true });

/** The edit screen with nothing but `text` in the editor, the caret at its end. */
async function openStory(browser: Browser, title: Title, text: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInBrowser(context, server, prepared.manager);
  await context.addInitScript(() => localStorage.setItem("isAdmin", "true"));
  const page = await context.newPage();
  watchErrors(page, { into: problems, allowed: nothing });
  await page.goto(`/edit-project/${prepared.ids[title]}`);
  await story(page).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
  return page;
}

/** Returns the text that the editor takes for selected. It learns of a moved caret a moment after the browser. */
const selected = (page: Page) =>
  story(page).evaluate((element) => {
    const { state } = (element as TiptapEditorHTMLElement).editor ?? {};
    return state?.doc.textBetween(state.selection.from, state.selection.to);
  });

async function select(page: Page, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(async () => (await selected(page))?.length).toBe(count);
}

async function toLineEnd(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("End");
    expect(await selected(page)).toBe("");
  }).toPass();
}

/** The story as its page has it, after it was saved. */
async function save(page: Page, title: Title): Promise<string> {
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("status").getByText("Project updated successfully")).toBeVisible();
  await page.goto(`/project/${prepared.ids[title]}`);
  const shown = page.locator("main").getByText("A pond for every", { exact: false }).first();
  return shown.evaluate((element) => element.closest("div")?.innerHTML ?? "");
}

test("the tools format, tell what is on, and are one stop of the Tab key", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openStory(browser, "Formatted farm", "A pond for every family, and fish to sell in all of them.");
  await expect(tool(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  await expect(tool(page, "Redo")).toHaveAttribute("aria-disabled", "true");
  await select(page, "of them.".length);
  await tool(page, "Bold").click();
  await expect(tool(page, "Bold")).toHaveAttribute("aria-pressed", "true");
  await expect(tool(page, "Italic")).toHaveAttribute("aria-pressed", "false");
  await expect(story(page)).toBeFocused();
  await expect(story(page).locator("strong")).toHaveText("of them.");
  await tool(page, "Undo").click();
  await expect(story(page).locator("strong")).toHaveCount(0);
  await tool(page, "Redo").click();
  await expect(story(page).locator("strong")).toHaveText("of them.");

  // From the text one step back is the toolbar; in it the arrow keys move, round and round.
  await page.keyboard.press("Shift+Tab");
  await expect(tool(page, "Bold")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(tool(page, "Redo")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(story(page)).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(tool(page, "Redo")).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(tool(page, "Italic")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(tool(page, "Italic")).toHaveAttribute("aria-pressed", "true");
  await expect(story(page)).toBeFocused();
  await tool(page, "Clear formatting").click();
  await expect(story(page).locator("strong, em")).toHaveCount(0);
  await toLineEnd(page);
  await page.keyboard.press("Enter");

  for (const [name, element] of [
    ["Heading 2", "h2"],
    ["Heading 3", "h3"],
    ["Bullet list", "ul > li"],
    ["Ordered list", "ol > li"],
    ["Blockquote", "blockquote"],
  ] as const) {
    await tool(page, name).click();
    await expect(tool(page, name)).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.type(name);
    await expect(story(page).locator(element)).toHaveText(name);
    await page.keyboard.press("Enter");
    // An empty item, or a line of a quotation, is left by a second Enter.
    if (element !== "h2" && element !== "h3") await page.keyboard.press("Enter");
  }
  await tool(page, "Horizontal line").click();
  await page.keyboard.type("Typed as **Markdown**, ");
  await tool(page, "Underline").click();
  await page.keyboard.type("underlined");
  await expectSound(page);
  const kept =
    "<p>A pond for every family, and fish to sell in all of them.</p><h2>Heading 2</h2><h3>Heading 3</h3>" +
    "<ul><li><p>Bullet list</p></li></ul><ol><li><p>Ordered list</p></li></ol>" +
    "<blockquote><p>Blockquote</p></blockquote><hr><p>Typed as <strong>Markdown</strong>, <u>underlined</u></p>";
  expect((await save(page, "Formatted farm")).replaceAll("<hr />", "<hr>")).toBe(kept);
  expect(problems).toEqual([]);
});

test("a link is typed, pasted or set by the tool, and one that may not be is refused", { tag: "@nightly" }, async ({
  browser,
}) => {
  const page = await openStory(browser, "Linked farm", "A pond for every family: fish.example.com or ada@example.com ");
  const hrefs = () =>
    story(page)
      .locator("a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  await expect.poll(hrefs).toEqual(["https://fish.example.com", "mailto:ada@example.com"]);
  await page.evaluate(() => navigator.clipboard.writeText("https://ponds.example.com/new"));
  await page.keyboard.press("ControlOrMeta+V");
  await page.keyboard.type(" the map");
  await select(page, "map".length);
  await page.keyboard.press("ControlOrMeta+V");
  await expect(story(page).getByText("map", { exact: true })).toHaveAttribute("href", "https://ponds.example.com/new");

  await toLineEnd(page);
  await page.keyboard.type(" and the shop");
  await select(page, "shop".length);
  await tool(page, "Link").click();
  await expect(tool(page, "Link")).toHaveAttribute("aria-expanded", "true");
  const address = page.getByRole("textbox", { name: "Enter URL" });
  await expect(address).toBeFocused();
  await address.fill("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await expect(page.getByText("A link starts with https://, http://, mailto: or tel:")).toBeVisible();
  await expectSound(page);
  await address.fill("shop.example.com");
  await page.keyboard.press("Enter");
  await expect(address).toHaveCount(0);
  await expect(story(page)).toBeFocused();
  await expect(tool(page, "Link")).toHaveAttribute("aria-pressed", "true");
  await expect(story(page).getByText("shop", { exact: true })).toHaveAttribute("href", "https://shop.example.com");

  // The tool shows where a link leads, and Escape leaves it as it is.
  await tool(page, "Link").click();
  await expect(address).toHaveValue("https://shop.example.com");
  await page.keyboard.press("Escape");
  await expect(address).toHaveCount(0);
  await tool(page, "Remove link").click();
  await expect(story(page).getByText("shop", { exact: true })).toHaveCount(0);
  await expect.poll(hrefs).toHaveLength(4);

  const shown = await save(page, "Linked farm");
  expect(shown.match(/href="[^"]+"/g)).toHaveLength(4);
  expect(shown.match(/rel="noopener noreferrer nofollow ugc"/g)).toHaveLength(4);
  expect(problems).toEqual([]);
});
