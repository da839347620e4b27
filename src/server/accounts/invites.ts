import { and, eq, isNull } from "drizzle-orm";
import { mailOwnerNews } from "#server/accounts/owners/owner-news.ts";
import { keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, userGrants, userRoles, users } from "#server/db/schema/users.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { errorTexts } from "#shared/errors.ts";
import { type InviteFault, inviteFaultTexts, inviteTexts } from "#shared/people/team-texts.ts";
import { type Inviter, inviteFault, isVouchedFor, parseInviteToken } from "./invite-rules.ts";
import { handOverSession, openSession } from "./open-session.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { replacePassword } from "./reset-password.ts";
import { endSessionsOf, hashToken } from "./sessions.ts";
import type { User } from "./users.ts";
import { insertUser, lockUser } from "./users.ts";

export type Invite = typeof adminInvites.$inferSelect;

/** Attempts per network, for viewing and accepting together. A link is opened a few times at most. */
const tokenLimit = { hits: 60, windowSeconds: 600 };

export function limitInviteAttempts(ctx: Context): Promise<void> {
  return limitRate(ctx, `admin-invite:${networkOf(ctx.ipAddress)}`, tokenLimit);
}

/** The invitation that a token opens now, or why it opens none. `lock` locks the invitation's row and its inviter. */
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

/** With `lock`, the inviter's rights can't change before the transaction ends. */
async function findInviter(db: DbOrTx, invite: Invite, lock: boolean): Promise<Inviter> {
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

/** Finds and locks the open invitation of an address. */
export async function lockOpenInvite(db: DbOrTx, email: string): Promise<Invite | null> {
  const [invite] = await db
    .select()
    .from(adminInvites)
    .where(and(eq(adminInvites.email, email), isNull(adminInvites.consumedAt)))
    .for("update");
  return invite ?? null;
}

const refusalOf = (fault: InviteFault) =>
  new AppError(fault === "unknown" ? "not_found" : "conflict", inviteFaultTexts[fault], { details: { state: fault } });

/** Part of a transaction: uses up the invitation of a link. Of two concurrent requests only one succeeds. */
async function takeInvite(tx: Tx, ctx: Context, token: string): Promise<Invite> {
  const found = await findInviteByToken(tx, { token, now: ctx.clock.now(), lock: true });
  if (found.fault) throw refusalOf(found.fault);
  await markConsumed(tx, ctx, found.invite);
  return found.invite;
}

async function markConsumed(tx: Tx, { clock }: Pick<Context, "clock">, { id }: Invite): Promise<void> {
  await tx.update(adminInvites).set({ consumedAt: clock.now() }).where(eq(adminInvites.id, id));
}

/** If a code is needed first, there is no session yet. */
type Joined = { needsCode: boolean };

/**
 * Accepts an invitation with a password. It creates the account, or takes over one with an unconfirmed address,
 * removing everything of its creator. The mailed link proves the address. The person is signed in as administrator.
 * Throws AppError with the state of an invalid link, and "conflict" if a sign-in is needed.
 */
export async function acceptInvite(
  ctx: Context,
  { token, fullName, password }: { token: string; fullName: string; password: string },
): Promise<Joined> {
  await limitInviteAttempts(ctx);
  // Hashing is expensive, so invalid links are refused first.
  const seen = await findInviteByToken(ctx.db, { token, now: ctx.clock.now() });
  if (seen.fault) throw refusalOf(seen.fault);
  const { email } = seen.invite;
  if (ctx.actor && ctx.actor.email !== email) throw new AppError("forbidden", inviteTexts.otherAccount);
  await refuseGuessable(password, { fullName, email, site: ctx.site.current() });
  const passwordHash = await hashPassword(password);
  const entry = await inTransaction(ctx.db, async (tx) => {
    // Every way of signing in locks the account first, then its invitation.
    const [account] = await tx.select().from(users).where(eq(users.email, email)).for("no key update");
    const taken = await takeInvite(tx, ctx, token);
    if (account?.isBlocked) throw new AppError("forbidden", authTexts.blocked);
    if (account && account.emailVerifiedAt !== null) throw new AppError("conflict", inviteTexts.signInFirst);
    const user = account
      ? await takeOver(tx, ctx, { account, fullName, passwordHash })
      : await insertUser(tx, ctx.clock, { email, fullName, passwordHash, emailVerifiedAt: ctx.clock.now() });
    await grant(tx, ctx, { invite: taken, user });
    return openSession(tx, ctx, { id: user.id, isAdmin: true }, "invitation");
  });
  return handOverSession(ctx, "admin", entry);
}

async function takeOver(
  tx: Tx,
  ctx: Context,
  { account, fullName, passwordHash }: { account: User; fullName: string; passwordHash: string },
): Promise<User> {
  await tx.delete(identities).where(eq(identities.userId, account.id));
  await tx.delete(knownDevices).where(eq(knownDevices.userId, account.id));
  const change = { fullName, emailVerifiedAt: ctx.clock.now() };
  await tx.update(users).set(change).where(eq(users.id, account.id));
  await replacePassword(tx, ctx, { userId: account.id, passwordHash });
  return { ...account, ...change, passwordHash };
}

/**
 * Accepts an invitation for the signed-in, verified account. All its sessions end and a new one begins.
 * Throws AppError with the state of an invalid link, and "forbidden" for another person's invitation.
 */
export async function acceptInviteSignedIn(ctx: ActorContext, { token }: { token: string }): Promise<Joined> {
  await limitInviteAttempts(ctx);
  const entry = await inTransaction(ctx.db, async (tx) => {
    const user = await lockUser(tx, ctx.actor.id);
    const [session] = await tx.select().from(sessions).where(eq(sessions.idHash, ctx.actor.session.idHash));
    // A reset or a block may have ended the session since the request began.
    if (!session || user.isBlocked) throw new AppError("unauthenticated", errorTexts.signInRequired);
    const taken = await takeInvite(tx, ctx, token);
    if (taken.email !== user.email) throw new AppError("forbidden", inviteTexts.otherAccount);
    if (user.emailVerifiedAt === null) throw new AppError("conflict", inviteTexts.passwordFirst);
    await grant(tx, ctx, { invite: taken, user });
    return openSession(tx, ctx, { id: user.id, isAdmin: true }, "invitation");
  });
  return handOverSession(ctx, "admin", entry);
}

/**
 * Part of a sign-in's transaction, with the account locked: if its verified address has a valid open invitation, makes
 * the person an administrator and uses the invitation up. Otherwise returns false.
 * All sessions of the account end; the caller opens the new one.
 */
export async function consumeInviteFor(tx: Tx, ctx: Context, user: User): Promise<boolean> {
  if (user.emailVerifiedAt === null || user.isBlocked) return false;
  const open = await lockOpenInvite(tx, user.email);
  if (!open || open.expiresAt <= ctx.clock.now()) return false;
  if (!isVouchedFor(open, await findInviter(tx, open, true))) return false;
  await markConsumed(tx, ctx, open);
  await grant(tx, ctx, { invite: open, user });
  return true;
}

/** Grants only the invitation's role: roles and grants from an earlier time don't come back. */
async function grant(tx: Tx, ctx: Context, { invite, user }: { invite: Invite; user: User }): Promise<void> {
  const { id: userId, email } = user;
  const now = ctx.clock.now();
  const { role, id: inviteId, invitedBy } = invite;
  if (!user.isAdmin) {
    await tx.delete(userRoles).where(eq(userRoles.userId, userId));
    await tx.delete(userGrants).where(eq(userGrants.userId, userId));
  }
  await tx.insert(userRoles).values({ userId, role, createdAt: now }).onConflictDoNothing();
  await tx.update(users).set({ isAdmin: true, updatedAt: now }).where(eq(users.id, userId));
  await keepOwnerTerms(tx, now);
  await endSessionsOf(tx, userId);
  const by = { actor: { id: userId, email }, clock: ctx.clock, ipAddress: ctx.ipAddress };
  await recordAudit(tx, by, "accept_admin_invite", { inviteId, email, role, invitedBy });
  if (role === "owner") await mailOwnerNews(tx, ctx, { change: "joined", person: user, by: null });
}
