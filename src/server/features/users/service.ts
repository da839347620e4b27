import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { dropEmailTokens, issueEmailToken } from "#server/accounts/email-tokens.ts";
import { lockUser } from "#server/accounts/google/identities.ts";
import { consumeMailedLink, proveMailedLink } from "#server/accounts/mailed-link.ts";
import { accountClosedMail, emailChangedMail, emailInUseMail, newEmailMail } from "#server/accounts/mails.ts";
import { changeAsProved, type OwnProof, proveOwnAccount } from "#server/accounts/own-proof.ts";
import { requireOtherOwner } from "#server/accounts/owners.ts";
import { hashPassword, refuseGuessable, replacePassword } from "#server/accounts/passwords.ts";
import { clearSecondStep } from "#server/accounts/second-step.ts";
import { endSessionNamed, endSessionsOf, hashToken, requireSession } from "#server/accounts/sessions.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { notificationOptOuts, notifications, outgoingMails } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projectFavorites } from "#server/db/schema/projects.ts";
import { emailTokens, knownDevices, sessions } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { identities, recoveryCodes, twoFactors, userRoles, users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { accountTexts, closedName } from "#shared/account-texts.ts";
import { adminTexts } from "#shared/admin-texts.ts";
import { authTexts, confirmLinkHours } from "#shared/auth.ts";
import type { Role } from "#shared/permissions.ts";
import { createAdminInput } from "#shared/users.ts";
import { findUserByEmail, type User } from "./queries.ts";

/** Each asks for a password first, which has limits of its own; these spare the mailboxes of others. */
const emailChangeLimit = { hits: 10, windowSeconds: 3600 };
const emailChangeLimitPerAddress = { hits: 3, windowSeconds: 3600 };

type NewUser = Pick<User, "email" | "fullName"> & Partial<Pick<User, "passwordHash" | "emailVerifiedAt" | "isAdmin">>;

/** Adds an account. Throws "An account with this email already exists." */
export async function insertUser(tx: Tx, clock: Deps["clock"], values: NewUser): Promise<User> {
  const now = clock.now();
  try {
    const [user] = await tx
      .insert(users)
      .values({ ...values, createdAt: now, updatedAt: now })
      .returning();
    if (!user) throw new Error("the account was not inserted");
    return user;
  } catch (error) {
    if (!isUniqueViolation(error, "users_email_key")) throw error;
    throw new AppError("conflict", authTexts.emailTaken, { fields: { email: [authTexts.emailTaken] } });
  }
}

/**
 * An administrator made at the command line, with a verified address: whoever runs the server vouches for it.
 * Throws AppError "invalid" with every fault of the input, or "An account with this email already exists."
 */
export async function createAdmin(
  deps: Pick<Deps, "db" | "clock">,
  input: { email: string; fullName: string; role: Role; password: string },
): Promise<{ id: string }> {
  const { email, fullName, role, password } = checked(input);
  await refuseGuessable(password, { email, fullName });
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, async (tx) => {
    const values = { email, fullName, passwordHash, isAdmin: true, emailVerifiedAt: deps.clock.now() };
    const { id } = await insertUser(tx, deps.clock, values);
    await tx.insert(userRoles).values({ userId: id, role, createdAt: deps.clock.now() });
    const by = { actor: null, clock: deps.clock, ipAddress: null };
    await recordAudit(tx, by, "create_admin", { userId: id, email, role, via: "command line" });
    return { id };
  });
}

function checked(input: { email: string; fullName: string; role: Role; password: string }) {
  const parsed = createAdminInput.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid", parsed.error.issues.map((issue) => issue.message).join("\n"));
}

export async function changeName(ctx: ActorContext, { fullName }: { fullName: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockUser(tx, ctx.actor.id);
    await tx.update(users).set({ fullName, updatedAt: ctx.clock.now() }).where(eq(users.id, before.id));
    if (before.isAdmin) await recordAudit(tx, ctx, "change_name", { before: before.fullName, after: fullName });
  });
}

/**
 * Mails a link to the new address; until it is opened nothing changes. An address that another account has gets a word
 * of explanation instead: the answer, the writes and the page are the same. Asks for the
 * password, and for the second factor where there is one.
 */
export async function requestEmailChange(ctx: ActorContext, input: OwnProof & { email: string }): Promise<void> {
  const proved = await proveOwnAccount(ctx, input);
  const { id: userId } = proved.user;
  const { email } = input;
  if (email === proved.user.email) {
    throw new AppError("invalid", accountTexts.emailSame, { fields: { email: [accountTexts.emailSame] } });
  }
  await limitRate(ctx, `change_email:${userId}`, emailChangeLimit);
  await limitRate(ctx, `change_email-to:${hashToken(email)}`, emailChangeLimitPerAddress);
  const { publicUrl } = ctx.env;
  await changeAsProved(ctx, proved, async (tx, user) => {
    const token = await issueEmailToken(tx, ctx, {
      userId: user.id,
      email,
      purpose: "change_email",
      lifetimeMinutes: confirmLinkHours * 60,
    });
    const other = await findUserByEmail(tx, email);
    const url = `${publicUrl}/auth-callback#type=email_change&access_token=${token}`;
    const mail = other
      ? emailInUseMail({ fullName: other.fullName, publicUrl })
      : newEmailMail({ fullName: user.fullName, url });
    const eventKey = `change_email:${hashToken(token)}`;
    await queueMail(tx, ctx, { eventKey, to: email, isUrgent: true, holdsToken: true, ...mail });
  });
  reportSecurityEvent(ctx, "email_change_requested", { userId, reason: "link_mailed" });
}

/**
 * Uses up the link at the new address, by whoever shows that the account is theirs: from now on it is the account's, and
 * proved. All sessions end but the one that asks, other links stop working, the address before is told. Throws as
 * proveMailedLink does, and where the address was taken.
 */
export async function confirmEmailChange(
  ctx: Context,
  input: { token: string; password?: string | undefined },
): Promise<{ email: string }> {
  const proved = await proveMailedLink(ctx, { ...input, purpose: "change_email" });
  const refusal = new AppError("invalid", accountTexts.emailLinkInvalid);
  const at = ctx.clock.now();
  const changed = await inTransaction(ctx.db, async (tx) => {
    const { email, account: before } = await consumeMailedLink(tx, ctx, proved);
    if (before.isBlocked || before.closedAt !== null) throw refusal;
    const { id, fullName } = before;
    try {
      await tx.update(users).set({ email, emailVerifiedAt: at, updatedAt: at }).where(eq(users.id, id));
    } catch (error) {
      throw isUniqueViolation(error, "users_email_key") ? refusal : error;
    }
    await endSessionsOf(tx, id, ctx.actor?.id === id ? ctx.actor.session.idHash : undefined);
    await dropEmailTokens(tx, id);
    const mail = emailChangedMail({ fullName, newEmail: email, at });
    const eventKey = `email_changed:${hashToken(input.token)}`;
    await queueMail(tx, ctx, { eventKey, to: before.email, isUrgent: true, ...mail });
    if (before.isAdmin) {
      await recordAudit(tx, { ...ctx, actor: before }, "change_email", { before: before.email, after: email });
    }
    return { email };
  });
  const reason = proved.passwordHash === null ? "by_session" : "by_password";
  reportSecurityEvent(ctx, "email_changed", { userId: proved.userId, reason });
  return changed;
}

/** A new password, or for an account without one its first. Ends all sessions, this one too; the address is told. */
export async function changePassword(ctx: ActorContext, input: OwnProof & { password: string }): Promise<void> {
  const proved = await proveOwnAccount(ctx, input);
  if (proved.user.passwordHash !== null && input.password === input.currentPassword) {
    throw new AppError("invalid", accountTexts.passwordSame, { fields: { password: [accountTexts.passwordSame] } });
  }
  await refuseGuessable(input.password, proved.user);
  const passwordHash = await hashPassword(input.password);
  await changeAsProved(ctx, proved, async (tx, user) => {
    await replacePassword(tx, ctx, { userId: user.id, passwordHash });
    if (user.isAdmin) await recordAudit(tx, ctx, "change_password", {});
  });
  reportSecurityEvent(ctx, "password_changed", { userId: proved.user.id, reason: "own_account" });
  leaveBrowser(ctx);
}

/** Ends one of the caller's sessions; one that has ended already is no fault. Asks as a change of the password does. */
export async function endOneSession(ctx: ActorContext, input: OwnProof & { id: string }): Promise<void> {
  const proved = await proveOwnAccount(ctx, input);
  const ended = await changeAsProved(ctx, proved, (tx, user) => endSessionNamed(tx, user.id, input.id));
  if (ended === ctx.actor.session.idHash) leaveBrowser(ctx);
}

/** Ends all of the caller's sessions, this one too. Asks as a change of the password does. */
export async function signOutEverywhere(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const proved = await proveOwnAccount(ctx, proof);
  await changeAsProved(ctx, proved, (tx, user) => endSessionsOf(tx, user.id));
  leaveBrowser(ctx);
}

function leaveBrowser(ctx: Context): void {
  ctx.cookies.clear(sessionCookieName(ctx.env));
  ctx.cookies.clearStorage();
  clearSecondStep(ctx);
}

/**
 * Closes the caller's account: the person is removed, what they backed, paid and wrote stays without their name, and
 * administrators lose their rights. The last active owner can't. Asks as a change of the password does.
 */
export async function closeAccount(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const proved = await proveOwnAccount(ctx, proof);
  const at = ctx.clock.now();
  const close = async (tx: Tx, user: User) => {
    if (user.isAdmin) {
      const roles = await tx.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, user.id));
      await recordAudit(tx, ctx, "close_account", { roles: roles.map(({ role }) => role) });
    }
    await removePerson(tx, ctx, user);
    await tx
      .update(users)
      .set({
        email: `closed-${user.id}@closed.invalid`,
        fullName: closedName,
        passwordHash: null,
        emailVerifiedAt: null,
        isAdmin: false,
        lastActivityAt: null,
        closedAt: at,
        updatedAt: at,
      })
      .where(eq(users.id, user.id));
    const mail = accountClosedMail({ fullName: user.fullName, at });
    await queueMail(tx, ctx, { eventKey: `account_closed:${user.id}`, to: user.email, isUrgent: true, ...mail });
  };
  await changeAsProved(ctx, proved, close, (tx) => requireOtherOwner(tx, proved.user.id));
  leaveBrowser(ctx);
}

/** Part of a transaction: somebody else's account, locked. Throws "User not found" where there is none any more. */
export async function lockPerson(tx: Tx, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
  if (!user || user.closedAt !== null) throw new AppError("not_found", adminTexts.userNotFound);
  return user;
}

/** Nobody gets in any more, and whoever is in goes: the sessions end with it. Not for oneself, nor the last owner. */
export async function blockUser(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", adminTexts.ownAccount);
  await inTransaction(ctx.db, async (tx) => {
    await requireOtherOwner(tx, userId);
    await setBlocked(tx, ctx, userId, true);
  });
}

export async function unblockUser(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  await inTransaction(ctx.db, (tx) => setBlocked(tx, ctx, userId, false));
}

/**
 * Signs somebody out wherever they are signed in, and leaves the account as it is. Not for oneself: one's own sessions
 * end in one's account, which asks for the password.
 */
export async function endSessionsOfPerson(ctx: ActorContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.id) throw new AppError("forbidden", adminTexts.ownAccount);
  await inTransaction(ctx.db, async (tx) => {
    const { email } = await lockPerson(tx, userId);
    await requireSession(tx, ctx.actor);
    const count = await tx.$count(sessions, eq(sessions.userId, userId));
    await endSessionsOf(tx, userId);
    await recordAudit(tx, ctx, "end_sessions", { userId, email, sessions: count });
  });
}

/** Asked for twice, it is done once. */
async function setBlocked(tx: Tx, ctx: ActorContext, userId: string, isBlocked: boolean): Promise<void> {
  const user = await lockPerson(tx, userId);
  await requireSession(tx, ctx.actor);
  if (user.isBlocked === isBlocked) return;
  await tx.update(users).set({ isBlocked, updatedAt: ctx.clock.now() }).where(eq(users.id, userId));
  await endSessionsOf(tx, userId);
  const statusOf = (blocked: boolean) => (blocked ? "blocked" : "active");
  const change = { before: statusOf(user.isBlocked), after: statusOf(isBlocked) };
  await recordAudit(tx, ctx, isBlocked ? "block_user" : "unblock_user", { userId, email: user.email, ...change });
}

/**
 * All that is about the person and no record of the farms or the books: what becomes of each column stands in
 * tests/integration/personal-data.test.ts. The address is kept with payments that wait: their money may have to go back.
 */
async function removePerson(tx: Tx, ctx: ActorContext, { id, email }: User): Promise<void> {
  await endSessionsOf(tx, id);
  const isWaiting = and(eq(projectPayments.userId, id), eq(projectPayments.status, "pending"));
  await tx.update(projectPayments).set({ refundEmail: email }).where(isWaiting);
  const tables = [
    identities,
    knownDevices,
    emailTokens,
    twoFactors,
    recoveryCodes,
    userRoles,
    projectFavorites,
    notificationOptOuts,
  ] as const;
  // What the person was told, and what administrators were told of the person.
  const isNamed = or(eq(notifications.userId, id), eq(notifications.aboutUserId, id));
  // What was mailed; what waits still goes, and is deleted with other old mails.
  const named = tx.select({ id: notifications.id }).from(notifications).where(isNamed);
  const isMailed = or(eq(outgoingMails.recipient, email), inArray(outgoingMails.notificationId, named));
  const isDone = or(isNotNull(outgoingMails.sentAt), isNotNull(outgoingMails.refusal));
  await tx.delete(outgoingMails).where(and(isMailed, isDone));
  const told = await tx.delete(notifications).where(isNamed).returning({ userId: notifications.userId });
  const others = new Set(told.map(({ userId }) => userId).filter((userId) => userId !== id));
  if (others.size > 0) await ctx.events.publish(tx, { type: "notifications", userIds: [...others] });
  for (const table of tables) await tx.delete(table).where(eq(table.userId, id));
  await tx.delete(adminInvites).where(and(eq(adminInvites.email, email), isNotNull(adminInvites.consumedAt)));
}
