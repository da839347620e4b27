import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import {
  alerts,
  dialog,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { admin, invite } from "#tests/support/screen-samples.ts";

/** Administrators and their invitations, where the server fails. */

const team = { ...owner, "admins.list": [admin], "team.listInvites": [invite] };

async function choose(who: string, action: string) {
  await press(`Actions for ${who}`);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test("an invitation that can't be sent stays typed", async () => {
  const { answers } = await openScreen("/admin/settings?tab=admins", { ...owner, "team.invite": serverFault });
  await press("Add Admin User");
  const send = dialog.getByRole("button", { name: "Send Invitation" });
  await send.click();
  await expect.element(dialog.getByText("Please enter a valid email address")).toBeVisible();
  await expect.element(dialog.getByText("Name must be at least 2 characters")).toBeVisible();
  await dialog.getByLabelText("Email").fill(invite.email);
  await dialog.getByLabelText("Full name").fill(invite.fullName);
  await send.click();
  await alerts("Failed to send admin invitation. Please try again.");
  await expect.element(dialog.getByLabelText("Email")).toHaveValue(invite.email);
  answers["team.invite"] = { status: "invited" };
  answers["team.listInvites"] = [invite];
  await send.click();
  await tells("Invitation Sent");
  await expect
    .element(
      page
        .getByRole("row")
        .filter({ hasText: invite.email })
        .filter({ hasText: /Invited/ }),
    )
    .toBeVisible();
});

test.each([
  [
    "Amina Sule",
    "Resend Invitation",
    "Resend Invitation",
    "team.resendInvite",
    "Failed to resend admin invitation. Please try again.",
  ],
  ["Amina Sule", "Delete Invite", "Delete Invite", "team.removeInvite", "Failed to remove admin invite."],
  ["Ada Obi", "Deactivate", "Deactivate", "admins.deactivate", "Failed to deactivate admin user. Please try again."],
  [
    "Ada Obi",
    "Reset Password",
    "Send Link",
    "admins.sendPasswordReset",
    "Failed to send password reset. Please try again.",
  ],
] as const)("%s: %s that fails is told in the dialog's own words", async (who, action, confirm, procedure, text) => {
  await openScreen("/admin/settings?tab=admins", { ...team, [procedure]: serverFault });
  await choose(who, action);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  await alerts(text);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a role that can't be given or taken is told of, and is the same a moment later", async () => {
  const { answers } = await openScreen("/admin/settings?tab=admins", {
    ...team,
    "admins.addRole": serverFault,
    "admins.removeRole": serverFault,
  });
  await choose("Ada Obi", "Edit Roles");
  await dialog.getByLabelText("Another role").selectOptions("viewer");
  const add = dialog.getByRole("button", { name: "Add Role" });
  await add.click();
  await alerts("Failed to assign role");
  // The list is refetched after the failure too, and must not show the role before it was given.
  answers["admins.addRole"] = () => {
    answers["admins.list"] = [{ ...admin, roles: ["manager", "viewer"] }];
    return { wasChanged: true };
  };
  await add.click();
  await tells("Role Added");
  await dialog.getByRole("button", { name: "Remove role Viewer" }).click();
  const remove = dialog.getByRole("button", { name: "Remove Role", exact: true });
  await remove.click();
  await alerts("Failed to remove role");
  answers["admins.removeRole"] = () => {
    answers["admins.list"] = [admin];
    return { wasChanged: true };
  };
  await remove.click();
  await tells("Role Removed");
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});

test("the last active owner can't give the role away, and nobody gives a role to themselves", async () => {
  const text = "You are the last active owner. Give somebody else the role first.";
  await openScreen("/admin/settings?tab=admins", {
    ...owner,
    "admins.list": [{ ...admin, roles: ["owner"], isSelf: true }],
    "admins.removeRole": refusal("conflict", 409, text),
  });
  await choose("Ada Obi", "Edit Roles");
  await expect.element(dialog.getByLabelText("Another role")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Remove role Owner" }).click();
  await dialog.getByRole("button", { name: "Remove Role", exact: true }).click();
  await alerts("Failed to remove role");
  await alerts(text);
  await expect.element(dialog.getByRole("button", { name: "Remove role Owner" })).toBeVisible();
});

test("administrators who can't be fetched come with another try", async () => {
  const { answers } = await openScreen("/admin/settings?tab=admins", { ...owner, "admins.list": serverFault });
  await hasHeading("Failed to fetch admin users");
  answers["admins.list"] = [admin];
  await press("Try again");
  await expect.element(page.getByRole("row").filter({ hasText: admin.email })).toBeVisible();
});

test("roles that can't be fetched come with another try, and may be nobody's", async () => {
  const { answers } = await openScreen("/admin/settings?tab=roles", { ...owner, "admins.roles": serverFault });
  await hasHeading("Failed to load user roles");
  answers["admins.roles"] = [];
  await press("Try again");
  await expect.element(page.getByText("No admin users found")).toBeVisible();
});

test("roles are shown side by side", async () => {
  const chidi = {
    ...admin,
    id: "00000000-0000-4000-8000-000000000005",
    fullName: "Chidi Eze",
    email: "chidi@gona.example",
  };
  await openScreen("/admin/settings?tab=roles", {
    ...owner,
    "admins.roles": [{ ...chidi, roles: ["owner"] }, admin],
  });
  const cellsOf = (email: string) =>
    page
      .getByRole("row")
      .filter({ hasText: email })
      .getByRole("cell")
      .elements()
      .slice(1)
      .map((cell) => cell.textContent);
  await expect.poll(() => cellsOf("chidi@gona.example")).toEqual(["Owner", "No", "No"]);
  expect(cellsOf(admin.email)).toEqual(["No", "Manager", "No"]);
  const heads = page
    .getByRole("columnheader")
    .elements()
    .map((head) => head.textContent);
  expect(heads).toEqual(["Admin user", "Owner", "Manager", "Viewer"]);
  await fitsPhone();
});

test("a grant is given beside the roles, and taken again", async () => {
  const { answers, sentTo } = await openScreen("/admin/settings?tab=admins", {
    ...team,
    "admins.addGrant": serverFault,
  });
  await choose("Ada Obi", "Edit Roles");
  const add = dialog.getByRole("button", { name: "Add Accountant" });
  await add.click();
  await alerts("Failed to add the grant");
  answers["admins.addGrant"] = () => {
    answers["admins.list"] = [{ ...admin, grants: ["accountant"] }];
    return { wasChanged: true };
  };
  await add.click();
  await tells("Grant Added");
  expect(sentTo("admins.addGrant").at(-1)).toEqual({ userId: admin.id, grant: "accountant" });
  answers["admins.removeGrant"] = () => {
    answers["admins.list"] = [admin];
    return { wasChanged: true };
  };
  await dialog.getByRole("button", { name: "Remove Accountant" }).click();
  await tells("Grant Removed");
  await expect.element(dialog.getByRole("button", { name: "Add Accountant" })).toBeVisible();
});

test("grants stand beside the roles in the tables, and nobody is offered one of their own", async () => {
  const { answers } = await openScreen("/admin/settings?tab=admins", {
    ...team,
    "admins.list": [{ ...admin, grants: ["cashier"], isSelf: true }],
  });
  await expect.element(page.getByRole("cell", { name: "Manager, Cashier" })).toBeVisible();
  await choose("Ada Obi", "Edit Roles");
  await expect.element(dialog.getByRole("button", { name: "Remove Cashier" })).toBeVisible();
  expect(dialog.getByRole("button", { name: "Add Accountant" }).elements()).toEqual([]);
  answers["admins.roles"] = [{ ...admin, grants: ["accountant", "cashier"] }];
  await openScreen("/admin/settings?tab=roles", { ...owner, ...answers });
  await expect.element(page.getByText("Also accountant and cashier")).toBeVisible();
});
