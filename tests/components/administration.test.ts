import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterInputs } from "#client/lib/trpc.ts";
import { knownSettings } from "#shared/settings/texts.ts";
import {
  type Answers,
  backer,
  dialog,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { admin, createdAt, dashboardProject, invite, person, setting } from "#tests/support/screen-samples.ts";

/** The settings as owners use them and as others are kept out, while the server does as it is asked. */

const ownerViewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
const viewerOnly: Answers = { ...owner, "auth.viewer": { ...ownerViewer, permissions: ["projects:view"] } };
const rowOf = (text: string) => page.getByRole("row").filter({ hasText: text });
const headers = () => page.getByRole("columnheader").elements();
const texts = (elements: Element[]) => elements.map(({ textContent }) => textContent);

async function choose(who: string, action: string) {
  await press(`Actions for ${who}`);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test.each([
  ["a viewer", viewerOnly, "/admin/settings", "You don't have permission to access admin settings", "/admin/dashboard"],
  ["a backer", backer, "/admin/dashboard", "You do not have admin privileges", "/admin/login"],
  ["a backer", backer, "/admin/payments", "You must be an admin to access this page", "/"],
  ["nobody", {}, "/admin/applicants", "You must be an admin to access this page", "/"],
] as const)("%s may not open %s, and is told: %s", async (_, answers, address, text, target) => {
  const { path } = await openScreen(address, answers);
  await says(text);
  await expect.poll(path).toBe(target);
});

test("the session timeout is saved, and the session's end is told", async () => {
  await openScreen("/admin/settings", { ...owner, "settings.save": { wasAdded: false, wasChanged: true } });
  await expect.element(page.getByText(/^Your session expires: \d+ \w+ \d{4}, \d\d:\d\d WAT/)).toBeVisible();
  expect(texts(page.getByRole("tab").elements())).toEqual([
    ...["General Settings", "This site", "Admin Users", "All Users", "Roles", "Audit Logs"],
  ]);
  await page.getByLabelText("Timeout in minutes").fill("45");
  await press("Save timeout");
  await tells("Session Timeout Updated");
});

test("a setting is offered where something reads it and it isn't there yet, and is added and edited", async () => {
  const sent: unknown[] = [];
  const { answers } = await openScreen("/admin/settings", {
    ...owner,
    "settings.list": [{ ...setting, key: "platformfee" }],
    "settings.add": (input) => {
      sent.push(input);
      return { wasAdded: true, wasChanged: true };
    },
    // The support address is a part of the operator's profile.
    "settings.save": (input) => {
      sent.push(input?.values);
      return { wasAdded: false, wasChanged: true };
    },
  });
  await expect.element(rowOf("platformfee")).toBeVisible();
  expect(texts(headers())).toEqual(["Key", "Value", "Description", "Updated", "Actions"]);
  await press("Add Setting");
  await expect.element(dialog.getByLabelText("Key")).toBeVisible();
  const offered = texts([...dialog.getByLabelText("Key").element().querySelectorAll("option")]);
  expect(offered).toEqual(["Choose a setting", ...Object.keys(knownSettings).filter((key) => key !== "platformfee")]);
  await dialog.getByLabelText("Key").selectOptions("supportemail");
  await dialog.getByLabelText("Value").fill("desk@farm.example");
  answers["settings.list"] = [setting];
  await dialog.getByRole("button", { name: "Add Setting" }).click();
  await tells("New setting added");
  await press("Edit supportemail");
  await dialog.getByLabelText("Value").fill("office@farm.example");
  await dialog.getByRole("button", { name: "Save" }).click();
  await tells("Setting updated successfully");
  expect(sent).toMatchObject([
    { key: "supportemail", value: "desk@farm.example" },
    { supportemail: "office@farm.example" },
  ]);
});

test.each([
  ["Amina Sule", "Resend Invitation", "Resend Invitation", "team.resendInvite", "Invitation Resent"],
  ["Amina Sule", "Delete Invite", "Delete Invite", "team.removeInvite", "Invite Removed"],
  ["Ada Obi", "Reset Password", "Send Link", "admins.sendPasswordReset", "Password Reset Email Sent"],
  ["Ada Obi", "Deactivate", "Deactivate", "admins.deactivate", "Admin Deactivated"],
  ["Ada Obi", "Remove Admin", "Remove Admin", "admins.remove", "Admin Removed"],
  ["Ada Obi", "Sign Out Everywhere", "Sign Out", "users.endSessions", "Signed Out Everywhere"],
] as const)("of %s an owner chooses %s, and is told when it is done", async (who, action, confirm, procedure, text) => {
  const team: Answers = { ...owner, "admins.list": [admin], "team.listInvites": [invite] };
  const { calls } = await openScreen("/admin/settings?tab=admins", { ...team, [procedure]: {} });
  await expect.element(rowOf(who)).toBeVisible();
  expect(texts(headers())).toEqual(["Name", "Email", "Role(s)", "Status", "Created", "Actions"]);
  await choose(who, action);
  await expect.element(dialog).toBeVisible();
  await fitsPhone();
  expect(calls).not.toContain(procedure);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  await tells(text);
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a question about an administrator says what follows, and what one may do to oneself is little", async () => {
  await openScreen("/admin/settings?tab=admins", {
    ...owner,
    "admins.list": [admin, { ...admin, id: ownerViewer.id, fullName: "Chidi Eze", roles: ["owner"], isSelf: true }],
  });
  for (const [action, text] of [
    ["Deactivate", /All administrator rights end at once/],
    ["Sign Out Everywhere", /Rights and roles stay as they are/],
  ] as const) {
    await choose("Ada Obi", action);
    await expect.element(dialog.getByText(text)).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  }
  await press("Actions for Chidi Eze");
  expect(texts(page.getByRole("menuitem").elements())).toEqual(["Edit Roles"]);
});

test.each([
  [false, "Block", "User Blocked"],
  [true, "Unblock", "User Unblocked"],
] as const)("blocked %s: %s asks first, and is told when it is done", async (isBlocked, action, text) => {
  const { path } = await openScreen("/admin/settings?tab=users", {
    ...owner,
    "users.list": { items: [{ ...person, isBlocked }], nextCursor: null },
    "users.block": undefined,
    "users.unblock": undefined,
  });
  await expect.element(rowOf(person.email)).toBeVisible();
  expect(texts(headers())).toEqual(["User", "Email", "Status", "Created", "Last Activity", "Actions"]);
  await press(`${action} ${person.fullName}`);
  if (!isBlocked) await expect.element(dialog.getByText(/This person is signed out everywhere at once/)).toBeVisible();
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await tells(text);
  expect(path()).toBe("/admin/settings");
});

test("people are searched in the address bar, and a search may find nobody", async () => {
  const searches: string[] = [];
  await openScreen("/admin/settings?tab=users", {
    ...owner,
    "users.list": ({ search = "" }) => {
      searches.push(search);
      return { items: search ? [] : [person], nextCursor: null };
    },
  });
  await expect.element(rowOf(person.email)).toBeVisible();
  await page.getByPlaceholder("Search by name or email...").fill("nobody at all");
  await hasHeading("No users found matching your search");
  expect(searches.at(-1)).toBe("nobody at all");
});

test("what a person backs is a table with ways to the farms, or that there is nothing, or nobody", async () => {
  const { creator: _, backerName: __, ...backed } = dashboardProject;
  const address = `/admin/user-projects/${person.id}`;
  const known: Answers = { ...owner, "users.byId": { ...person, isAdmin: false, closedAt: null } };
  const items = [{ ...backed, backingId: 1, backedAt: createdAt }];
  const { answers, reload, path } = await openScreen(address, {
    ...known,
    "users.backedProjects": { items, nextCursor: null },
  });
  await expect.element(page.getByText(person.email)).toBeVisible();
  await expect.element(rowOf(backed.title).getByText("Active", { exact: true })).toBeVisible();
  expect(texts(headers())).toEqual(["Title", "Category", "Funding Goal", "Current Funding", "Status", "Actions"]);
  await expect
    .element(page.getByRole("link", { name: `View Project: ${backed.title}` }))
    .toHaveAttribute("href", `/project/${backed.id}`);
  answers["users.backedProjects"] = { items: [], nextCursor: null };
  await reload();
  await says("This user has not backed any projects yet");
  answers["users.byId"] = serverFault;
  await reload();
  await says("Failed to fetch user details");
  answers["users.list"] = { items: [], nextCursor: null };
  await page.getByRole("link", { name: "Back to Settings" }).click();
  await expect.poll(path).toBe("/admin/settings");
});

test("audit logs are filtered by day and action, paged, and exported as filtered", async () => {
  const asked: RouterInputs["auditLog"]["list"][] = [];
  const entry = {
    id: 1,
    createdAt,
    actionType: "edit_project",
    ipAddress: null,
    userId: null,
    userEmail: "owner@demo.example",
    details: { projectId: 1, before: { title: "Old" }, after: { title: "New" } },
    names: { actor: null, person: null, asker: null, project: null, payment: null },
  };
  const many = { items: Array.from({ length: 10 }, (_, id) => ({ ...entry, id })), total: 120, isCapped: false };
  await openScreen(
    "/admin/settings?tab=audit",
    {
      ...owner,
      "auditLog.filters": { actions: ["edit_project"], users: [] },
      "auditLog.list": (input) => {
        asked.push(input);
        return input.from === "2025-01-11" ? { items: [], total: 0, isCapped: false } : many;
      },
    },
    { "/files/exports/audit-logs.csv": () => new Response("Time,Action") },
  );
  await says("1–10 of 120 entries");
  expect(texts(headers())).toEqual(["Time", "Action", "User", "Details", "IP Address"]);
  await page.getByLabelText("Start date").fill("2025-01-10");
  await page.getByLabelText("End date").fill("2025-01-10");
  await page.getByLabelText("Action type").selectOptions("edit_project");
  await press("Page 12");
  await page.getByLabelText("Entries per page").selectOptions("50");
  await expect
    .poll(() => asked.at(-1))
    .toMatchObject({ from: "2025-01-10", to: "2025-01-10", action: "edit_project", pageSize: 50 });
  expect(texts([...page.getByLabelText("Entries per page").element().querySelectorAll("option")])).toEqual(
    [5, 10, 25, 50].map((size) => `${size} per page`),
  );
  await press("Export");
  await page.getByRole("menuitem", { name: "Audit logs as CSV" }).click();
  await tells("Audit logs exported");
  await page.getByLabelText("Start date").fill("2025-01-11");
  await says("The start date is after the end date.");
  await page.getByLabelText("End date").fill("2025-01-12");
  await hasHeading("No audit logs found");
  await press("Clear filters");
  await expect.element(page.getByText(/of 120 entries/)).toBeVisible();
});
