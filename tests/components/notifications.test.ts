import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { backer, noConnection, openScreen } from "#tests/support/app-screen.ts";

/** The bell, where nothing comes from the server. */

const bell = page.getByRole("button", { name: /^Notifications/ });
const panel = page.getByRole("region", { name: "Notifications" });

test("notifications that can't be fetched are said to be so", async () => {
  const { answers } = await openScreen("/cookies", { ...backer, "notifications.newest": noConnection });
  await bell.click();
  await expect.element(panel.getByText("Unable to fetch notifications", { exact: true })).toBeVisible();
  answers["notifications.newest"] = { items: [], unreadCount: 0 };
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect.element(panel.getByText("No notifications", { exact: true })).toBeVisible();
});
