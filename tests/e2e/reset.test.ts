import { type Browser, expect, type Page } from "playwright/test";
import { issueEmailToken } from "#server/accounts/email-tokens.ts";
import { inTransaction } from "#server/db/open.ts";
import { type ApiClient, createApiClient } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { createAdmin, createUser } from "#tests/support/people.ts";
import { startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

/** A forgotten password, from the sign-in page to the sign-in with the new one, with real mail. */

let server: Awaited<ReturnType<typeof start>>;
let mail: MailServer;
let api: ApiClient;

/** With an owner, and with a link that was asked for exactly an hour ago. */
function start(smtpUrl: string) {
  return startSeededServer(
    async (deps) => {
      const owner = await createAdmin(deps.db, "owner");
      const { id: userId, email } = await createUser(deps.db);
      const anHourAgo = new Date(Date.now() - 3_600_000);
      const expiredToken = await inTransaction(deps.db, (tx) =>
        issueEmailToken(
          tx,
          { clock: { now: () => anHourAgo } },
          { userId, email, purpose: "reset_password", lifetimeMinutes: 60 },
        ),
      );
      return { owner, expiredToken };
    },
    { SMTP_URL: smtpUrl, REQUIRE_EMAIL_CONFIRMATION: "false" },
  );
}

test.beforeAll(async () => {
  mail = await startMailServer();
  server = await start(mail.url);
  api = createApiClient(server.url);
});
test.afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const oldPassword = "Yam-Harvest-2026";
const newPassword = "Cassava-Harvest-2027";
const sentText = /has an account, we have sent it a link\. Open the link within 60 minutes/;

let people = 0;
async function newBacker(): Promise<string> {
  people += 1;
  const email = `backer-${people}@example.com`;
  const { token: formToken } = await api.auth.formToken.query();
  await api.auth.signUp.mutate({ fullName: "Ada Obi", email, password: oldPassword, acceptTerms: true, formToken });
  return email;
}

/** The nth link of a kind that was mailed to an address. */
async function linkMailedTo(email: string, path: string, nth = 0): Promise<string> {
  const pattern = new RegExp(`${server.url}${path}#type=recovery&access_token=[0-9a-f]{64}`);
  const linksTo = () =>
    mail.messages
      .filter(({ recipients }) => recipients.includes(email))
      .flatMap(({ text }) => pattern.exec(text ?? "")?.[0] ?? []);
  await expect.poll(() => linksTo().length).toBeGreaterThan(nth);
  return linksTo()[nth] ?? "";
}

async function askForLink(page: Page, email: string, path = "/forgot-password") {
  await page.goto(`${server.url}${path}`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText(sentText)).toBeVisible();
}

async function fillPasswords(page: Page, password: string, confirmation = password) {
  await page.getByLabel("New Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(confirmation);
  await page.getByRole("button", { name: "Reset Password" }).click();
}

async function expectInvalidLink(page: Page) {
  await expect(page.getByRole("heading", { level: 1, name: "Invalid or expired password reset link" })).toBeVisible();
  await expect(
    page.getByText("The password reset link is invalid or has expired. Please request a new one."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page).toHaveURL(`${server.url}/forgot-password`);
}

const newPage = (browser: Browser) => newVisitor(browser, {});

test("a backer asks for a link, mends every fault of the new password, and signs in with it", async ({ browser }) => {
  const email = await newBacker();
  const { page, problems } = await newPage(browser);
  await page.goto(`${server.url}/login`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveURL(`${server.url}/forgot-password`);

  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText("Valid email is required")).toBeVisible();
  await askForLink(page, "nobody@example.com");
  await page.getByRole("button", { name: "Try Another Email" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(` ${email.toUpperCase()}`);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText(sentText)).toBeVisible();

  await page.goto(await linkMailedTo(email, "/reset-password"));
  await expect(page).toHaveURL(`${server.url}/reset-password`);
  await fillPasswords(page, "12345");
  await expect(page.getByText("Password must be at least 6 characters", { exact: true })).toBeVisible();
  await fillPasswords(page, "Abc-123");
  await expect(page.locator(".mantine-InputWrapper-error")).toHaveText("Password must be at least 8 characters long");
  await fillPasswords(page, "snailsandgoats");
  await expect(
    page.getByText("Please choose a stronger password that meets all requirements.", { exact: true }),
  ).toBeVisible();
  await fillPasswords(page, newPassword, `${newPassword}!`);
  await expect(page.getByText("Passwords don't match", { exact: true })).toBeVisible();
  await expect(page.getByLabel("New Password", { exact: true })).toHaveValue(newPassword);

  await page.evaluate(() => {
    localStorage.setItem("left-behind", "1");
    sessionStorage.setItem("left-behind", "1");
  });
  await fillPasswords(page, newPassword);
  await expect(page.getByText("Password updated", { exact: true })).toBeVisible();
  await expect(page.getByText("Your password has been successfully reset.", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/login`);
  expect(
    await page.evaluate(() => [localStorage.getItem("left-behind"), sessionStorage.getItem("left-behind")]),
  ).toEqual([null, null]);

  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`${server.url}/profile`);
  const notice = await mail.waitFor(
    ({ recipients, subject }) => recipients.includes(email) && subject === "Your Gona password was changed",
  );
  expect(notice.text).not.toContain("access_token");
  expect(problems).toEqual([]);
});

test("a reset signs out the tabs that were signed in", { tag: "@nightly" }, async ({ browser }) => {
  const email = await newBacker();
  const { page, problems } = await newPage(browser);
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(oldPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`${server.url}/profile`);
  const reset = await page.context().newPage();
  await askForLink(reset, email);
  await reset.goto(await linkMailedTo(email, "/reset-password"));
  await fillPasswords(reset, newPassword);
  await expect(page).toHaveURL(`${server.url}/login`);
  await expect(reset).toHaveURL(`${server.url}/login`);
  expect(problems).toEqual([]);
});

test("an administrator's reset has its own pages", { tag: "@nightly" }, async ({ browser }) => {
  const { owner } = server.prepared;
  const { page, problems } = await newPage(browser);
  await page.goto(`${server.url}/admin/login`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveURL(`${server.url}/admin/forgot-password`);
  await askForLink(page, owner.email, "/admin/forgot-password");
  await page.goto(await linkMailedTo(owner.email, "/admin/reset-password"));
  await expect(page).toHaveURL(`${server.url}/admin/reset-password`);
  await fillPasswords(page, newPassword);
  await expect(page.getByText("Your password has been successfully reset.")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/login`);
  await page.goto(`${server.url}/admin/login`);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard/);
  expect(problems).toEqual([]);
});

test.describe("a link that doesn't work", { tag: "@nightly" }, () => {
  for (const [what, path] of [
    ["without a fragment", "/reset-password"],
    ["of another type", `/reset-password#type=signup&access_token=${"0".repeat(64)}`],
    ["without a token", "/reset-password#type=recovery"],
    ["for administrators, without a fragment", "/admin/reset-password"],
  ] as const) {
    test(`${what} says so at once`, async ({ page }) => {
      await page.goto(`${server.url}${path}`);
      await expectInvalidLink(page);
    });
  }

  test("of an unknown, a replaced, a used or an expired token says so when it is used", async ({ page }) => {
    const email = await newBacker();
    await askForLink(page, email);
    const replaced = await linkMailedTo(email, "/reset-password");
    await askForLink(page, email);
    const used = await linkMailedTo(email, "/reset-password", 1);
    await api.auth.resetPassword.mutate({ token: used.split("access_token=")[1] ?? "", password: newPassword });
    const unknown = `${server.url}/reset-password#type=recovery&access_token=${"0".repeat(64)}`;
    const expired = `${server.url}/reset-password#type=recovery&access_token=${server.prepared.expiredToken}`;
    for (const link of [unknown, replaced, used, expired]) {
      await page.goto("about:blank");
      await page.goto(link);
      await expect(page).toHaveURL(`${server.url}/reset-password`);
      await fillPasswords(page, "Other-Harvest-2028");
      await expectInvalidLink(page);
    }
  });
});

test("too many requests are refused", { tag: "@nightly" }, async ({ page }) => {
  for (let time = 0; time < 3; time += 1) await api.auth.requestPasswordReset.mutate({ email: "many@example.com" });
  await page.goto(`${server.url}/forgot-password`);
  await page.getByLabel("Email").fill("many@example.com");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText("Too many attempts. Please try again later.", { exact: true })).toBeVisible();
});

test("the screens fit the smallest phone", { tag: "@nightly" }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await askForLink(page, "a-rather-long-address-for-a-small-phone@example.com");
  await expectSound(page);
  await page.getByRole("button", { name: "Try Another Email" }).click();
  await expectSound(page);
  await page.goto(`${server.url}/reset-password`);
  await expect(page.getByRole("link", { name: "Try Again" })).toBeVisible();
  await expectSound(page);
  await page.goto(`${server.url}/admin/reset-password#type=recovery&access_token=${"0".repeat(64)}`);
  await fillPasswords(page, "12345", "123456");
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await expectSound(page);
});
