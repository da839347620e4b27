import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { settings } from "#server/db/schema/settings.ts";
import { requireTwoFactorKey } from "#shared/settings/texts.ts";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { codeAt, wrongCodeAt } from "#tests/support/two-factor.ts";

// The administrators' second factor in the built product: set up, asked for, lost, mandatory.

let server: Site;
let people: { novice: TestUser; manager: TestUser };

test.beforeAll(async ({ demo }) => {
  server = demo;
  people = await demo.prepare(async ({ db }) => ({
    novice: await createAdmin(db, "owner"),
    manager: await createAdmin(db, "manager"),
  }));
});
// The next file's administrators may do without.
test.afterAll(() => server.prepare(({ db }) => db.delete(settings).where(eq(settings.key, requireTwoFactorKey))));

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context.newPage();
}

async function enterPassword(page: Page, { email, password }: TestUser, path = "/admin/login") {
  await page.goto(path);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

const codeField = (page: Page) => page.getByLabel("Code from the app");
const verify = (page: Page) => page.getByRole("button", { name: "Verify" }).click();
const dashboard = (page: Page) => page.getByRole("heading", { name: "Dashboard" });
const hasSession = async (page: Page) =>
  (await page.context().cookies()).some(({ name }) => name === "session" || name === "__Host-session");

/** Sets the factor up on the page that shows its card. Returns the secret and the codes that the person kept. */
async function setUp(page: Page, { password }: TestUser): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
  const current = page.getByLabel("Current Password");
  await expect(current).toBeFocused();
  await expectSound(page);
  await current.fill("Wrong-guess-1");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Your current password is not right.")).toBeVisible();
  await expect(current).toHaveValue("Wrong-guess-1");
  await current.fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const picture = page.getByRole("img", { name: "QR code for your authenticator app" });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectSound(page);
  await page.getByRole("button", { name: "Copy key" }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);

  const field = page.getByLabel("6-digit code");
  await expect(field).toHaveAttribute("inputmode", "numeric");
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  const switchOn = page.getByRole("button", { name: "Switch on" });
  await switchOn.click();
  await expect(page.getByText("Enter the code", { exact: true })).toBeVisible();
  const wrong = wrongCodeAt(secret, new Date());
  await field.fill(wrong);
  await switchOn.click();
  await expect(page.getByText("Invalid code. Please check it and try again.")).toBeVisible();
  await expect(field).toHaveValue(wrong);
  await field.fill(codeAt(secret, new Date()));
  await switchOn.click();

  await expect(page.getByRole("heading", { name: "Keep your recovery codes" })).toBeFocused();
  const list = page.getByRole("list", { name: "Keep your recovery codes" }).getByRole("listitem");
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  await expectSound(page);
  await page.getByRole("button", { name: "Copy recovery codes" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("gona-recovery-codes.txt");
  expect(await readFile(await file.path(), "utf8")).toContain(codes.join("\n"));
  // On paper the codes stand alone.
  await page.emulateMedia({ media: "print" });
  await expect(list.first()).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await expect(page.getByRole("button", { name: "Done" })).toBeDisabled();
  await page.getByLabel("I have kept them").check();
  await page.getByRole("button", { name: "Done" }).click();
  return { secret, codes };
}

test("an owner sets it up, signs in with a code and a recovery code, and makes it mandatory for all", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const { novice, manager } = people;
  const page = await newPage(browser);
  await signInBrowser(page.context(), server, novice);
  await page.goto("/admin/two-factor");
  await expectSound(page);
  const { secret, codes } = await setUp(page, novice);
  await expect(dashboard(page)).toBeVisible();

  await test.step("the code is asked for on the sign-in page, also after a reload, and leads on", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/\/admin\/login$/);
    await enterPassword(page, novice, "/login?next=%2Fdiscover");
    await expect(codeField(page)).toBeFocused();
    expect(await hasSession(page)).toBe(false);
    await page.reload();
    await expect(codeField(page)).toBeFocused();
    await verify(page);
    await expect(page.getByText("Enter the code", { exact: true })).toBeVisible();
    const wrong = wrongCodeAt(secret, new Date());
    await codeField(page).fill(wrong);
    await verify(page);
    await expect(page.getByText("Invalid code. Please check it and try again.")).toBeVisible();
    await expect(codeField(page)).toHaveValue(wrong);
    await expectSound(page);
    expect(await hasSession(page)).toBe(false);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    const field = page.getByLabel("Recovery code", { exact: true });
    await expect(field).toBeFocused();
    await field.fill((codes[0] ?? "").toUpperCase());
    await verify(page);
    await expect(page).toHaveURL(/\/discover$/);
    expect(await hasSession(page)).toBe(true);
  });

  await test.step("a code makes new recovery codes", async () => {
    await page.goto("/admin/two-factor");
    await expect(page.getByText("9 of 10 recovery codes left.")).toBeVisible();
    await expectSound(page);
    await page.getByRole("button", { name: "Make new recovery codes" }).click();
    await page.getByLabel("Current Password").fill(novice.password);
    await page.getByRole("button", { name: "Make new codes" }).click();
    await expect(page.getByText("Enter the code", { exact: true })).toBeVisible();
    await codeField(page).fill(codes[1] ?? "");
    await page.getByRole("button", { name: "Make new codes" }).click();
    await page.getByLabel("I have kept them").check();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("10 of 10 recovery codes left.")).toBeVisible();
  });

  await test.step("made mandatory, it leads other administrators to the set-up, and on to the dashboard", async () => {
    await page.goto("/admin/settings");
    const required = page.getByRole("switch", { name: "Administrators must use two-factor sign-in" });
    await required.click({ force: true });
    await page.getByRole("dialog").getByRole("button", { name: "Require it" }).click();
    const proving = page.getByRole("dialog", { name: "Is it you?" });
    const saved = page.getByText("Setting updated successfully");
    await expect(proving.or(saved).first()).toBeVisible();
    await expect(saved).toBeVisible();
    const other = await newPage(browser);
    await enterPassword(other, manager);
    await expect(other).toHaveURL(/\/admin\/two-factor$/);
    await expect(other.getByText("Required for administrators")).toBeVisible();
    await expectSound(other);
    await other.goto("/admin/payments");
    await expect(other).toHaveURL(/\/admin\/two-factor$/);
    await setUp(other, manager);
    await expect(dashboard(other)).toBeVisible();
    await other.goto("/admin/two-factor");
    await expect(other.getByText("can't be switched off")).toBeVisible();
    await expect(other.getByRole("button", { name: "Switch off" })).toBeHidden();
  });
});
