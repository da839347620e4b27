import type { Grant, Role } from "#shared/permissions.ts";

/** Texts of the tables of administrators and people. */
export const adminTexts = {
  fetchAdminsFailed: "Failed to fetch admin users",
  noAdmins: "No admin users found",
  inviteSent: "Invitation Sent",
  inviteResent: "Invitation Resent",
  inviteRemoved: "Invite Removed",
  inviteFailed: "Failed to send admin invitation. Please try again.",
  resendFailed: "Failed to resend admin invitation. Please try again.",
  removeInviteFailed: "Failed to remove admin invite.",
  rolesFailed: "Failed to load user roles",
  roleAdded: "Role Added",
  roleRemoved: "Role Removed",
  addRoleFailed: "Failed to assign role",
  removeRoleFailed: "Failed to remove role",
  deactivated: "Admin Deactivated",
  reactivated: "Admin Reactivated",
  deactivateFailed: "Failed to deactivate admin user. Please try again.",
  reactivateFailed: "Failed to reactivate admin user. Please try again.",
  removed: "Admin Removed",
  removeFailed: "Failed to remove admin user. Please try again.",
  resetSent: "Password Reset Email Sent",
  resetFailed: "Failed to send password reset. Please try again.",
  fetchUsersFailed: "Failed to fetch users",
  loadUsersFailed: "Failed to load users. Please try again.",
  noUsers: "No users found",
  noUsersFound: "No users found matching your search",
  blocked: "User Blocked",
  unblocked: "User Unblocked",
  blockFailed: "Failed to block user",
  unblockFailed: "Failed to unblock user",
  sessionsEnded: "Signed Out Everywhere",
  endSessionsFailed: "Failed to sign this person out",
  fetchUserFailed: "Failed to fetch user details",
  fetchBackedFailed: "Failed to fetch backed projects",
  noBacked: "This user has not backed any projects yet",
  userNotFound: "User not found",
  notAdmin: "This person is not an administrator any more. Please refresh the list.",
  notDeactivated: "This person is not a deactivated administrator. Please refresh the list.",
  isBlocked: "This person's account is blocked. Unblock it first.",
  ownRole: "You can't give yourself a role.",
  grantAdded: "Grant Added",
  grantRemoved: "Grant Removed",
  addGrantFailed: "Failed to add the grant",
  removeGrantFailed: "Failed to remove the grant",
  ownGrant: "You can't give yourself a grant.",
  ownAccount: "You can't do this to your own account.",
} as const;

export const roleLabels: Record<Role, string> = { owner: "Owner", manager: "Manager", viewer: "Viewer" };

/** A role's rights in one sentence. */
export const roleSummaries: Record<Role, string> = {
  viewer: "Sees projects. Changes nothing.",
  manager: "Creates, edits and closes projects, and sees payments.",
  owner: "Does everything: also deletes projects, decides on payments, and manages people, roles and settings.",
};

export const grantLabels: Record<Grant, string> = { accountant: "Accountant", cashier: "Cashier" };

/** A grant's rights in one sentence. */
export const grantSummaries: Record<Grant, string> = {
  accountant:
    "Sees all money: payments, bank, payouts, harvests, papers, exports and the audit log. Closes the books; changes nothing else.",
  cashier: "Sees payments and the bank, imports statements and says what their lines are. Decides on no payment.",
};
