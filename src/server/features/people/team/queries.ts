import { desc, isNull } from "drizzle-orm";
import { findInviteByToken, limitInviteAttempts } from "#server/accounts/invites.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import type { Context } from "#server/platform/context.ts";
import type { InviteFault } from "#shared/people/team-texts.ts";
import { type Role, roles } from "#shared/permissions.ts";

const listLimit = 500;

/** Open invitations, newest first. Expired ones stay, so that they can be sent again. */
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

/** The next step for the link's holder: choose a password, sign in, accept, or sign out of another account first. */
export type InviteStep = "set-up" | "sign-in" | "accept" | "sign-out";

export type OpenedInvite =
  | { state: "valid"; step: InviteStep; email: string; fullName: string; role: Role }
  | { state: InviteFault };

/**
 * For the page of a mailed link. The link was mailed to that address, so its holder may know about the account. An
 * unknown role in the link is logged and ignored; a known one grants nothing either.
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
