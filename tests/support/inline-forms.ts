import { expect } from "vitest";
import { type Locator, userEvent } from "vitest/browser";
import { dialog, press } from "./app-screen.ts";

/**
 * An open form in the place of its button is left by Escape and by a press, with the keyboard alone: what it lies in
 * stays open, and the keyboard is on its button again each time. Leaves it open as it was.
 */
export async function leavesTo(opener: Locator, cancel = "Cancel"): Promise<void> {
  await userEvent.keyboard("{Escape}");
  await expect.element(opener).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(dialog.getByRole("button", { name: cancel, exact: true })).toBeVisible();
  await press(cancel);
  await expect.element(opener).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(dialog.getByRole("button", { name: cancel, exact: true })).toBeVisible();
}
