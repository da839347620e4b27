import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { backer, noConnection, nonsense, openScreen, refusal, serverFault } from "#tests/support/app-screen.ts";

/** The sign-up form's messages when the server doesn't answer as it should. */

const password = "Cassava-Harvest-2027";
const fullName = page.getByLabelText("Full Name");
const email = page.getByLabelText("Email");
const passwordField = page.getByRole("textbox", { name: "Password" });
const terms = page.getByLabelText("I agree to the terms of service");
const create = page.getByRole("button", { name: "Create Account" });
const says = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();

async function fillIn() {
  await fullName.fill("Ada Obi");
  await email.fill("unlucky@example.com");
  await passwordField.fill(password);
  await terms.click();
}

async function expectKept() {
  await expect.element(fullName).toHaveValue("Ada Obi");
  await expect.element(email).toHaveValue("unlucky@example.com");
  await expect.element(passwordField).toHaveValue(password);
  await expect.element(terms).toBeChecked();
}

test("a failure says what failed, and keeps what was typed", async () => {
  const { answers, path } = await openScreen("/signup", { "auth.signUp": noConnection });
  await fillIn();
  await create.click();
  await says("Network error. Please check your internet connection.");
  answers["auth.signUp"] = serverFault;
  await create.click();
  await says("Failed to create account. Please try again.");
  await says("Something went wrong. Please try again later.");
  await expectKept();
  answers["auth.signUp"] = nonsense;
  await create.click();
  await says("An unknown error occurred.");
  answers["auth.signUp"] = { isSignedIn: true };
  await create.click();
  await says("Account created");
  await expect.poll(path).toBe("/");
});

test("the meter names the strength and what is missing, and the button waits for a good password", async () => {
  const rules = {
    length: "Password must be at least 8 characters long",
    upper: "Password should contain at least one uppercase letter",
    lower: "Password should contain at least one lowercase letter",
    number: "Password should contain at least one number",
    special: "Password should contain at least one special character",
  };
  await openScreen("/signup");
  await expect.element(create).toBeDisabled();
  const cases = [
    ["farm", "Very Weak", ["lower"], false],
    ["Farm", "Weak", ["upper", "lower"], false],
    ["farmfarmfarm", "Weak", ["length", "lower"], false],
    ["Farm1", "Moderate", ["upper", "lower", "number"], false],
    ["Farmfarm1", "Moderate", ["length", "upper", "lower", "number"], true],
    ["Farm-1", "Strong", ["upper", "lower", "number", "special"], false],
    ["Farmfarm-2027", "Very Strong", Object.keys(rules), true],
  ] as const;
  for (const [typed, label, met, isEnough] of cases) {
    await passwordField.fill(typed);
    await says(`Password strength: ${label}`);
    const wanted = Object.entries(rules).map(([rule, text]) =>
      (met as readonly string[]).includes(rule) ? `${text} (done)` : text,
    );
    const shown = () => page.getByRole("main").getByRole("listitem").elements();
    await expect.poll(() => shown().map(({ textContent }) => textContent)).toEqual(wanted);
    if (isEnough) await expect.element(create).toBeEnabled();
    else await expect.element(create).toBeDisabled();
  }
});

test("every field that is wrong says why, and the first one has the keyboard", async () => {
  const { answers, calls } = await openScreen("/signup");
  await passwordField.fill(password);
  await create.click();
  for (const text of ["Full name is required", "Valid email is required", "You must agree to the terms of service"]) {
    await says(text);
  }
  await expect.element(fullName).toHaveFocus();
  expect(calls).not.toContain("auth.signUp");
  await fillIn();
  for (const [text, fields] of [
    ["This password is easy to guess: it is made of the name of this site.", "password"],
    ["An account with this email already exists.", "email"],
    ["Form submission failed. Please refresh the page and try again.", null],
  ] as const) {
    answers["auth.signUp"] = refusal("invalid", 400, text, fields ? { fields: { [fields]: [text] } } : {});
    await create.click();
    await says(text);
    await expectKept();
  }
});

test("without the form's token nothing is sent, and it says so", async () => {
  const { answers, calls } = await openScreen("/signup", {
    "auth.formToken": serverFault,
    "auth.signUp": { isSignedIn: true },
  });
  await fillIn();
  await create.click();
  await says("Failed to sign up. Please try again.");
  await expectKept();
  expect(calls).not.toContain("auth.signUp");
  answers["auth.formToken"] = { token: "a form's token" };
  await create.click();
  await says("Account created");
});

test("an account that is there is not asked for again, if only the look at its session fails", async () => {
  const { answers, path } = await openScreen("/signup", { "auth.signUp": { isSignedIn: true } });
  await fillIn();
  answers["auth.viewer"] = serverFault;
  await create.click();
  await says("Account created");
  await says("You can sign in now.");
  await expect.poll(path).toBe("/");
});

test("whoever came to back a project reads why, and goes on there", async () => {
  const sent: unknown[] = [];
  const { answers, path } = await openScreen("/signup?next=%2Fback-project%2F3", {
    "auth.signUp": (input) => {
      sent.push(input.next);
      Object.assign(answers, backer, { "payments.open": refusal("not_found", 404) });
      return { isSignedIn: true };
    },
  });
  await says("Create an account to hold lots. Then you go on where you were.");
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Sign in" }))
    .toHaveAttribute("href", "/login?next=%2Fback-project%2F3");
  await fillIn();
  await create.click();
  await expect.poll(path).toBe("/back-project/3");
  expect(sent).toEqual(["/back-project/3"]);
});

test("an address of another site is never followed", async () => {
  const { path } = await openScreen("/signup?next=%2F%2Fevil.example", { "auth.signUp": { isSignedIn: true } });
  await fillIn();
  await create.click();
  await expect.poll(path).toBe("/");
});
