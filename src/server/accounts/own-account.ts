import { and, eq, gt, isNull } from "drizzle-orm";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction } from "#server/db/open.ts";
import { emailTokens } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { type ActorContext, type Context, sessionCookieName } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { nameDevice } from "#shared/accounts/device-name.ts";
import { confirmLinkHours } from "#shared/accounts/inputs.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { consumeMailedLink, proveMailedLink } from "./confirm-link.ts";
import { dropEmailTokens, issueEmailToken } from "./email-tokens.ts";
import { emailChangedMail, emailInUseMail, newEmailMail } from "./emails.ts";
import { changeAsProved, type OwnProof, proveOwnAccount } from "./own-proof.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { replacePassword } from "./reset-password.ts";
import { isCodeAsked } from "./second-factor.ts";
import { clearSecondStep } from "./second-step.ts";
import { endSessionNamed, endSessionsOf, hashToken, listSessionsOf, sessionName } from "./sessions.ts";
import { findUserByEmail, lockUser } from "./users.ts";

/** The caller's account. `pendingEmail` is the new address whose link hasn't been opened yet. */
export async function describeAccount({ db, clock, actor }: ActorContext) {
  const [user] = await db.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new Error("the account is gone");
  const [pending] = await db
    .select({ email: emailTokens.email })
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.userId, actor.id),
        eq(emailTokens.purpose, "change_email"),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, clock.now()),
      ),
    );
  return {
    fullName: user.fullName,
    email: user.email,
    hasPassword: user.passwordHash !== null,
    isAdmin: user.isAdmin,
    isCodeAsked: await isCodeAsked(db, user),
    pendingEmail: pending?.email ?? null,
  };
}

/** The caller's sessions: this browser's first, then by last activity. */
export async function describeSessions(ctx: ActorContext) {
  const found = await listSessionsOf(ctx, ctx.actor.id);
  return found
    .map(({ idHash, device, ipAddress, createdAt, lastActivityAt }) => ({
      id: sessionName(idHash),
      device: nameDevice(device),
      ipAddress,
      createdAt,
      lastActivityAt,
      isThisDevice: idHash === ctx.actor.session.idHash,
    }))
    .sort((a, b) => Number(b.isThisDevice) - Number(a.isThisDevice));
}

/** Each request needs a password first, which has its own limits. These limits protect other people's mailboxes. */
const emailChangeLimit = { hits: 10, windowSeconds: 3600 };

const emailChangeLimitPerAddress = { hits: 3, windowSeconds: 3600 };

/** Changes the caller's name. For an administrator it is audited. */
export async function changeName(ctx: ActorContext, { fullName }: { fullName: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await lockUser(tx, ctx.actor.id);
    await tx.update(users).set({ fullName, updatedAt: ctx.clock.now() }).where(eq(users.id, before.id));
    if (before.isAdmin) await recordAudit(tx, ctx, "change_name", { before: before.fullName, after: fullName });
  });
}

/**
 * Mails a link to the new address. Nothing changes until it is opened. If another account has the address, its owner
 * gets an explanation instead, with the same response, writes and page. Asks for the password, and for the second
 * factor if there is one.
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
  const site = ctx.site.current();
  await changeAsProved(ctx, proved, async (tx, user) => {
    const token = await issueEmailToken(tx, ctx, {
      userId: user.id,
      email,
      purpose: "change_email",
      lifetimeMinutes: confirmLinkHours * 60,
    });
    const other = await findUserByEmail(tx, email);
    const url = `${site.publicUrl}/auth-callback#type=email_change&access_token=${token}`;
    const mail = other
      ? emailInUseMail({ fullName: other.fullName, site })
      : newEmailMail({ site: ctx.site.current(), fullName: user.fullName, url });
    const eventKey = `change_email:${hashToken(token)}`;
    await queueMail(tx, ctx, { eventKey, to: email, isSecurity: true, holdsToken: true, ...mail });
  });
  reportSecurityEvent(ctx, "email_change_requested", { userId, reason: "link_mailed" });
}

/**
 * Uses up the link sent to the new address, after a proof of the account. The address becomes the account's and is
 * verified.
 * All other sessions end, other links become invalid, and the previous address gets a mail. Throws as proveMailedLink
 * does, and if the address has been taken.
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
    const mail = emailChangedMail({ site: ctx.site.current(), fullName, newEmail: email, at });
    const eventKey = `email_changed:${hashToken(input.token)}`;
    await queueMail(tx, ctx, { eventKey, to: before.email, isSecurity: true, ...mail });
    if (before.isAdmin) {
      await recordAudit(tx, { ...ctx, actor: before }, "change_email", { before: before.email, after: email });
    }
    return { email };
  });
  const reason = proved.passwordHash === null ? "by_session" : "by_password";
  reportSecurityEvent(ctx, "email_changed", { userId: proved.userId, reason });
  return changed;
}

/**
 * Sets a new password, or an account's first one. Ends all sessions, including this one, and mails the account's
 * address.
 */
export async function changePassword(ctx: ActorContext, input: OwnProof & { password: string }): Promise<void> {
  const proved = await proveOwnAccount(ctx, input);
  if (proved.user.passwordHash !== null && input.password === input.currentPassword) {
    throw new AppError("invalid", accountTexts.passwordSame, { fields: { password: [accountTexts.passwordSame] } });
  }
  await refuseGuessable(input.password, { ...proved.user, site: ctx.site.current() });
  const passwordHash = await hashPassword(input.password);
  await changeAsProved(ctx, proved, async (tx, user) => {
    await replacePassword(tx, ctx, { userId: user.id, passwordHash });
    if (user.isAdmin) await recordAudit(tx, ctx, "change_password", {});
  });
  reportSecurityEvent(ctx, "password_changed", { userId: proved.user.id, reason: "own_account" });
  leaveBrowser(ctx);
}

/**
 * Ends one of the caller's sessions; no error if it has ended already. Needs the same proof as a change of password.
 */
export async function endOneSession(ctx: ActorContext, input: OwnProof & { id: string }): Promise<void> {
  const proved = await proveOwnAccount(ctx, input);
  const ended = await changeAsProved(ctx, proved, (tx, user) => endSessionNamed(tx, user.id, input.id));
  if (ended === ctx.actor.session.idHash) leaveBrowser(ctx);
}

/** Ends all of the caller's sessions, including this one. Needs the same proof as a change of password. */
export async function signOutEverywhere(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const proved = await proveOwnAccount(ctx, proof);
  await changeAsProved(ctx, proved, (tx, user) => endSessionsOf(tx, user.id));
  leaveBrowser(ctx);
}

/** Signs the browser out and deletes its storage. The session itself is ended by the caller. */
export function leaveBrowser(ctx: Context): void {
  ctx.cookies.clear(sessionCookieName(ctx.env));
  ctx.cookies.clearStorage();
  clearSecondStep(ctx);
}
