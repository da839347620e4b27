import { eq } from "drizzle-orm";
import type { z } from "zod";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFormToken } from "#server/platform/form-token.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import {
  authTexts,
  type correctSignUpInput,
  type resendConfirmationInput,
  type signUpInput,
} from "#shared/accounts/inputs.ts";
import { provePassword } from "./attempts.ts";
import { consumeMailedLink, proveMailedLink } from "./confirm-link.ts";
import { keepConsent } from "./consents.ts";
import { dropEmailTokens } from "./email-tokens.ts";
import { handOverSession, openSession } from "./open-session.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { linkLimitPerAccount, mailConfirmationLink, requestLink } from "./send-links.ts";
import { endSessionsOf, hashToken } from "./sessions.ts";
import { enter, type SignInResult } from "./sign-in.ts";
import { findUserByEmail, insertUser, type User } from "./users.ts";

/** Generous, because many phones share one IP address of their network operator. */
const signUpLimit = { hits: 60, windowSeconds: 3600 };

/**
 * Creates an account, and keeps the terms that it agrees to. If addresses must be confirmed, a link is mailed and
 * nobody is signed in yet; else the person is signed in. Throws "An account with this email already exists."
 * (specified, so limited per address).
 */
export async function signUp(ctx: Context, input: z.output<typeof signUpInput>): Promise<{ isSignedIn: boolean }> {
  requireFormToken(ctx, input.formToken);
  await limitRate(ctx, `sign-up:${networkOf(ctx.ipAddress)}`, signUpLimit);
  await refuseGuessable(input.password, { ...input, site: ctx.site.current() });
  const passwordHash = await hashPassword(input.password);
  const { email, fullName } = input;
  const isSignedIn = !ctx.env.requireEmailConfirmation;
  const token = await inTransaction(ctx.db, async (tx) => {
    const user = await insertUser(tx, ctx.clock, { email, fullName, passwordHash });
    await keepConsent(tx, ctx, { userId: user.id, kind: "sign_up", page: "terms" });
    if (isSignedIn) return openSession(tx, ctx, user);
    await mailConfirmationLink(tx, ctx, user, input.next);
    return null;
  });
  if (token) await handOverSession(ctx, "backer", token);
  return { isSignedIn };
}

/**
 * Uses up a confirmation link, after a proof of the account: its session, or its password, which signs the person in.
 * Throws as proveMailedLink does.
 */
export async function confirmEmail(
  ctx: Context,
  input: { token: string; password?: string | undefined },
): Promise<SignInResult> {
  const proved = await proveMailedLink(ctx, { ...input, purpose: "confirm_email" });
  const confirm = async (tx: Tx): Promise<User> => {
    const { account } = await consumeMailedLink(tx, ctx, proved);
    const emailVerifiedAt = account.emailVerifiedAt ?? ctx.clock.now();
    await tx.update(users).set({ emailVerifiedAt }).where(eq(users.id, account.id));
    return { ...account, emailVerifiedAt };
  };
  if (proved.passwordHash !== null) return enter(ctx, "password", confirm);
  const { isAdmin } = await inTransaction(ctx.db, confirm);
  return { isAdmin, needsCode: false };
}

/**
 * Corrects a new account's mistyped address before it is confirmed. A link goes to the right address, and links to the
 * wrong one become invalid. The wrong address's owner never had the account and gets no mail. Throws "This is not the
 * password of that account." whether the account exists or not, "conflict" once it is confirmed, and as signing up
 * does.
 */
export async function correctSignUp(
  ctx: Context,
  { email, newEmail, password, next }: z.output<typeof correctSignUpInput>,
): Promise<void> {
  await limitRate(ctx, `sign-up:${networkOf(ctx.ipAddress)}`, signUpLimit);
  const faultOf = (text: string, reason: "invalid" | "conflict") =>
    new AppError(reason, text, { fields: { newEmail: [text] } });
  if (newEmail === email) throw faultOf(authTexts.correctionSame, "invalid");
  // Without confirmation the account is already in use, so its address changes like any other's.
  if (!ctx.env.requireEmailConfirmation) throw faultOf(authTexts.correctionLate, "conflict");
  const found = await findUserByEmail(ctx.db, email);
  const passwordHash = found?.passwordHash ?? null;
  await provePassword(ctx, { email, passwordHash, password }, authTexts.linkPasswordWrong);
  await limitRate(ctx, `confirm_email-to:${hashToken(newEmail)}`, linkLimitPerAccount);
  const userId = await inTransaction(ctx.db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for("no key update");
    if (!user || user.passwordHash !== passwordHash) throw new AppError("invalid", authTexts.linkPasswordWrong);
    if (user.isBlocked) throw new AppError("forbidden", authTexts.blocked);
    if (user.emailVerifiedAt !== null) throw faultOf(authTexts.correctionLate, "conflict");
    try {
      await tx.update(users).set({ email: newEmail, updatedAt: ctx.clock.now() }).where(eq(users.id, user.id));
    } catch (error) {
      throw isUniqueViolation(error, "users_email_key") ? faultOf(authTexts.emailTaken, "conflict") : error;
    }
    await endSessionsOf(tx, user.id);
    await dropEmailTokens(tx, user.id);
    await mailConfirmationLink(tx, ctx, { ...user, email: newEmail }, next);
    return user.id;
  });
  reportSecurityEvent(ctx, "email_changed", { userId, reason: "before_confirmation" });
}

/** Mails a new link for an unconfirmed account. The response is the same whether the account exists or not. */
export async function resendConfirmation(
  ctx: Context,
  { email, next }: z.output<typeof resendConfirmationInput>,
): Promise<void> {
  await requestLink(ctx, "confirm_email", email, next);
}
