import { and, desc, eq, isNull } from "drizzle-orm";
import { hashToken } from "#server/accounts/sessions.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { findUserByEmail } from "#server/features/users/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { type Role, roles } from "#shared/permissions.ts";
import type { InviteFault } from "#shared/team-texts.ts";
import { type Inviter, inviteFault, parseInviteToken } from "./rules.ts";

export type Invite = typeof adminInvites.$inferSelect;

/** Attempts from one network, whether they look or accept: a link is opened a few times at most. */
const tokenLimit = { hits: 60, windowSeconds: 600 };

export function limitInviteAttempts(ctx: Context): Promise<void> {
  return limitRate(ctx, `admin-invite:${networkOf(ctx.ipAddress)}`, tokenLimit);
}

const listLimit = 500;

/** Invitations that wait to be accepted, the newest first. An expired one stays, so that it can be sent again. */
export async function listInvites(ctx: Pick<Context, "db" | "clock">) {
  const { id, email, fullName, role, status, createdAt, expiresAt } = adminInvites;
  const found = await ctx.db
    .select({ id, email, fullName, role, status, createdAt, expiresAt })
    .from(adminInvites)
    .where(isNull(adminInvites.consumedAt))
    .orderBy(desc(createdAt), desc(id))
    .limit(listLimit);
  const now = ctx.clock.now();
  return found.map((invite) => ({ ...invite, isExpired: invite.expiresAt <= now }));
}

/** The invitation that a token opens now, or why it opens none. `lock` keeps row and inviter as they are. */
export async function findInviteByToken(
  db: DbOrTx,
  { token, now, lock = false }: { token: string; now: Date; lock?: boolean },
): Promise<{ invite: Invite; fault: null } | { fault: InviteFault }> {
  const parsed = parseInviteToken(token);
  if (!parsed) return { fault: "unknown" };
  const query = db.select().from(adminInvites).where(eq(adminInvites.id, parsed.id));
  const [invite] = await (lock ? query.for("update") : query);
  if (!invite) return { fault: "unknown" };
  const inviter = await findInviter(db, invite, lock);
  const fault = inviteFault(invite, { tokenHash: hashToken(parsed.secret), now, inviter });
  return fault ? { fault } : { invite, fault: null };
}

/** With `lock`, nobody takes the inviter's rights before the transaction is over. */
export async function findInviter(db: DbOrTx, invite: Invite, lock: boolean): Promise<Inviter> {
  if (invite.invitedBy === null) return null;
  const query = db
    .select({ isAdmin: users.isAdmin, isBlocked: users.isBlocked })
    .from(users)
    .where(eq(users.id, invite.invitedBy));
  const [inviter] = await (lock ? query.for("share") : query);
  if (!inviter) return null;
  const held = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, invite.invitedBy));
  return { ...inviter, roles: held.map(({ role }) => role) };
}

/** The open invitation of an address, locked. */
export async function lockOpenInvite(db: DbOrTx, email: string): Promise<Invite | null> {
  const [invite] = await db
    .select()
    .from(adminInvites)
    .where(and(eq(adminInvites.email, email), isNull(adminInvites.consumedAt)))
    .for("update");
  return invite ?? null;
}

/** What the holder of a link must do: choose a password, sign in, accept, or sign out of another account first. */
export type InviteStep = "set-up" | "sign-in" | "accept" | "sign-out";

export type OpenedInvite =
  | { state: "valid"; step: InviteStep; email: string; fullName: string; role: Role }
  | { state: InviteFault };

/**
 * For the page that a mailed link opens. Whoever holds the link got it at that address, so what it says of the account is
 * theirs to know. A role in the link that doesn't exist is logged and skipped; one that does grants nothing either.
 */
export async function inviteByToken(
  ctx: Context,
  { token, linkRole }: { token: string; linkRole?: string | undefined },
): Promise<OpenedInvite> {
  await limitInviteAttempts(ctx);
  if (linkRole !== undefined && !roles.some((role) => role === linkRole))
    ctx.log.warn({ role: linkRole }, "invalid role in an invitation link: skipped");
  const found = await findInviteByToken(ctx.db, { token, now: ctx.clock.now() });
  if (found.fault) return { state: found.fault };
  const { email, fullName, role } = found.invite;
  return { state: "valid", step: await stepOf(ctx, email), email, fullName, role };
}

async function stepOf(ctx: Context, email: string): Promise<InviteStep> {
  if (ctx.actor && ctx.actor.email !== email) return "sign-out";
  const user = await findUserByEmail(ctx.db, email);
  if (!user || user.emailVerifiedAt === null) return "set-up";
  return ctx.actor ? "accept" : "sign-in";
}
