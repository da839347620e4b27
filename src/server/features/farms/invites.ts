import { eq } from "drizzle-orm";
import { parseInviteToken } from "#server/accounts/invite-rules.ts";
import { limitInviteAttempts } from "#server/accounts/invites.ts";
import { hashToken } from "#server/accounts/sessions.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { farmInvites, farms } from "#server/db/schema/farms.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { FarmRole } from "#shared/farms/texts.ts";
import { type InviteFault, inviteFaultTexts } from "#shared/people/team-texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import type { Site } from "#shared/site/site.ts";

/** Invitations to farms, as their mailed links open them. */

type FarmInvite = typeof farmInvites.$inferSelect & { farmName: string };

/** The address in the mail. The token is in the fragment, which no log sees. */
export function farmInviteLink(site: Site, token: string): string {
  const link = new URL("/farm/invitation", site.publicUrl);
  link.hash = new URLSearchParams({ type: "invite", access_token: token }).toString();
  return link.href;
}

/** The invitation that a token opens now, or why it opens none. `lock` locks its farm, its row and its inviter. */
export async function findFarmInvite(
  db: DbOrTx,
  { token, now, lock = false }: { token: string; now: Date; lock?: boolean },
): Promise<{ invite: FarmInvite; fault: null } | { fault: InviteFault }> {
  const parsed = parseInviteToken(token);
  if (!parsed) return { fault: "unknown" };
  const ofToken = eq(farmInvites.id, parsed.id);
  const [seen] = await db.select({ farmId: farmInvites.farmId }).from(farmInvites).where(ofToken);
  if (!seen) return { fault: "unknown" };
  // Whoever invites locks the farm first.
  const farmQuery = db
    .select({ name: farms.name, closedAt: farms.closedAt })
    .from(farms)
    .where(eq(farms.id, seen.farmId));
  const [farm] = await (lock ? farmQuery.for("share") : farmQuery);
  const query = db.select().from(farmInvites).where(ofToken);
  const [invite] = await (lock ? query.for("update") : query);
  if (!invite) return { fault: "unknown" };
  if (invite.tokenHash !== hashToken(parsed.secret)) return { fault: "replaced" };
  if (invite.consumedAt !== null) return { fault: "used" };
  if (invite.revokedAt !== null) return { fault: "withdrawn" };
  if (invite.expiresAt <= now) return { fault: "expired" };
  if (!farm || farm.closedAt !== null || !(await isVouchedFor(db, invite, lock))) return { fault: "withdrawn" };
  return { invite: { ...invite, farmName: farm.name }, fault: null };
}

/** An invitation counts only while its inviter may invite. With `lock`, that can't change before the transaction ends. */
async function isVouchedFor(db: DbOrTx, { invitedBy }: { invitedBy: string | null }, lock: boolean): Promise<boolean> {
  if (invitedBy === null) return false;
  const query = db
    .select({ isAdmin: users.isAdmin, isBlocked: users.isBlocked })
    .from(users)
    .where(eq(users.id, invitedBy));
  const [inviter] = await (lock ? query.for("share") : query);
  if (!inviter || inviter.isBlocked) return false;
  const held = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, invitedBy));
  const roles = held.map(({ role }) => role);
  return permissionsOf({ ...inviter, roles }).includes("projects:edit");
}

export const refusalOf = (fault: InviteFault) =>
  new AppError(fault === "unknown" ? "not_found" : "conflict", inviteFaultTexts[fault], { details: { state: fault } });

/**
 * The next step for the link's holder: make an account, sign in, confirm the address, accept, or sign out of another
 * account.
 */
export type FarmInviteStep = "sign-up" | "sign-in" | "confirm" | "accept" | "sign-out";

export type OpenedFarmInvite =
  | { state: "valid"; step: FarmInviteStep; email: string; farmName: string; role: FarmRole }
  | { state: InviteFault };

/** For the page of a mailed link. The link was mailed to that address, so its holder may know about the account. */
export async function farmInviteByToken(ctx: Context, { token }: { token: string }): Promise<OpenedFarmInvite> {
  await limitInviteAttempts(ctx);
  const found = await findFarmInvite(ctx.db, { token, now: ctx.clock.now() });
  if (found.fault) return { state: found.fault };
  const { email, farmName, role } = found.invite;
  return { state: "valid", step: await stepOf(ctx, email), email, farmName, role };
}

async function stepOf(ctx: Context, email: string): Promise<FarmInviteStep> {
  if (ctx.actor && ctx.actor.email !== email) return "sign-out";
  const user = await findUserByEmail(ctx.db, email);
  if (!user) return "sign-up";
  if (!ctx.actor) return "sign-in";
  return user.emailVerifiedAt === null ? "confirm" : "accept";
}
