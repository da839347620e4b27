import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { alerts, dialog, hasHeading, openScreen, owner, press, serverFault } from "#tests/support/app-screen.ts";
import { createdAt, dashboardProject, person } from "#tests/support/screen-samples.ts";

/** The administrators' list of people, where the server fails. */

const users = "/admin/settings?tab=users";

test("people who can't be fetched come with another try, also the further ones", async () => {
  const { answers } = await openScreen(users, { ...owner, "users.list": serverFault });
  await hasHeading("Failed to load users. Please try again.");
  answers["users.list"] = ({ cursor }) => (cursor ? serverFault : { items: [person], nextCursor: "more" });
  await press("Try again");
  await press("Load more users");
  await alerts("Failed to fetch users");
  const further = { ...person, id: "00000000-0000-4000-8000-000000000009", fullName: "Efe Okoro" };
  answers["users.list"] = ({ cursor }) =>
    cursor ? { items: [further], nextCursor: null } : { items: [person], nextCursor: "more" };
  await press("Load more users");
  await expect.element(page.getByText(further.fullName)).toBeVisible();
});

test.each([
  [false, "Block", "users.block", "Failed to block user"],
  [true, "Unblock", "users.unblock", "Failed to unblock user"],
] as const)("blocked %s: %s that fails is told", async (isBlocked, action, procedure, text) => {
  await openScreen(users, {
    ...owner,
    "users.list": { items: [{ ...person, isBlocked }], nextCursor: null },
    [procedure]: serverFault,
  });
  await press(`${action} ${person.fullName}`);
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await alerts(text);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("what somebody backs comes with another try", async () => {
  const { answers } = await openScreen(`/admin/user-projects/${person.id}`, {
    ...owner,
    "users.byId": { ...person, isAdmin: false, closedAt: null },
    "users.backedProjects": serverFault,
  });
  await hasHeading("Failed to fetch backed projects");
  const { creator: _, backerName: __, ...backed } = dashboardProject;
  answers["users.backedProjects"] = { items: [{ ...backed, backingId: 1, backedAt: createdAt }], nextCursor: null };
  await page
    .getByRole("alert")
    .filter({ hasText: "Failed to fetch backed projects" })
    .getByRole("button", { name: "Try again" })
    .click();
  await expect.element(page.getByText(backed.title)).toBeVisible();
});
