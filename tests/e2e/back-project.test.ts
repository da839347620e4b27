import { type Browser, expect, type Locator, type Page } from "playwright/test";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { holdButton } from "#tests/support/story.ts";

// The way of a payment on /back-project, in the built product. Demo fact: the cattle have no payment by others.

const sentText = "We have your receipt. We review receipts within one working day and email you.";
const uploadedText = "Payment receipt uploaded successfully. We'll review your payment shortly.";
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const receipt = { name: "transfer.png", mimeType: "image/png", buffer: picture };

let server: SeededServer<{ backers: TestUser[]; owner: TestUser }>;
test.beforeAll(async () => {
  server = await startSeededServer(async ({ db }) => {
    const backers: TestUser[] = [];
    for (let count = 0; count < 5; count++) backers.push(await createUser(db));
    return { backers, owner: await createAdmin(db, "owner") };
  });
});
test.afterAll(async () => server.stop());

/** A browser of a person who has not yet been here. */
async function newBacker(browser: Browser): Promise<Page> {
  const backer = server.prepared.backers.pop();
  if (!backer) throw new Error("make more backers");
  return pageOf(browser, backer);
}

async function pageOf(browser: Browser, person: TestUser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  await signInBrowser(context, server, person);
  return context.newPage();
}

/** Comes to the payment page, chooses so many lots and agrees to the terms. */
async function open(page: Page, title: string, { lots = 1, press = holdButton as string | RegExp } = {}) {
  await visit(page, title);
  for (let more = 1; more < lots; more++) await page.getByRole("button", { name: "One lot more" }).click();
  await expect(page.getByText("0000000000")).toHaveCount(0);
  await page.getByLabel("I have read the terms.").check();
  await page.getByRole("button", { name: press }).click();
  await expect(page.getByText("0000000000")).toBeVisible();
}

async function visit(page: Page, title: string) {
  await page.goto(`/discover?search=${encodeURIComponent(title)}`);
  const address = await page.getByRole("main").getByRole("link", { name: title }).getAttribute("href");
  await page.goto(String(address).replace("/project/", "/back-project/"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
}

const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator("main input[type=file]").setInputFiles(file);
const send = (page: Page) => page.getByRole("button", { name: "Send receipt" }).first().click();

/** Whoever is approved first has the lots, as an owner sets it. */
async function switchHoldingOff(browser: Browser) {
  const owner = await pageOf(browser, server.prepared.owner);
  await owner.goto("/admin/settings");
  await owner.getByLabel("Lots are held for").fill("0");
  await owner.getByRole("button", { name: "Save selling" }).click();
  await expect(owner.getByText("Setting updated successfully")).toBeVisible();
  await owner.context().close();
}

/** Approves or rejects as an owner, through the same procedures that the screens call. */
async function decide(browser: Browser, { title, status, reason }: { title: string; status: string; reason?: string }) {
  const owner = await pageOf(browser, server.prepared.owner);
  await owner.goto("/admin/dashboard");
  await owner.getByRole("link", { name: "Payments" }).click();
  const row = owner.getByRole("row").filter({ hasText: title }).first();
  await row.getByRole("combobox").selectOption(status);
  if (reason) await owner.getByLabel("Reason (optional)").fill(reason);
  await owner.getByRole("button", { name: /^(Approve|Reject) payment$/ }).click();
  await expect(owner.getByText(`Payment status updated to ${status}`)).toBeVisible();
  await owner.context().close();
}

test("asks an anonymous visitor to sign in, and then comes back", async ({ page }) => {
  await page.goto(`${server.url}/back-project/1`);
  await expect(page).toHaveURL(/\/login\?next=%2Fback-project%2F1$/);
});

test("shows three steps with account, amount and reference to copy, and sends a receipt", async ({ browser }) => {
  const page = await newBacker(browser);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "Five dairy cows on the plateau", { lots: 3 });
  const steps = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 2 }) });
  await expect(steps).toHaveCount(3);
  await expect(page.getByText("Lots are first-come, first-served")).toBeVisible();
  await expect(page.getByText("3 lots held for you until")).toBeVisible();
  await expect(page.getByText("Demo Bank (not a real bank)", { exact: true })).toBeVisible();
  await expect(page.getByText("DEMO - do not pay", { exact: true })).toBeVisible();
  const reference = await page.getByText(/^GONA-/).textContent();
  for (const [what, text] of [
    ["account number", "0000000000"],
    ["amount", "600000"],
    ["reference", reference],
  ]) {
    await page.getByRole("button", { name: `Copy ${what}` }).click();
    await expect(page.getByRole("button", { name: `Copied ${what}` })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
  await expectSound(page);

  await page.reload();
  await expect(page.getByText(String(reference), { exact: true }), "the reference stays").toBeVisible();
  await choose(page, receipt);
  await expect(page.getByRole("img", { name: "Preview of transfer.png" })).toBeVisible();
  await send(page);
  await expect(page.getByText(uploadedText)).toBeVisible();
  await expect(page.getByText(sentText)).toBeVisible();
  await expect(page.getByText(String(reference), { exact: true })).toBeVisible();
  await expectSound(page);

  // Replaced by a better one, and seen in the profile.
  await page.getByRole("button", { name: "Replace the receipt" }).click();
  await choose(page, { name: "better.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") });
  await expect(page.getByText("better.pdf")).toBeVisible();
  await send(page);
  await expect(page.getByRole("button", { name: "Replace the receipt" })).toBeVisible();
  await page.getByRole("link", { name: "See it in your profile" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Five dairy cows on the plateau");
});

/** Goes to it by the tab key alone. Nothing that has the keyboard on the way lies outside of the screen or under something. */
async function tabTo(page: Page, target: Locator) {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press("Tab");
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement;
      const { x, y, width, height } = (focused ?? document.body).getBoundingClientRect();
      // One pixel is what is left of a field that a label stands for.
      if (!focused || width <= 1) return null;
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return top && (focused.contains(top) || top.contains(focused)) ? null : focused.outerHTML;
    });
    expect(hidden, "what has the keyboard is in sight").toBeNull();
    if (await target.evaluate((node) => node === document.activeElement)) return;
  }
  throw new Error("the tab key doesn't lead there");
}

test("on a phone, by the keyboard alone: lots, terms, hold, account, receipt", async ({ browser }) => {
  const page = await newBacker(browser);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "Five dairy cows on the plateau");
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await tabTo(page, button("One lot more"));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Number of lots")).toHaveValue("2");
  await tabTo(page, page.getByLabel(termsTexts.tick));
  await page.keyboard.press("Tab");
  await expect(button(holdButton)).toBeFocused();
  // Without the tick the keyboard is led to it.
  await page.keyboard.press("Enter");
  await expect(page.getByText(termsTexts.tickMissing)).toBeVisible();
  await expect(page.getByLabel(termsTexts.tick)).toBeFocused();
  await page.keyboard.press("Space");
  await tabTo(page, button(holdButton));
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 lots held for you until")).toBeVisible();
  // On its first screen a phone shows the account, above the button that copies it.
  const bar = page.getByRole("button", { name: "Copy account number" }).nth(1);
  await expect(bar).toBeVisible();
  const account = await page.getByText("0000000000", { exact: true }).boundingBox();
  expect(await page.evaluate(() => window.scrollY), "nothing is scrolled").toBe(0);
  expect(Number(account?.y) + Number(account?.height)).toBeLessThan(Number((await bar.boundingBox())?.y));
  await tabTo(page, page.getByRole("main").getByRole("button", { name: "Copy account number" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("button", { name: "Copied account number" })).toBeVisible();
  // Listening is switched on before the key can open it.
  const chooser = page.waitForEvent("filechooser");
  await tabTo(page, page.getByLabel("Payment receipt"));
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(receipt);
  await expect(page.getByRole("img", { name: "Preview of transfer.png" })).toBeVisible();
  await expectSound(page);
  await tabTo(page, page.getByRole("main").getByRole("button", { name: "Send receipt" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText(sentText)).toBeVisible();
  // The form that had the keyboard is gone: it goes on at how things stand.
  await tabTo(page, page.getByRole("link", { name: "See it in your profile" }));
});

test("one lot with nothing held: a rejection shows its reason and takes another receipt; an approval leads to the project; the others learn", async ({
  browser,
}) => {
  const title = "Rabbit hutches behind the house";
  const press = "Show the bank details";
  await switchHoldingOff(browser);
  const [first, holder, waiting] = [await newBacker(browser), await newBacker(browser), await newBacker(browser)];
  await open(first, title, { press });
  await expect(first.getByRole("heading", { name: "Step 1: Transfer ₦620,000" })).toBeVisible();
  await expect(first.getByLabel("Number of lots")).toHaveCount(0);
  await choose(first, receipt);
  await send(first);
  await expect(first.getByText(sentText)).toBeVisible();
  await decide(browser, { title, status: "rejected", reason: "The amount can't be read." });
  await first.reload();
  await expect(first.getByText("We could not approve your last receipt")).toBeVisible();
  await expect(first.getByText("Reason: The amount can't be read.", { exact: true })).toBeVisible();
  await expectSound(first);
  await choose(first, receipt);
  await send(first);
  await expect(first.getByText(sentText)).toBeVisible();

  // One has only looked, another has sent a receipt too, before the first one's is approved.
  await open(holder, title, { press });
  await expect(holder.getByText("A receipt for this project is under review")).toBeVisible();
  await open(waiting, title, { press });
  await decide(browser, { title, status: "approved" });
  await choose(waiting, receipt);
  await send(waiting);
  await expect(
    waiting
      .getByRole("main")
      .getByText("Another payment for this project was approved first. If you have paid, a refund is due to you."),
  ).toBeVisible();
  await expectSound(waiting);

  await first.reload();
  await expect(first.getByRole("heading", { name: "Your payment was approved" })).toBeVisible();
  await first.getByRole("link", { name: "Go to your project" }).click();
  await expect(first).toHaveURL(/\/backed-project\/\d+$/);

  await holder.reload();
  await expect(holder.getByText("Project is closed")).toBeVisible();
  await expect(holder.getByText("Please don't transfer any money for it now.")).toBeVisible();
  await expect(holder.getByText("0000000000")).toHaveCount(0);
  await expect(holder.getByRole("button", { name: "Send receipt" }).first()).toBeEnabled();
});
