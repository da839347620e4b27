import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { noConnection, openScreen } from "#tests/support/app-screen.ts";

test("a question of the human check that can't be loaded is asked again on demand", async () => {
  const { answers } = await openScreen("/contact", { "auth.humanCheck": noConnection });
  await page.getByLabelText("I am not a robot").click();
  await expect.element(page.getByText("The question could not be loaded.")).toBeVisible();
  answers["auth.humanCheck"] = { first: 3, second: 4, challenge: "a challenge" };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByLabelText("What is 3 + 4?")).toBeVisible();
});
