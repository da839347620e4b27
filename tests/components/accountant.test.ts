import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { permissionsOf } from "#shared/permissions.ts";
import { type Answers, openScreen, owner, says } from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** The screens of administrators with a grant: all that they may read, and no button that would be refused. */

const viewerOf = (grant: "accountant" | "cashier"): Answers => ({
  ...owner,
  "auth.viewer": {
    ...(owner["auth.viewer"] as Record<string, unknown>),
    permissions: permissionsOf({ isAdmin: true, roles: [], grants: [grant] }),
  } as NonNullable<Answers["auth.viewer"]>,
});
const listed = { items: [payment], nextCursor: null, canProcess: false, isBankKnown: false, unseenLimit: null };
const menu = async () => {
  const links = page.getByRole("navigation", { name: "Admin", exact: true }).getByRole("link");
  await expect.element(links.first()).toBeVisible();
  return links.elements().map((link) => link.textContent);
};

test("an accountant has the way to all money and to the log, and only looks", async () => {
  const { calls } = await openScreen("/admin/payouts", {
    ...viewerOf("accountant"),
    "payouts.due": { payouts: [], ownAccounts: [] },
  });
  await says("Nothing is due");
  expect(await menu()).toEqual(["Dashboard", "Payments", "Bank", "Payouts", "Papers", "Books", "Audit log"]);
  expect(page.getByRole("button", { name: /run|withhold/i }).elements()).toEqual([]);
  expect(calls).not.toContain("secondPerson.list");
});

test("a cashier has the way to payments and the bank", async () => {
  await openScreen("/admin/payments", {
    ...viewerOf("cashier"),
    "payments.list": listed,
    "payments.statusCounts": { pending: 1, approved: 0, rejected: 0, late: 0 },
    "payments.projects": { items: [] },
  });
  expect(await menu()).toEqual(["Dashboard", "Payments", "Bank", "Papers"]);
  expect(page.getByRole("row").getByRole("combobox").elements()).toEqual([]);
});

test("the settings are the log alone for an accountant", async () => {
  const { calls } = await openScreen("/admin/settings", {
    ...viewerOf("accountant"),
    "auditLog.list": { items: [], total: 0, isCapped: false },
    "auditLog.filters": { actions: [], users: [] },
  });
  await expect.element(page.getByRole("heading", { name: "Audit log", level: 1 })).toBeVisible();
  expect(page.getByRole("tab").elements()).toHaveLength(1);
  expect(calls).not.toContain("settings.list");
});
