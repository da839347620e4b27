import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { secondFactorRequired } from "#shared/accounts/sessions.ts";
import { type Answers, openScreen, owner, refusal, says } from "#tests/support/app-screen.ts";

/** A second factor that is made mandatory while an administrator has a page open. */

const refused = refusal("forbidden", 403, secondFactorRequired.refusal);
const without: Answers = {
  ...owner,
  "twoFactor.status": { enabledAt: null, recoveryCodesLeft: 0, isMandatory: true },
};

test("leads to the set-up at the first refusal, and says why", async () => {
  const { path } = await openScreen("/admin/dashboard", { ...without, "dashboard.projects": refused });
  await says("Two-factor sign-in is required");
  await expect.element(page.getByText("It is now mandatory for administrators.", { exact: false })).toBeVisible();
  await expect.poll(path).toBe("/admin/two-factor");
});

test("asks first where something was typed", async () => {
  const { answers, path } = await openScreen("/admin/dashboard", without);
  const search = page.getByPlaceholder("Search by title or backer...");
  await expect.element(page.getByText("No projects found")).toBeVisible();
  answers["dashboard.projects"] = refused;
  await search.fill("cows");
  const dialog = page.getByRole("dialog", { name: "Two-factor sign-in is required" });
  await expect.element(dialog.getByText("What you typed is still on this page.", { exact: false })).toBeVisible();
  expect(path()).toBe("/admin/dashboard");
  await dialog.getByRole("button", { name: "Stay on this page" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(search).toHaveValue("cows");
  await search.fill("dairy cows");
  await dialog.getByRole("button", { name: "Set it up now" }).click();
  await expect.poll(path).toBe("/admin/two-factor");
});
