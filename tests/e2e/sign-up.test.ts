import { type Browser, expect, type Page } from "playwright/test";
import { limitRate } from "#server/platform/rate-limit.ts";
import { test } from "#tests/support/browser-test.ts";
import { createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededServer, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { callOf, newVisitor } from "#tests/support/visitor.ts";

// Every message of the sign-up page, each provoked by its cause.

const HOME = "127.0.0.1";
const CROWD = "198.51.100.99";
let server: SeededServer<{ taken: TestUser }>;

test.beforeAll(async () => {
  server = await startSeededServer(
    async (deps) => {
      for (let time = 0; time < 60; time += 1) {
        await limitRate(deps, `sign-up:${CROWD}`, { hits: 60, windowSeconds: 3600 });
      }
      return { taken: await createUser(deps.db) };
    },
    { TRUST_PROXY: HOME, REQUIRE_EMAIL_CONFIRMATION: "true" },
  );
});
test.afterAll(async () => server.stop());

const password = "Cassava-Harvest-2027";
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const create = (page: Page) => page.getByRole("button", { name: "Create Account" });
const says = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();

async function visit(browser: Browser, options = {}) {
  const visitor = await newVisitor(browser, { baseURL: server.url, ...options });
  // Asked for at once; its cookie must be there before the form is sent.
  const given = visitor.page.waitForResponse(callOf("auth.formToken"));
  await visitor.page.goto("/signup");
  await given;
  return visitor;
}

async function fillIn(page: Page, email: string) {
  await page.getByLabel("Full Name").fill("Ada Obi");
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(password);
  await page.getByLabel("I agree to the terms of service").check();
}

async function expectKept(page: Page, email: string) {
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Obi");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(passwordField(page)).toHaveValue(password);
  await expect(page.getByLabel("I agree to the terms of service")).toBeChecked();
}

/** The page that stays until the address is confirmed. */
async function expectSent(page: Page, email: string) {
  await expect(page.getByRole("heading", { level: 1, name: "Check your email" })).toBeVisible();
  await expect(page.getByText("Please check your email to confirm your account.")).toBeVisible();
  await expect(page.getByRole("main").getByText(email, { exact: true })).toBeVisible();
}

test("the meter names the strength and what is missing, and the button waits for a good password", {
  tag: "@nightly",
}, async ({ browser }) => {
  const { page, problems } = await visit(browser);
  const rules = {
    length: "Password must be at least 8 characters long",
    upper: "Password should contain at least one uppercase letter",
    lower: "Password should contain at least one lowercase letter",
    number: "Password should contain at least one number",
    special: "Password should contain at least one special character",
  };
  const list = page.getByRole("main").getByRole("listitem");
  await expect(list).toHaveText(Object.values(rules));
  await expect(create(page)).toBeDisabled();
  const cases = [
    ["farm", "Very Weak", ["lower"], false],
    ["Farm", "Weak", ["upper", "lower"], false],
    ["farmfarmfarm", "Weak", ["length", "lower"], false],
    ["Farm1", "Moderate", ["upper", "lower", "number"], false],
    ["Farmfarm1", "Moderate", ["length", "upper", "lower", "number"], true],
    ["Farm-1", "Strong", ["upper", "lower", "number", "special"], false],
    ["Farmfarm-1", "Strong", ["length", "upper", "lower", "number", "special"], true],
    ["Farmfarm-2027", "Very Strong", ["length", "upper", "lower", "number", "special"], true],
  ] as const;
  for (const [typed, label, met, isEnough] of cases) {
    await passwordField(page).fill(typed);
    await expect(page.getByText(`Password strength: ${label}`, { exact: true })).toBeVisible();
    const texts = Object.entries(rules).map(([rule, text]) =>
      (met as readonly string[]).includes(rule) ? `${text} (done)` : text,
    );
    await expect(list).toHaveText(texts);
    await expect(create(page)).toBeEnabled({ enabled: isEnough });
  }
  await expectSound(page);
  expect(problems).toEqual([]);
});

test("every field that is wrong says why, and the first one has the keyboard", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { page, problems } = await visit(browser);
  await passwordField(page).fill(password);
  await create(page).click();
  await says(page, "Full name is required");
  await says(page, "Valid email is required");
  await says(page, "You must agree to the terms of service");
  await expect(page.getByLabel("Full Name")).toBeFocused();
  await expectSound(page);
  expect(problems).toEqual([]);
});

test("a password that meets the requirements and is easy to guess is refused, with the reason", {
  tag: "@nightly",
}, async ({ browser }) => {
  const { page } = await visit(browser);
  await fillIn(page, "careful@example.com");
  await passwordField(page).fill("Gona2026!!");
  await create(page).click();
  const reason = "This password is easy to guess: it is made of the name of this site.";
  await says(page, reason);
  await expect(passwordField(page)).toBeFocused();
  await expect(passwordField(page)).toHaveValue("Gona2026!!");
  await expect(page.getByLabel("Email")).toHaveValue("careful@example.com");
  await expectSound(page);
  await passwordField(page).fill(password);
  await create(page).click();
  await expectSent(page, "careful@example.com");
});

test("an address has one account, whatever its case", { tag: "@nightly" }, async ({ browser }) => {
  const { page } = await visit(browser);
  const email = server.prepared.taken.email.toUpperCase();
  await fillIn(page, email);
  await create(page).click();
  await says(page, "An account with this email already exists.");
  await expectKept(page, email);
});

test("a form whose token is not the cookie's is refused, and taken after a reload", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { page, problems } = await visit(browser);
  await fillIn(page, "forged@example.com");
  await page.context().clearCookies({ name: "form-token" });
  await create(page).click();
  await says(page, "Form submission failed. Please refresh the page and try again.");
  await expectKept(page, "forged@example.com");

  const given = page.waitForResponse(callOf("auth.formToken"));
  await page.reload();
  await given;
  await fillIn(page, "forged@example.com");
  await create(page).click();
  await expectSent(page, "forged@example.com");
  await page.goto("/login");
  await page.getByLabel("Email").fill("forged@example.com");
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await says(page, "Please check your email to confirm your account.");
  expect(problems).toEqual([]);
});

test("after a sign-up the page stays: it names the address, sends the link again and corrects the address", async ({
  browser,
}) => {
  const { page, problems } = await visit(browser);
  const [mistyped, right] = ["ngozi@exmaple.com", "ngozi@example.com"];
  await fillIn(page, mistyped);
  await create(page).click();
  await expectSent(page, mistyped);
  await expectSound(page);
  await page.reload();
  await expectSent(page, mistyped);
  expect(page.url()).toBe(`${server.url}/signup`);

  const again = page.getByRole("button", { name: "Send the link again" });
  for (let time = 0; time < 3; time += 1) {
    const answered = page.waitForResponse(callOf("auth.resendConfirmation"));
    await again.click();
    await answered;
    await says(page, "If this address has an account that waits for confirmation, we have sent a new link.");
  }
  await again.click();
  await says(page, "The link was not sent. Too many attempts. Please try again later.");

  await page.getByRole("button", { name: "Correct the address" }).click();
  const address = page.getByLabel("Right email");
  await expect(address).toBeFocused();
  await expect(address).toHaveValue(mistyped);
  const send = page.getByRole("button", { name: "Send the link there" });
  await passwordField(page).fill("Wrong-guess-1");
  await send.click();
  await says(page, "This is the address that you have given.");
  await address.fill(server.prepared.taken.email);
  await send.click();
  await says(page, "This is not the password of that account.");
  await passwordField(page).fill(password);
  await send.click();
  await says(page, "An account with this email already exists.");
  await expect(passwordField(page)).toHaveValue(password);
  await expectSound(page);
  await address.fill(right);
  await send.click();
  await expectSent(page, right);
  await page.reload();
  await expectSent(page, right);

  await page.getByRole("button", { name: "Make another account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Create your account" })).toBeVisible();
  expect(problems.filter((problem) => !/status of 4(00|09|29)/.test(problem))).toEqual([]);
});

test("too many sign-ups from one address are refused", { tag: "@nightly" }, async ({ browser }) => {
  const { page } = await visit(browser, { extraHTTPHeaders: { "x-forwarded-for": CROWD } });
  await fillIn(page, "late@example.com");
  await create(page).click();
  await says(page, "Too many attempts. Please try again later.");
  await expectKept(page, "late@example.com");
});
