import { describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { authTexts } from "#shared/accounts/inputs.ts";
import {
  type Answers,
  backer,
  noConnection,
  nonsense,
  openScreen,
  press,
  refusal,
  serverFault,
} from "#tests/support/app-screen.ts";

/** The sign-in forms' messages when the server doesn't answer as it should. */

const doors = [
  {
    path: "/login",
    procedure: "auth.signIn",
    network: "Network error. Please check your internet connection.",
    fault: "Something went wrong. Please try again later.",
    nothing: "An unknown error occurred.",
  },
  {
    path: "/admin/login",
    procedure: "auth.adminSignIn",
    network: "Network error. Please check your connection and try again.",
    fault: "Invalid credentials",
    nothing: "Invalid credentials",
  },
] as const;

const email = page.getByLabelText("Email");
const password = page.getByRole("textbox", { name: "Password" });
const submit = page.getByRole("button", { name: "Sign In" });
const says = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();

for (const { path, procedure, network, fault, nothing } of doors) {
  test(`${path} asks for both fields, and says what fails without losing what was typed`, async () => {
    const { answers } = await openScreen(path);
    await submit.click();
    await says("Email and password are required");
    for (const field of [email, password]) await expect.element(field).toHaveAttribute("aria-invalid", "true");
    await expect.element(email).toHaveAccessibleDescription("Enter your email");
    await expect.element(password).toHaveAccessibleDescription("Enter your password");
    await expect.element(email).toHaveFocus();
    await email.fill("ada@example.com");
    await submit.click();
    await says("Email and password are required");
    await expect.element(email).not.toHaveAttribute("aria-invalid", "true");
    await expect.element(password).toHaveFocus();
    await email.fill("   ");
    await password.fill("Wrong-guess-1");
    await submit.click();
    await says("Email and password are required");
    await expect.element(email).toHaveFocus();

    await email.fill("guest@example.com");
    await password.fill("Catfish-Pond-42");
    answers[procedure] = noConnection;
    await submit.click();
    await says(network);
    answers[procedure] = serverFault;
    await submit.click();
    await says(fault);
    await expect.element(page.getByText(network, { exact: true })).not.toBeInTheDocument();
    answers[procedure] = nonsense;
    await submit.click();
    await says(nothing);
    await expect.element(email).toHaveValue("guest@example.com");
    await expect.element(password).toHaveValue("Catfish-Pond-42");
  });

  test(`${path} shows that it is waiting`, async () => {
    const failed = Promise.withResolvers<typeof serverFault>();
    await openScreen(path, { [procedure]: () => failed.promise });
    await says("Or continue with email");
    await email.fill("somebody@example.com");
    await password.fill("Wrong-guess-1");
    await submit.click();
    await expect.element(page.getByRole("button", { name: "Signing in..." })).toBeVisible();
    failed.resolve(serverFault);
    await says(fault);
  });

  test(`${path} lets nobody try on from an address that failed too often, and stays usable`, async () => {
    const text = "Too many attempts. Please try again later.";
    await openScreen(path, { [procedure]: refusal("rate_limited", 429, text) });
    await email.fill("somebody@example.com");
    await password.fill("Catfish-Pond-42");
    await submit.click();
    await says(text);
    await expect.element(page.getByText("Account temporarily locked")).not.toBeInTheDocument();
    await expect.element(submit).toBeEnabled();
  });
}

test.each(["/login", "/admin/login", "/signup"])(
  "%s disables Google's button where the site has none, and says why from the beginning",
  async (path) => {
    await openScreen(path, {}, {}, { hasGoogleSignIn: false });
    await expect.element(email).toBeVisible();
    expect(page.getByText(authTexts.googleNotConfigured).elements()).toHaveLength(1);
    const google = page.getByRole("button", { name: /with Google$/ });
    await expect.element(google).toBeDisabled();
    await expect.element(google).toHaveAccessibleDescription(authTexts.googleNotConfigured);
  },
);

test.each([
  ["/login#google=limited", "Too many attempts. Please try again later."],
  ["/signup#google=failed", "Failed to sign up with Google"],
  ["/admin/login#google=failed", "Failed to sign in with Google"],
])("%s tells how the way to Google ended", async (path, text) => {
  await openScreen(path);
  await says(text);
});

test("the code is asked for after the password; starting over keeps the address, and a step that is over says so", async () => {
  const text = "This sign-in took too long or was already used. Please sign in again.";
  const { answers } = await openScreen("/admin/login", {
    "auth.adminSignIn": { isAdmin: true, needsCode: true },
    "auth.signOut": undefined,
  });
  await email.fill("guest@example.com");
  await password.fill("Catfish-Pond-42");
  await submit.click();
  const code = page.getByLabelText("Code from the app");
  await expect.element(code).toHaveFocus();
  await press("Start over");
  await expect.element(email).toHaveValue("guest@example.com");
  await password.fill("Catfish-Pond-42");
  await submit.click();
  answers["auth.verifySecondFactor"] = refusal("unauthenticated", 401, text);
  await code.fill("123456");
  await press("Verify");
  await says(text);
  await expect.element(email).toHaveValue("guest@example.com");
});

describe("the session", () => {
  const profile: Answers = { ...backer, "backings.mine": { items: [], nextCursor: null } };

  test("goes on where signing out fails, and says so", async () => {
    const { answers, path } = await openScreen("/profile", profile);
    for (const failure of [noConnection, serverFault]) {
      answers["auth.signOut"] = failure;
      await press("Log Out");
      await says("Failed to sign out. Please try again.");
      expect(path()).toBe("/profile");
      await press("Dismiss message");
    }
    answers["auth.signOut"] = () => {
      answers["auth.viewer"] = null;
      return undefined;
    };
    await press("Log Out");
    await expect.poll(path).toBe("/login");
  });

  test("that another tab has ended by its clock is over here too, and says why", async () => {
    const { answers, path } = await openScreen("/profile", profile);
    await expect.element(page.getByRole("button", { name: "Log Out" })).toBeVisible();
    answers["auth.viewer"] = null;
    answers["auth.endReason"] = "expired";
    await vi.dynamicImportSettled();
    await expect
      .poll(() => {
        new BroadcastChannel("session").postMessage("expired");
        return path();
      })
      .toBe("/login");
    await says("Your session timed out due to inactivity. Please log in again.");
  });

  test("that can't be looked up is told of, once, on a page that needs none", async () => {
    const text = "Failed to initialize authentication";
    const { answers, path } = await openScreen("/", { "auth.viewer": serverFault });
    await says(text);
    await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
    await press("Dismiss message");
    answers["auth.viewer"] = null;
    await page.getByRole("banner").getByRole("link", { name: "Login" }).first().click();
    await expect.poll(path).toBe("/login");
    await expect.element(submit).toBeEnabled();
    await expect.element(page.getByText(text, { exact: true })).not.toBeInTheDocument();
  });
});
