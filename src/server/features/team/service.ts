import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { lockUser } from "#server/accounts/google/identities.ts";
import { invitationMail } from "#server/accounts/mails.ts";
import { handOverSession, openSession } from "#server/accounts/open-session.ts";
import { hashPassword, refuseGuessable, replacePassword } from "#server/accounts/passwords.ts";
import { endSessionsOf, hashToken } from "#server/accounts/sessions.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, userRoles, users } from "#server/db/schema/users.ts";
import { findUserByEmail, type User } from "#server/features/users/queries.ts";
import { insertUser } from "#server/features/users/service.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { authTexts } from "#shared/auth.ts";
import { brand } from "#shared/brand.ts";
import { errorTexts } from "#shared/errors.ts";
import { type InviteInput, inviteInput } from "#shared/team.ts";
import { type InviteFault, inviteFaultTexts, inviteHours, inviteTexts } from "#shared/team-texts.ts";
import { findInviteByToken, findInviter, type Invite, limitInviteAttempts, lockOpenInvite } from "./queries.ts";
import { inviteEndsAt, inviteLink, inviteTokenOf, isVouchedFor } from "./rules.ts";

/** Who invites: a signed-in owner, or at the command line whoever runs the server. */
type Inviting = Pick<Deps, "clock" | "env" | "jobs"> & {
  actor: { id: string; email: string; fullName: string } | null;
  ipAddress: string | null;
};

/**
 * Invites somebody to the administrators and mails the link. An address whose invitation is still open gets a new one in
 * its place, with the name and the role as given now. Throws AppError "conflict" or "invalid" where the address is the
 * owner's own, an administrator's or a blocked person's.
 */
export async function invite(ctx: ActorContext, input: InviteInput): Promise<{ status: Invite["status"] }> {
  const { status } = await inTransaction(ctx.db, (tx) => issueInvite(tx, ctx, input));
  return { status };
}

/** The same at the command line; gives the link, which is mailed too. Throws AppError "invalid" with every fault. */
export async function inviteFromCommandLine(
  deps: Deps,
  input: { email: string; fullName: string; role: string },
): Promise<{ link: string }> {
  const parsed = inviteInput.safeParse(input);
  if (!parsed.success) throw new AppError("invalid", parsed.error.issues.map(({ message }) => message).join("\n"));
  const by = { ...deps, actor: null, ipAddress: null };
  const { link } = await inTransaction(deps.db, (tx) => issueInvite(tx, by, parsed.data));
  return { link };
}

/** A new link for an open invitation, for another 72 hours; the one before stops working. */
export async function resendInvite(ctx: ActorContext, input: { email: string; fullName: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const open = await lockOpenInvite(tx, input.email);
    if (!open) throw new AppError("not_found", inviteTexts.notFound);
    await issueInvite(tx, ctx, { ...input, role: open.role }, "resend_admin_invite");
  });
}

/** Its link stops working at once. */
export async function removeInvite(ctx: ActorContext, { inviteId }: { inviteId: number }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const isOpen = and(eq(adminInvites.id, inviteId), isNull(adminInvites.consumedAt));
    const [removed] = await tx.delete(adminInvites).where(isOpen).returning();
    if (!removed) throw new AppError("not_found", inviteTexts.notFound);
    const { email, role } = removed;
    await recordAudit(tx, ctx, "remove_admin_invite", { inviteId, email, role });
  });
}

async function issueInvite(
  tx: Tx,
  by: Inviting,
  { email, fullName, role }: InviteInput,
  action: "invite_admin" | "resend_admin_invite" = "invite_admin",
): Promise<{ status: Invite["status"]; link: string }> {
  if (by.actor?.email === email) throw new AppError("invalid", inviteTexts.ownInvite);
  const invitee = await findUserByEmail(tx, email);
  if (invitee?.isAdmin) throw new AppError("conflict", inviteTexts.alreadyAdmin);
  if (invitee?.isBlocked) throw new AppError("conflict", inviteTexts.blockedAccount);
  const now = by.clock.now();
  const secret = randomBytes(32).toString("hex");
  const tokenHash = hashToken(secret);
  const values = { fullName, role, tokenHash, expiresAt: inviteEndsAt(now), invitedBy: by.actor?.id ?? null };
  const [row] = await tx
    .insert(adminInvites)
    .values({ ...values, email, createdAt: now })
    .onConflictDoUpdate({
      target: adminInvites.email,
      targetWhere: sql`consumed_at is null`,
      set: { ...values, status: "re-invited" },
    })
    .returning({ id: adminInvites.id, status: adminInvites.status });
  if (!row) throw new Error("the invitation was not written");
  const token = inviteTokenOf({ id: row.id, secret });
  const link = inviteLink(by.env.publicUrl, { email, fullName, role, token });
  const invitedBy = by.actor?.fullName ?? `The ${brand.name} team`;
  const mail = invitationMail({ fullName, invitedBy, role, hours: inviteHours, url: link });
  const eventKey = `admin_invite:${tokenHash}`;
  await queueMail(tx, by, { eventKey, to: email, isUrgent: true, holdsToken: true, ...mail });
  const via = by.actor ? {} : { via: "command line" };
  await recordAudit(tx, by, action, { inviteId: row.id, email, fullName, role, status: row.status, ...via });
  return { status: row.status, link };
}

const refusalOf = (fault: InviteFault) =>
  new AppError(fault === "unknown" ? "not_found" : "conflict", inviteFaultTexts[fault], { details: { state: fault } });

/** Part of a transaction: uses up the invitation of a link. Of two requests with it at once, one gets it. */
async function takeInvite(tx: Tx, ctx: Context, token: string): Promise<Invite> {
  const found = await findInviteByToken(tx, { token, now: ctx.clock.now(), lock: true });
  if (found.fault) throw refusalOf(found.fault);
  await markConsumed(tx, ctx, found.invite);
  return found.invite;
}

async function markConsumed(tx: Tx, { clock }: Pick<Context, "clock">, { id }: Invite): Promise<void> {
  await tx.update(adminInvites).set({ consumedAt: clock.now() }).where(eq(adminInvites.id, id));
}

/** Without a session where a code is wanted first. */
type Joined = { needsCode: boolean };

/**
 * Accepts an invitation with a password: makes the account, or takes over one whose address nobody has confirmed, so that
 * nothing is left of whoever made it. The mailed link proves the address. The person is signed in as administrator.
 * Throws AppError with the state of a link that doesn't work, and "conflict" where a sign-in is needed.
 */
export async function acceptInvite(
  ctx: Context,
  { token, fullName, password }: { token: string; fullName: string; password: string },
): Promise<Joined> {
  await limitInviteAttempts(ctx);
  // A hash is costly: not for links that can't work.
  const seen = await findInviteByToken(ctx.db, { token, now: ctx.clock.now() });
  if (seen.fault) throw refusalOf(seen.fault);
  const { email } = seen.invite;
  if (ctx.actor && ctx.actor.email !== email) throw new AppError("forbidden", inviteTexts.otherAccount);
  await refuseGuessable(password, { fullName, email });
  const passwordHash = await hashPassword(password);
  const entry = await inTransaction(ctx.db, async (tx) => {
    // The account first, then its invitation: the order of every way in.
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
 * Accepts an invitation for the verified account that one is signed in to. All its sessions end and a new one begins.
 * Throws AppError with the state of a link that doesn't work, and "forbidden" for another person's invitation.
 */
export async function acceptInviteSignedIn(ctx: ActorContext, { token }: { token: string }): Promise<Joined> {
  await limitInviteAttempts(ctx);
  const entry = await inTransaction(ctx.db, async (tx) => {
    const user = await lockUser(tx, ctx.actor.id);
    const [session] = await tx.select().from(sessions).where(eq(sessions.idHash, ctx.actor.session.idHash));
    // A reset or a block since this request began must not be outlived.
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
 * Part of a transaction that lets a person in whose account, locked in it, has a verified address: makes them an
 * administrator if an invitation for that address is open, and uses it up. False where there is none that counts.
 * All sessions of the account end: the caller opens the new one.
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

/** The rights, nothing but those of the invitation: roles left over from an earlier time don't come back with them. */
async function grant(tx: Tx, ctx: Context, { invite, user }: { invite: Invite; user: User }): Promise<void> {
  const { id: userId, email } = user;
  const now = ctx.clock.now();
  const { role, id: inviteId, invitedBy } = invite;
  if (!user.isAdmin) await tx.delete(userRoles).where(eq(userRoles.userId, userId));
  await tx.insert(userRoles).values({ userId, role, createdAt: now }).onConflictDoNothing();
  await tx.update(users).set({ isAdmin: true, updatedAt: now }).where(eq(users.id, userId));
  await endSessionsOf(tx, userId);
  const by = { actor: { id: userId, email }, clock: ctx.clock, ipAddress: ctx.ipAddress };
  await recordAudit(tx, by, "accept_admin_invite", { inviteId, email, role, invitedBy });
}
