import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { noConnection, openScreen, refusal } from "#tests/support/app-screen.ts";

/** The forgotten-password pages' messages when the server doesn't answer as it should. */

const fault = refusal("internal", 500);
const says = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();

test("a fault of the server, or no connection, is said in the page's own words, and the address stays", async () => {
  const { answers } = await openScreen("/forgot-password", { "auth.requestPasswordReset": fault });
  const email = page.getByLabelText("Email");
  const send = page.getByRole("button", { name: "Send Reset Link" });
  await email.fill("ada@example.com");
  await send.click();
  await says("Failed to send reset link");
  await expect.element(email).toHaveValue("ada@example.com");
  answers["auth.requestPasswordReset"] = noConnection;
  await send.click();
  await says("Network error. Please check your internet connection.");
  await expect.element(email).toHaveValue("ada@example.com");
});

test("a new password that can't be stored stays typed", async () => {
  await openScreen(`/reset-password#type=recovery&access_token=${"0".repeat(64)}`, { "auth.resetPassword": fault });
  const password = page.getByLabelText("New Password", { exact: true });
  await password.fill("Cassava-Harvest-2027");
  await page.getByLabelText("Confirm Password", { exact: true }).fill("Cassava-Harvest-2027");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await says("Failed to reset password");
  await expect.element(password).toHaveValue("Cassava-Harvest-2027");
});

test("the success can be read for a second before the sign-in page comes", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const { path } = await openScreen(`/reset-password#type=recovery&access_token=${"0".repeat(64)}`, {
    // From here on the page's timers stand until the test moves them.
    "auth.resetPassword": () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }),
  });
  await page.getByLabelText("New Password", { exact: true }).fill("Cassava-Harvest-2027");
  await page.getByLabelText("Confirm Password", { exact: true }).fill("Cassava-Harvest-2027");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await says("We are taking you to the sign-in page.");
  await says("Your password has been successfully reset.");
  vi.advanceTimersByTime(999);
  vi.useRealTimers();
  expect(path()).toBe("/reset-password");
});
