import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { backer, noConnection, openScreen, written } from "#tests/support/app-screen.ts";

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

test("more than 99 are 99+, all count as read once they are seen, and a moment that can't be read is unknown", async () => {
  const items = Array.from({ length: 5 }, (_, id) => ({
    ...{ id, kind: "project_update" as const, title: `Report ${id}`, content: "The pond is full.", projectId: null },
    ...{ isRead: false, isBacked: false, createdAt: "nonsense" },
  }));
  const meta = { values: Object.fromEntries(items.map(({ id }) => [`items.${id}.createdAt`, ["Date"]])), v: 1 };
  const { answers } = await openScreen("/cookies", {
    ...backer,
    "notifications.newest": written({ json: { items, unreadCount: 100 }, meta }),
    "notifications.markAllRead": undefined,
  });
  await expect.element(bell).toHaveAccessibleName("Notifications, 99+ unread");
  await expect.element(bell.getByText("99+")).toBeVisible();
  answers["notifications.newest"] = written({ json: { items, unreadCount: 0 }, meta });
  await bell.click();
  await expect.poll(() => panel.getByRole("listitem").elements().length).toBe(5);
  await expect.poll(() => panel.getByText(/Unknown date/).elements().length).toBe(5);
  await expect.element(bell).toHaveAccessibleName("Notifications");
});
