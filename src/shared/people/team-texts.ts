import type { Role } from "#shared/permissions.ts";

/** The reasons why an invitation's link is invalid; each has its own page. */
export const inviteFaults = ["expired", "used", "replaced", "withdrawn", "unknown"] as const;
export type InviteFault = (typeof inviteFaults)[number];

export const inviteHours = 72;

export const inviteTexts = {
  emailInvalid: "Please enter a valid email address",
  nameTooShort: "Name must be at least 2 characters",
  roleInvalid: "The role must be owner, manager or viewer",
  incomplete: "User email or name is missing",
  ownInvite: "You can't invite yourself.",
  alreadyAdmin: "This person is an administrator already. Change their roles instead.",
  blockedAccount: "This person's account is blocked. Unblock it first.",
  notFound: "This invitation no longer exists.",
  missingTitle: "Missing Information",
  missing: "Please fill in all required fields",
  setUpFailed: "Failed to set up admin account. Please try again.",
  joinFailed: "Failed to complete admin setup",
  notSignedIn: "You are an administrator now, but could not be signed in. Please sign in.",
  created: "Account Created",
  accepted: "Invitation accepted",
  passwordHint: "Use 8 or more characters with upper case, lower case, digits and special characters.",
  signInFirst: "This address has an account. Sign in to it, then accept the invitation.",
  passwordFirst: "This address was not confirmed yet. Open the invitation again and choose a password.",
  otherAccount: "This invitation is for another address than the one you are signed in with.",
} as const;

/** The sentence shown for an invalid link. */
export const inviteFaultTexts: Record<InviteFault, string> = {
  expired: "This invitation has expired.",
  used: "This invitation has been used already.",
  replaced: "This link was replaced by a newer one.",
  withdrawn: "This invitation was withdrawn.",
  unknown: "This invitation link does not work.",
};

/** The role as it reads in a sentence: "as an owner". */
export const roleInWords: Record<Role, string> = { owner: "an owner", manager: "a manager", viewer: "a viewer" };
