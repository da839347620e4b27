import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "playwright/test";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { openBrowserOf } from "#tests/support/screens.ts";
import { type DemoServer, startDemoServer } from "#tests/support/seeded-server.ts";
import { expectSound, expectSoundPage } from "#tests/support/sound-page.ts";

// An owner's way from a bank's file to a ledger that agrees with the bank, in the built product with the sample statement.

// The second walk goes on with the lines that the first has imported.
test.describe.configure({ mode: "serial" });

// With what fades and slides, as most people see it.
test.use({ reducedMotion: "no-preference" });

let server: DemoServer;
/** An account of the platform that no statement was imported for yet. */
let account: number;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startDemoServer();
  const owner = createApiClient(server.url);
  await owner.auth.adminSignIn.mutate(demoSignIns(server.output()).owner);
  const names = { bankName: "Second Demo Bank", accountName: "DEMO - do not pay", accountNumber: "0000000001" };
  ({ accountId: account } = await owner.bank.addAccount.mutate({ ...names, bankCode: "" }));
});
test.afterAll(async () => server.stop());

let problems: string[] = [];
test.beforeEach(() => {
  problems = [];
});
test.afterEach(() => expect(problems, "errors on the console").toEqual([]));

async function openBank(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport, acceptDownloads: true });
  const page = await openBrowserOf("owner", context, server);
  watchErrors(page, { into: problems });
  await page.goto(`/admin/bank?account=${account}`);
  return page;
}

const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const lineOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
/** Both of the demo's accounts. */
const agrees = (page: Page) => expect(page.getByText(/Bank and ledger agree\.$/)).toHaveCount(2);

test("a statement is imported, sure matches are confirmed, and the rest is explained by hand", async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await openBank(browser, { width: 1280, height: 900 });
  await expect(page.getByRole("heading", { name: "No statement yet" })).toBeVisible();
  await expectSoundPage(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await button(page, "Import a statement").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Download a sample statement").click(),
  ]);
  const statement = { name: "sample.csv", mimeType: "text/csv", buffer: await readFile(await download.path()) };
  await dialog(page).locator("input[type=file]").setInputFiles(statement);
  await button(page, "Import").click();
  await expect(dialog(page).getByText(/^Is this how the bank writes it\?/)).toBeVisible();
  await expect(dialog(page).getByLabel("Money in (credit)")).toHaveValue("4");
  await expectSound(page);
  await button(page, "Yes, go on").click();
  await expect(dialog(page).getByText(/^\d+ lines: \d+ new, 0 known\.$/)).toBeVisible();
  await expectSound(page);

  await dialog(page)
    .getByRole("button", { name: /^Confirm \d+ sure matches$/ })
    .click();
  await expect(dialog(page).getByRole("list", { name: "Sure matches" })).toBeVisible();
  await expectSound(page);
  await dialog(page)
    .getByRole("button", { name: /^Approve \d+ payments$/ })
    .click();
  await expect(dialog(page).getByRole("heading", { name: "Sure matches confirmed" })).toBeVisible();
  await button(page, "Done").click();
  await expect(dialog(page)).toHaveCount(0);
  await agrees(page);

  // The same file again: every line is known.
  await button(page, "Import a statement").click();
  await dialog(page).locator("input[type=file]").setInputFiles(statement);
  await button(page, "Import").click();
  await expect(dialog(page).getByText(/^\d+ lines: 0 new, \d+ known\.$/)).toBeVisible();
  await button(page, "See the lines").click();

  await page.getByRole("link", { name: /^Suggested/ }).click();
  await lineOf(page, "STAMP DUTY")
    .getByRole("link", { name: /^Match/ })
    .click();
  await expect(page).toHaveURL(/line=\d+/);
  await button(page, "Bank charges").click();
  await expect(dialog(page).getByRole("heading", { name: "Matched to" })).toBeVisible();
  await expectSound(page);
  await button(page, "Undo…").click();
  await dialog(page).getByLabel("Reason").fill("Looked at the wrong line");
  await button(page, "Undo this explanation").click();
  await expect(dialog(page).getByText(/: Looked at the wrong line$/)).toBeVisible();
  await button(page, "Close").click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(lineOf(page, "STAMP DUTY")).toBeVisible();
  await agrees(page);

  await lineOf(page, "MOBILE TRANSFER")
    .getByRole("link", { name: /^Match/ })
    .click();
  await dialog(page)
    .getByRole("button", { name: /^Choose/ })
    .first()
    .click();
  await expect(dialog(page).getByRole("heading", { name: "Matched to" })).toBeVisible();
  await button(page, "Close").click();
  await agrees(page);
});

test("a line is explained on the smallest phone by the keyboard alone", { tag: "@nightly" }, async ({ browser }) => {
  const page = await openBank(browser, { width: 360, height: 740 });
  await page.goto(`/admin/bank?account=${account}&tab=to_match`);
  const open = lineOf(page, "ACCOUNT MAINTENANCE").getByRole("link", { name: /^Match/ });
  await open.focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("heading", { name: "Line of the statement" })).toBeVisible();
  await button(page, "The company's own money…").focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("Fee of the company's own account");
  await page.keyboard.press("Tab");
  await expect(button(page, /^Book ₦/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByText("Fee of the company's own account")).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("link", { name: /^The company's own money 1$/ }).click();
  await expect(lineOf(page, "ACCOUNT MAINTENANCE")).toBeVisible();
  await agrees(page);
});
