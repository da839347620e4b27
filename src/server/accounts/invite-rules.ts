import { hourMs } from "#shared/lagos-time.ts";
import { type InviteFault, inviteHours } from "#shared/people/team-texts.ts";
import { permissionsOf, type Role } from "#shared/permissions.ts";
import type { Site } from "#shared/site/site.ts";

export const inviteEndsAt = (now: Date) => new Date(now.getTime() + inviteHours * hourMs);

/** Starts with the row's number, so that a replaced link can be told from one that never existed. */
const tokenPattern = /^([1-9]\d{0,14})-([0-9a-f]{64})$/;

export const inviteTokenOf = ({ id, secret }: { id: number; secret: string }) => `${id}-${secret}`;

/** Null for anything that isn't an invitation token. The table holds the secret's hash. */
export function parseInviteToken(token: string): { id: number; secret: string } | null {
  const [, id, secret] = tokenPattern.exec(token) ?? [];
  return id === undefined || secret === undefined ? null : { id: Number(id), secret };
}

/**
 * The address in the mail. The token is in the fragment, which no log sees. The query only pre-fills the form before
 * the server has responded, and grants nothing.
 */
export function inviteLink(
  site: Site,
  { email, fullName, role, token }: { email: string; fullName: string; role: Role; token: string },
): string {
  const link = new URL("/admin/setup-account", site.publicUrl);
  for (const [name, value] of Object.entries({ email, full_name: fullName, role })) link.searchParams.set(name, value);
  link.hash = new URLSearchParams({ type: "invite", access_token: token }).toString();
  return link.href;
}

type Invite = { tokenHash: string; expiresAt: Date; consumedAt: Date | null; invitedBy: string | null };
/** Null if the inviter no longer has an account. */
export type Inviter = { isAdmin: boolean; isBlocked: boolean; roles: Role[] } | null;

/** Returns the reason why this token doesn't open this invitation at `now`, or null. */
export function inviteFault(
  invite: Invite,
  { tokenHash, now, inviter }: { tokenHash: string; now: Date; inviter: Inviter },
): InviteFault | null {
  if (invite.tokenHash !== tokenHash) return "replaced";
  if (invite.consumedAt !== null) return "used";
  if (invite.expiresAt.getTime() <= now.getTime()) return "expired";
  return isVouchedFor(invite, inviter) ? null : "withdrawn";
}

/** An invitation counts only while its inviter may invite. One from the command line has no inviter. */
export function isVouchedFor(invite: Pick<Invite, "invitedBy">, inviter: Inviter): boolean {
  if (invite.invitedBy === null) return true;
  return inviter !== null && !inviter.isBlocked && permissionsOf(inviter).includes("users:manage");
}
