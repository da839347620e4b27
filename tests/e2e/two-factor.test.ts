import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { type Browser, expect, type Page } from "playwright/test";
import { settings } from "#server/db/schema/settings.ts";
import { twoFactors } from "#server/db/schema/users.ts";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { codeAt, enrol, wrongCodeAt } from "#tests/support/two-factor.ts";
import { callOf } from "#tests/support/visitor.ts";
import { openWatched } from "#tests/support/watched-page.ts";

// The administrators' second factor in the built product: set up, asked for, lost, mandatory.

type Enrolled = { user: TestUser; secret: string; codes: string[] };
let server: SeededServer<{ novice: TestUser; door: Enrolled; unlucky: Enrolled; backer: TestUser }>;
let strict: SeededServer<{ manager: TestUser; surprised: TestUser }>;

test.beforeAll(async () => {
  server = await startSeededServer(async (deps) => {
    const enrolled = async (): Promise<Enrolled> => {
      const user = await createAdmin(deps.db, "owner");
      const factor = await enrol(deps, user);
      // Their last code is long ago: what the app shows now is theirs to use.
      await deps.db.update(twoFactors).set({ lastUsedStep: null }).where(eq(twoFactors.userId, user.id));
      return { user, ...factor };
    };
    return {
      novice: await createAdmin(deps.db, "owner"),
      door: await enrolled(),
      unlucky: await enrolled(),
      backer: await createUser(deps.db),
    };
  });
  strict = await startSeededServer(async ({ db }) => {
    await db.insert(settings).values({ key: "requiretwofactor", value: "true" });
    return { manager: await createAdmin(db, "manager"), surprised: await createAdmin(db, "owner") };
  });
});
test.afterAll(async () => {
  await server.stop();
  await strict.stop();
});

async function newPage(browser: Browser, { url } = server as { url: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
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

/** Sets the factor up on the page that shows its card; gives what the person kept. */
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

test("an administrator sets it up, signs out, and signs in with a recovery code; then switches it off", async ({
  browser,
}) => {
  const { novice } = server.prepared;
  const page = await newPage(browser);
  await signInBrowser(page.context(), server, novice);
  await page.goto("/admin/two-factor");
  await expectSound(page);
  const { secret, codes } = await setUp(page, novice);
  await expect(dashboard(page)).toBeVisible();

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await enterPassword(page, novice);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  const field = page.getByLabel("Recovery code", { exact: true });
  await expect(field).toBeFocused();
  await field.fill("aaaa-bbbb-cccc");
  await verify(page);
  await expect(page.getByText("Invalid code. Please check it and try again.")).toBeVisible();
  await expect(field).toHaveValue("aaaa-bbbb-cccc");
  await field.fill((codes[0] ?? "").toUpperCase());
  await verify(page);
  await expect(dashboard(page)).toBeVisible();

  await page.goto("/admin/two-factor");
  await expect(page.getByText("9 of 10 recovery codes left.")).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  const [password, code] = [page.getByLabel("Current Password"), page.getByLabel("Code from the app")];
  await password.fill(novice.password);
  await page.getByRole("button", { name: "Make new codes" }).click();
  await expect(page.getByText("Enter the code", { exact: true })).toBeVisible();
  await expect(code).toBeFocused();
  const wrong = wrongCodeAt(secret, new Date());
  await code.fill(wrong);
  await page.getByRole("button", { name: "Make new codes" }).click();
  await expect(page.getByText("Invalid code. Please check it and try again.")).toBeVisible();
  await expect(code).toHaveValue(wrong);
  await code.fill(codes[1] ?? "");
  await page.getByRole("button", { name: "Make new codes" }).click();
  const list = page.getByRole("list", { name: "Keep your recovery codes" }).getByRole("listitem");
  await expect(list).toHaveCount(10);
  const renewed = await list.allInnerTexts();
  await page.getByLabel("I have kept them").check();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("10 of 10 recovery codes left.")).toBeVisible();

  await page.getByRole("button", { name: "Switch off" }).click();
  await expectSound(page);
  await password.fill(novice.password);
  await code.fill(renewed[0] ?? "");
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByRole("button", { name: "Set up two-factor sign-in" })).toBeVisible();
});

test("the code is asked for on the sign-in page, also after a reload, and leads on", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { user, secret } = server.prepared.door;
  const page = await newPage(browser);
  await enterPassword(page, user, "/login?next=%2Fdiscover");
  await expect(codeField(page)).toBeFocused();
  await expect(page).toHaveURL(/\/login\?next=/);
  expect(await hasSession(page)).toBe(false);
  await expectSound(page);
  await page.reload();
  await expect(codeField(page)).toBeFocused();

  await verify(page);
  await expect(page.getByText("Enter the code", { exact: true })).toBeVisible();
  const wrong = wrongCodeAt(secret, new Date());
  await codeField(page).fill(wrong);
  await verify(page);
  await expect(page.getByText("Invalid code. Please check it and try again.")).toBeVisible();
  await expect(codeField(page)).toHaveValue(wrong);
  expect(await hasSession(page)).toBe(false);
  await codeField(page).fill(codeAt(secret, new Date()));
  await codeField(page).press("Enter");
  await expect(page).toHaveURL(/\/discover$/);
  expect(await hasSession(page)).toBe(true);
});

test("starting over keeps the address; a step that is over says so", { tag: "@nightly" }, async ({ browser }) => {
  const { user } = server.prepared.door;
  const page = await newPage(browser);
  await enterPassword(page, user);
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(user.email);
  await page.reload();
  await expect(page.getByLabel("Email")).toBeVisible();
  await expect(codeField(page)).toBeHidden();

  await enterPassword(page, user);
  await expect(codeField(page)).toBeVisible();
  await page.context().clearCookies({ name: "second-step" });
  await codeField(page).fill("123456");
  await verify(page);
  await expect(page.getByText("This sign-in took too long or was already used. Please sign in again.")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(user.email);
});

test("five wrong codes lock for three minutes, with the banner", { tag: "@nightly" }, async ({ browser }) => {
  const { user, secret } = server.prepared.unlucky;
  const page = await newPage(browser);
  await enterPassword(page, user);
  for (let time = 1; time <= 5; time += 1) {
    await codeField(page).fill(wrongCodeAt(secret, new Date()));
    const [answer] = await Promise.all([page.waitForResponse(/auth\.verifySecondFactor/), verify(page)]);
    expect(answer.ok()).toBe(false);
    if (time === 3) {
      await expect(page.getByText("Multiple failed attempts. Please check your credentials.")).toBeVisible();
    }
  }
  const banner = page.getByText("Account temporarily locked");
  await expect(banner).toBeVisible();
  await expect(
    page.getByText("Too many failed login attempts. Please wait 3 minutes before trying again."),
  ).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/Try again in [12]:\d\d/);
  await expect(codeField(page)).toBeDisabled();
  await expectSound(page);
  await page.reload();
  await expect(banner).toBeVisible();
  await expect(codeField(page)).toBeDisabled();
});

test("a backer is led away from the page", { tag: "@nightly" }, async ({ browser }) => {
  const page = await newPage(browser);
  await signInBrowser(page.context(), server, server.prepared.backer);
  await page.goto("/admin/two-factor");
  await expect(page).toHaveURL(/\/admin\/login$/);
});

test("where it is mandatory, an administrator is led to it and then on to the dashboard", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { manager } = strict.prepared;
  const page = await newPage(browser, strict);
  await enterPassword(page, manager);
  await expect(page).toHaveURL(/\/admin\/two-factor$/);
  await expect(page.getByText("Required for administrators")).toBeVisible();
  await expectSound(page);
  await page.goto("/admin/payments");
  await expect(page).toHaveURL(/\/admin\/two-factor$/);
  await setUp(page, manager);
  await expect(dashboard(page)).toBeVisible();
  await page.goto("/admin/two-factor");
  await expect(page.getByText("can't be switched off")).toBeVisible();
  await expect(page.getByRole("button", { name: "Switch off" })).toBeHidden();
});

test.describe("made mandatory while an administrator has a page open", { tag: "@nightly" }, () => {
  /** The page as it is when it was opened before: with the rights of then. Its calls meet the server as it is now. */
  async function openFromBefore(browser: Browser, path: string): Promise<Page> {
    const page = await newPage(browser, strict);
    await signInBrowser(page.context(), strict, strict.prepared.surprised);
    await page.route(callOf("auth.viewer"), async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('"mustSetUpTwoFactor":true', '"mustSetUpTwoFactor":false')
        .replace('"permissions":[]', '"permissions":["projects:view","projects:create","payments:view"]');
      await route.fulfill({ response, body });
    });
    await openWatched(page, path);
    return page;
  }

  test("leads to the setup at the first refusal, and says why", async ({ browser }) => {
    const page = await openFromBefore(browser, "/admin/dashboard");
    // The toast first: it goes after five seconds.
    await expect(page.getByText("Two-factor sign-in is required", { exact: true })).toBeVisible();
    await expect(page.getByText("It is now mandatory for administrators.")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/two-factor$/);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await expect(page.getByRole("button", { name: "Set up two-factor sign-in" })).toBeVisible();
  });

  test("asks first where something was typed", async ({ browser }) => {
    let answer = () => {};
    const typed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const page = await openFromBefore(browser, "/discover");
    await page.route(/\/trpc\/[^?]*dashboard\./, async (route) => {
      await typed;
      await route.continue();
    });
    await openWatched(page, "/admin/dashboard");
    const search = page.getByPlaceholder("Search by title or backer...");
    await search.fill("cows");
    answer();
    const dialog = page.getByRole("dialog", { name: "Two-factor sign-in is required" });
    await expect(dialog.getByText("What you typed is still on this page.")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard/);
    await expectSound(page);
    await dialog.getByRole("button", { name: "Stay on this page" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(search).toHaveValue("cows");

    await search.fill("dairy cows");
    await dialog.getByRole("button", { name: "Set it up now" }).click();
    await expect(page).toHaveURL(/\/admin\/two-factor$/);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await expect(page.getByRole("button", { name: "Set up two-factor sign-in" })).toBeVisible();
  });
});
