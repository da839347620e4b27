import { type Browser, expect, type Page } from "playwright/test";
import { type ApiClient, createApiClient } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

/** An invitation from the mail to the dashboard, and the links that need another step first. */

let server: Awaited<ReturnType<typeof start>>;
let mail: MailServer;
let owner: ApiClient;

function start(smtpUrl: string) {
  return startSeededServer(
    async (deps) => {
      const chidi = await createAdmin(deps.db, "owner", { fullName: "Chidi Eze" });
      const backer = await createUser(deps.db, { fullName: "Nneka Okonkwo" });
      return { chidi, backer };
    },
    { SMTP_URL: smtpUrl, REQUIRE_EMAIL_CONFIRMATION: "false" },
  );
}

test.beforeAll(async () => {
  mail = await startMailServer();
  server = await start(mail.url);
  owner = createApiClient(server.url);
  const { email, password } = server.prepared.chidi;
  await owner.auth.adminSignIn.mutate({ email, password });
});
test.afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const password = "Cassava-Harvest-2027";

/** Invites, and gives the link as it arrived by mail. */
async function invite(email: string, role: "owner" | "manager" | "viewer" = "manager", nth = 0): Promise<string> {
  await owner.team.invite.mutate({ email, fullName: "Ngozi Bello & Sons", role });
  const links = () =>
    mail.messages
      .filter(({ recipients }) => recipients.includes(email))
      .flatMap(({ text }) => /http\S+\/admin\/setup-account\S+/.exec(text ?? "")?.[0] ?? []);
  await expect.poll(() => links().length).toBeGreaterThan(nth);
  return links()[nth] ?? "";
}

const newPage = (browser: Browser) => newVisitor(browser, {});
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const create = (page: Page) => page.getByRole("button", { name: "Create Account" }).click();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("link, prefilled form, password, 'Account Created', dashboard", async ({ browser }) => {
  const email = "ngozi+farm@example.com";
  const link = await invite(email);
  const { page, problems } = await newPage(browser);
  await page.goto(link);
  await expect(heading(page, "Set up your admin account")).toBeVisible();
  await expect(page.getByText("You are invited as a manager.")).toBeVisible();
  // The token is out of the address bar; a reload still knows it.
  expect(page.url()).not.toContain("access_token");
  await page.reload();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Email")).not.toBeEditable();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ngozi Bello & Sons");
  await expect(
    page.getByText("Use 8 or more characters with upper case, lower case, digits and special characters."),
  ).toBeVisible();
  await expectSound(page);

  await create(page);
  await expect(page.getByText("Missing Information", { exact: true })).toBeVisible();
  await expect(page.getByText("Please fill in all required fields", { exact: true })).toBeVisible();
  await expect(passwordField(page)).toBeFocused();
  await passwordField(page).fill("snailsandgoats");
  await create(page);
  await expect(
    page.getByText("Please choose a stronger password that meets all requirements.", { exact: true }),
  ).toBeVisible();
  await page.getByLabel("Full Name").fill("Ngozi Bello");
  await passwordField(page).fill(password);
  await expect(page.getByText("Very Strong")).toBeVisible();
  await create(page);
  await expect(page.getByText("Account Created", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/dashboard/);
  expect(await page.evaluate(() => [localStorage.getItem("isAdmin"), sessionStorage.getItem("invite-token")])).toEqual([
    "true",
    null,
  ]);

  const other = await newPage(browser);
  await other.page.goto(`${server.url}/admin/login`);
  await other.page.getByLabel("Email").fill(email);
  await passwordField(other.page).fill(password);
  await other.page.getByRole("button", { name: "Sign In" }).click();
  await expect(other.page).toHaveURL(/\/admin\/dashboard/);

  // The same link again: the owner of the account is shown the way in.
  const again = await newPage(browser);
  await again.page.goto(link);
  await expect(heading(again.page, "This invitation has been used already")).toBeVisible();
  await expectSound(again.page);
  await again.page.getByRole("link", { name: "Sign In" }).click();
  await expect(again.page).toHaveURL(`${server.url}/admin/login`);
  expect([...problems, ...other.problems, ...again.problems]).toEqual([]);
});

test("a replaced link says so, and the newer one works in the same tab", { tag: "@nightly" }, async ({ browser }) => {
  const email = "replaced@example.com";
  const old = await invite(email);
  const { page, problems } = await newPage(browser);
  await page.goto(old);
  await expect(heading(page, "Set up your admin account")).toBeVisible();
  const newer = await invite(email, "manager", 1);
  await page.goto(old);
  await expect(heading(page, "This link was replaced by a newer one")).toBeVisible();
  await expect(page.getByText("Only the link in the latest invitation mail works.")).toBeVisible();
  await expectSound(page);
  await page.goto(newer);
  await expect(heading(page, "Set up your admin account")).toBeVisible();
  expect(problems).toEqual([]);
});

test("somebody else who is signed in signs out first, and goes on", { tag: "@nightly" }, async ({ browser }) => {
  const { page, problems } = await newPage(browser);
  await signInBrowser(page.context(), server, server.prepared.backer);
  await page.goto(await invite("foreign@example.com", "viewer"));
  await expect(heading(page, "This invitation is for another address")).toBeVisible();
  await expect(page.getByText(`you are signed in as ${server.prepared.backer.email}`)).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Sign out and continue" }).click();
  await expect(page.getByText("You are invited as a viewer.")).toBeVisible();
  await passwordField(page).fill(password);
  await create(page);
  await expect(page).toHaveURL(/\/admin\/dashboard/);
  expect(problems).toEqual([]);
});

test("whoever has a verified account signs in to it, comes back and accepts", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { email } = server.prepared.backer;
  const { page, problems } = await newPage(browser);
  await page.goto(await invite(email, "owner"));
  await expect(heading(page, "Sign in to accept")).toBeVisible();
  await expectSound(page);
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(testPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(heading(page, "Accept your invitation")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/admin/setup-account`);
  await expectSound(page);
  const accept = page.getByRole("button", { name: "Accept invitation" });
  await accept.click();
  await expect(page.getByText("Invitation accepted", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/dashboard/);
  expect(problems).toEqual([]);
});
