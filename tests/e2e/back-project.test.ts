import { expect, type Locator, type Page } from "playwright/test";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { createUser } from "#tests/support/people.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { holdButton, picture } from "#tests/support/story.ts";

// Lots are paid for on the smallest phone without a pointer. Demo fact: the cattle have no payment by others.

const sentText = "We have your receipt. We review receipts within one working day and email you.";

async function visit(page: Page, title: string) {
  await page.goto(`/discover?search=${encodeURIComponent(title)}`);
  const address = await page.getByRole("main").getByRole("link", { name: title }).getAttribute("href");
  await page.goto(String(address).replace("/project/", "/back-project/"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
}

/**
 * Goes to it by the tab key alone. Nothing that has the keyboard on the way lies outside of the screen or under
 * something.
 */
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

test("on a phone, by the keyboard alone: lots, terms, hold, account, receipt", async ({ browser, demo: server }) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  await signInBrowser(context, server, await server.prepare(({ db }) => createUser(db)));
  const page = await context.newPage();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "Five dairy cows on the plateau");
  await expect(page.getByText("Lots are first-come, first-served")).toBeVisible();
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await tabTo(page, button("One lot more"));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Number of lots")).toHaveValue("2");
  await tabTo(page, page.getByLabel(termsTexts.tick));
  // The site's terms are a link within the box's words.
  await tabTo(page, button(holdButton));
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
  await (await chooser).setFiles(picture("transfer.png"));
  await expect(page.getByRole("img", { name: "Preview of transfer.png" })).toBeVisible();
  await expectSound(page);
  await tabTo(page, page.getByRole("main").getByRole("button", { name: "Send receipt" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText(sentText)).toBeVisible();
  // The form that had the keyboard is gone: it goes on at how things stand.
  await tabTo(page, page.getByRole("link", { name: "See it in your profile" }));
});
