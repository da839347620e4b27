import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "playwright/test";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";

// An account from its sign-up to its end, with real mail: made, confirmed, moved to another address, taken home, closed.

let server: Site;
let taken: TestUser;

test.beforeAll(async ({ demo }) => {
  server = demo;
  taken = await demo.prepare(({ db }) => createUser(db));
});

const password = "Cassava-Harvest-2027";
const newPassword = "Yam-Harvest-2028";
const [mistyped, right, moved] = ["ngozi@exmaple.com", "ngozi@example.com", "moved@example.com"];
const visit = (browser: Browser, options = {}) => newVisitor(browser, { baseURL: server.url, ...options });
const says = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function signIn(page: Page, email: string, typed: string) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(typed);
  await button(page, "Sign In").click();
}

/** The link of a type in the newest mail to this address. */
async function linkMailedTo(address: string, type: string): Promise<string> {
  const pattern = new RegExp(`http:\\S+#type=${type}&access_token=[0-9a-f]{64}`);
  const { text } = await server.mail.waitFor(
    (message) => message.recipients.includes(address) && pattern.test(message.text ?? ""),
  );
  return pattern.exec(text ?? "")?.[0] ?? "";
}

async function expectSent(page: Page, email: string) {
  await expect(heading(page, "Check your email")).toBeVisible();
  await expect(page.getByText("Please check your email to confirm your account.")).toBeVisible();
  await expect(page.getByRole("main").getByText(email, { exact: true })).toBeVisible();
}

test("an account is made, confirmed, changed, downloaded and closed", async ({ browser }) => {
  test.setTimeout(180_000);
  const { page, problems } = await visit(browser);
  const phone = await visit(browser, { viewport: { width: 360, height: 740 } });

  await test.step("after a sign-up the page stays, sends the link again and corrects the address", async () => {
    await page.goto("/signup");
    await page.getByLabel("Full Name").fill("Ngozi Obi");
    await page.getByLabel("Email").fill(mistyped);
    await passwordField(page).fill(password);
    await page.getByLabel("I agree to the terms of service").check();
    await button(page, "Create Account").click();
    await expectSent(page, mistyped);
    await page.reload();
    await expectSent(page, mistyped);
    await button(page, "Send the link again").click();
    await says(page, "If this address has an account that waits for confirmation, we have sent a new link.");
    await button(page, "Correct the address").click();
    const address = page.getByLabel("Right email");
    await expect(address).toHaveValue(mistyped);
    await passwordField(page).fill("Wrong-guess-1");
    await button(page, "Send the link there").click();
    await says(page, "This is the address that you have given.");
    await address.fill(taken.email);
    await button(page, "Send the link there").click();
    await says(page, "This is not the password of that account.");
    await passwordField(page).fill(password);
    await button(page, "Send the link there").click();
    await says(page, "An account with this email already exists.");
    await expectSound(page);
    await address.fill(right);
    await button(page, "Send the link there").click();
    await expectSent(page, right);
  });

  await test.step("the link asks for the password, and signs in", async () => {
    await phone.page.goto(await linkMailedTo(right, "signup"));
    const confirm = button(phone.page, "Confirm and sign in");
    await expect(confirm).toBeVisible();
    expect(phone.page.url()).toBe(`${server.url}/auth-callback`);
    await confirm.click();
    await says(phone.page, "Enter the password of the account.");
    await passwordField(phone.page).fill("Wrong-guess-1");
    await confirm.click();
    await says(phone.page, "This is not the password of that account.");
    await button(phone.page, "Send me a link for a new password").click();
    await expect(phone.page.getByText(/We have sent a link to/)).toBeVisible();
    await expectSound(phone.page);
    await passwordField(phone.page).fill(password);
    await confirm.click();
    await expect(heading(phone.page, "Email confirmed")).toBeVisible();
  });

  await test.step("name and password are changed in place; a new password signs out everywhere", async () => {
    await signIn(page, right, password);
    await expect(page).toHaveURL(`${server.url}/profile`);
    await page.getByRole("link", { name: "Account settings" }).click();
    await expect(heading(page, "Account settings")).toBeVisible();
    const name = card(page, "Name");
    await name.getByLabel("Full Name").fill("Bukola Ade");
    await button(page, "Save name").click();
    await says(page, "Name changed");
    await card(page, "Password").getByLabel("Current Password").fill(password);
    await card(page, "Password").getByLabel("New Password").fill(newPassword);
    await button(page, "Change password").click();
    await says(page, "Password changed");
    await expect(page).toHaveURL(`${server.url}/login`);
    await phone.page.goto("/profile");
    await expect(phone.page).toHaveURL(/\/login/);
  });

  await test.step("sign-ins are listed by device, and one is ended with the password", async () => {
    await signIn(phone.page, right, newPassword);
    await expect(heading(phone.page, "My Profile")).toBeVisible();
    await signIn(page, right, newPassword);
    await expect(heading(page, "My Profile")).toBeVisible();
    await page.goto("/profile/account");
    const list = card(page, "Sign-ins").getByRole("listitem");
    await expect(list).toHaveCount(2);
    await expect(list.first()).toContainText("This device");
    await page.getByRole("button", { name: /^Sign out Chrome on / }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Current Password")).toBeFocused();
    const end = dialog.getByRole("button", { name: "Sign out", exact: true });
    await end.click();
    await expect(dialog.getByText("Enter your current password.")).toBeVisible();
    await dialog.getByLabel("Current Password").fill(newPassword);
    await end.click();
    await expect(dialog).toBeHidden();
    await expect(list).toHaveCount(1);
    await phone.page.mouse.move(50, 50);
    await expect(phone.page).toHaveURL(/\/login/);
  });

  await test.step("the email changes by the link at the new address, and the old one is told", async () => {
    const email = card(page, "Email");
    await email.getByLabel("New Email").fill(moved);
    await email.getByLabel("Current Password").fill("Wrong-guess-1");
    await button(page, "Change email").click();
    await expect(email.getByText("Your current password is not right.")).toBeVisible();
    await email.getByLabel("Current Password").fill(newPassword);
    await button(page, "Change email").click();
    await expect(email.getByText(`Waiting for ${moved}`)).toBeVisible();
    const link = await linkMailedTo(moved, "email_change");
    await phone.page.goto(link);
    await expect(heading(phone.page, "Confirm your new email")).toBeVisible();
    // Opening it has changed nothing.
    await page.reload();
    await expect(email.getByText(`Waiting for ${moved}`)).toBeVisible();
    await phone.page.getByLabel("Password of that account").fill(newPassword);
    await button(phone.page, "Change email").click();
    await expect(heading(phone.page, "Email changed")).toBeVisible();
    await phone.page.goto("about:blank");
    await phone.page.goto(link);
    await expect(heading(phone.page, "This link did not work")).toBeVisible();
    const isNotice = ({ subject = "" }) => subject === "Your Gona email was changed";
    expect((await server.mail.waitFor(isNotice)).recipients).toEqual([right]);
  });

  await test.step("the data are downloaded, and the account is closed by typed words", async () => {
    // The session that asked for the change was another one: it has ended.
    await page.goto("/profile");
    await expect(page).toHaveURL(/\/login/);
    await signIn(page, moved, newPassword);
    await expect(heading(page, "My Profile")).toBeVisible();
    await page.goto("/profile/account");
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Download my data").click()]);
    expect(file.suggestedFilename()).toMatch(/^gona-my-data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(data.account).toMatchObject({ email: moved, fullName: "Bukola Ade" });
    await says(page, "Your data were downloaded");
    const close = card(page, "Close account");
    await button(page, "Close my account").click();
    await expect(button(page, "Close for good")).toBeDisabled();
    await close.getByLabel('Type "close my account"').fill("close my account");
    await close.getByLabel("Current Password").fill(newPassword);
    await expectSound(page);
    await button(page, "Close for good").click();
    await says(page, "Your account is closed");
    await expect(page).toHaveURL(`${server.url}/`);
    const isLast = ({ subject = "" }) => subject === "Your Gona account is closed";
    expect((await server.mail.waitFor(isLast)).recipients).toEqual([moved]);
    await signIn(page, moved, newPassword);
    await expect(page.getByText("Invalid email or password.")).toBeVisible();
  });
  expect([...problems, ...phone.problems]).toEqual([]);
});
