import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { backer, fitsPhone, noConnection, openScreen, written } from "#tests/support/app-screen.ts";

/** The bell, its page and the choice of emails. */

const bell = page.getByRole("button", { name: /^Notifications/ });
const panel = page.getByRole("region", { name: "Notifications" });

test("notifications that can't be fetched are said to be so", async () => {
  const { answers } = await openScreen("/trust-safety", { ...backer, "notifications.newest": noConnection });
  await bell.click();
  await expect.element(panel.getByText("Unable to fetch notifications", { exact: true })).toBeVisible();
  answers["notifications.newest"] = { items: [], unreadCount: 0 };
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect.element(panel.getByText("No notifications", { exact: true })).toBeVisible();
});

test("more than 99 are 99+, all count as read once they are seen, and a moment that can't be read is unknown", async () => {
  const items = Array.from({ length: 5 }, (_, id) => ({
    id,
    kind: "project_update" as const,
    title: `Report ${id}`,
    content: "The pond is full.",
    projectId: null,
    isRead: false,
    isBacked: false,
    createdAt: "nonsense",
  }));
  const meta = { values: Object.fromEntries(items.map(({ id }) => [`items.${id}.createdAt`, ["Date"]])), v: 1 };
  const { answers } = await openScreen("/trust-safety", {
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

test("what tells of money that is paid leads to the tab Money, whatever farm it is of", async () => {
  const about = {
    id: 1,
    kind: "payment_status" as const,
    title: "Refund due",
    content: "Tell us where to.",
    projectId: 7,
    isRead: true,
    isBacked: true,
    createdAt: new Date("2026-11-23T09:00:00Z"),
  };
  await openScreen("/notifications", {
    ...backer,
    "notifications.list": {
      items: [
        { ...about, isAboutMoney: true },
        { ...about, id: 2, title: "Refund taken back", isAboutMoney: false },
      ],
      nextCursor: null,
    },
  });
  const leadsTo = (title: RegExp, address: string) =>
    expect.element(page.getByRole("main").getByRole("link", { name: title })).toHaveAttribute("href", address);
  await leadsTo(/^Refund due/, "/profile?tab=money");
  await leadsTo(/^Refund taken back/, "/backed-project/7");
});

test("a person without notifications reads so", async () => {
  const none = { ...backer, "notifications.list": { items: [], unreadCount: 0, nextCursor: null } };
  await openScreen("/notifications", none);
  await expect.element(page.getByRole("main").getByText("No notifications", { exact: true })).toBeVisible();
  await fitsPhone();
  await bell.click();
  await expect.element(panel.getByText("No notifications", { exact: true })).toBeVisible();
  await fitsPhone();
  await userEvent.keyboard("{Escape}");
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell).toHaveFocus();
});

describe("emails", () => {
  const card = page.getByRole("region", { name: "Emails" });
  const updates = card.getByRole("switch", { name: /^Project updates/ });
  const chosen = (isMailed: boolean) => [
    { kind: "project_update" as const, isAlways: false, isMailed },
    { kind: "payment_status" as const, isAlways: true, isMailed: true },
  ];
  test("are chosen in the account settings, but for those that always come", async () => {
    const stored: object[] = [];
    const { reload } = await openScreen("/profile/account", {
      ...backer,
      "notifications.mailPreferences": () => chosen(stored.length === 0),
      "notifications.setMailPreference": (choice) => {
        stored.push(choice);
        return undefined;
      },
    });
    await expect.element(updates).toBeChecked();
    await expect.poll(() => card.getByText("Always on").elements().length).toBe(2);
    await updates.click();
    await expect.element(updates).not.toBeChecked();
    await expect.poll(() => stored).toEqual([{ kind: "project_update", isMailed: false }]);
    await fitsPhone();
    await reload();
    await expect.element(updates).not.toBeChecked();
  });

  test("chosen twice in haste, the last choice stays: it is sent once the first one is answered", async () => {
    const first = Promise.withResolvers<undefined>();
    const events: string[] = [];
    await openScreen("/profile/account", {
      ...backer,
      "notifications.mailPreferences": chosen(false),
      "notifications.setMailPreference": async ({ isMailed }) => {
        events.push(isMailed ? "on" : "off");
        if (isMailed) await first.promise;
        events.push("answered");
        return undefined;
      },
    });
    await updates.click();
    await expect.poll(() => events).toEqual(["on"]);
    await expect.element(updates).toBeChecked();
    await updates.click();
    await expect.element(updates).not.toBeChecked();
    expect(events).toEqual(["on"]);
    first.resolve(undefined);
    await expect.poll(() => events).toEqual(["on", "answered", "off", "answered"]);
    await expect.element(updates).not.toBeChecked();
  });
});
