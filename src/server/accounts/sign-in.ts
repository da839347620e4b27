import { eq } from "drizzle-orm";
import { clearGoogleLinkStep } from "#server/accounts/google/link-step.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { type ActorContext, type Context, sessionCookieName } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { reasonOfRefusal, reportSecurityEvent } from "#server/platform/security-events.ts";
import { authTexts, type SignInInput } from "#shared/accounts/inputs.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import {
  acceptAttempt,
  notifyRecoveryCodeUsed,
  refuseAttempt,
  reserveAttempt,
  secondFactorSubject,
} from "./attempts.ts";
import {
  type EntryMethod,
  findFactorState,
  handOverSession,
  openSession,
  openSessionAfterCode,
} from "./open-session.ts";
import { verifyPassword } from "./passwords.ts";
import { spendCode } from "./second-factor.ts";
import { clearSecondStep, readSecondStep, secondStepExpired } from "./second-step.ts";
import { endSession, touchSession } from "./sessions.ts";
import { cancelSignIn } from "./sign-in-lock.ts";
import { findUserByEmail, lockUser, type User } from "./users.ts";

type Account = { isBlocked: boolean; emailVerifiedAt: Date | null };

/** Returns the error for a person with the right password who may not sign in; null if they may. */
function signInObstacle(account: Account, requiresConfirmation: boolean): AppError | null {
  if (account.isBlocked) return new AppError("forbidden", authTexts.blocked);
  if (requiresConfirmation && account.emailVerifiedAt === null) return new AppError("forbidden", authTexts.checkEmail);
  return null;
}

/** If a code is needed first, there is no session yet: see {@link verifySecondFactor}. */
export type SignInResult = { isAdmin: boolean; needsCode: boolean };

/** Sign-in at /login, for every account. */
export async function signIn(ctx: Context, input: SignInInput): Promise<SignInResult> {
  const user = await findBySignIn(ctx, input, authTexts.wrongCredentials);
  return enter(ctx, "password", byPassword(user, authTexts.wrongCredentials));
}

/** Sign-in at /admin/login, for administrators only. Another person with the right password is signed out. */
export async function adminSignIn(ctx: Context, input: SignInInput): Promise<SignInResult> {
  const user = await findBySignIn(ctx, input, authTexts.wrongAdminCredentials);
  if (!user.isAdmin) {
    await signOut(ctx);
    reportSecurityEvent(ctx, "sign_in_failed", { userId: user.id, reason: "not_admin" });
    throw new AppError("forbidden", authTexts.notAdmin);
  }
  return enter(ctx, "password", byPassword(user, authTexts.wrongAdminCredentials));
}

/**
 * The account with that address and password, unless it may not sign in. Neither the response nor its time reveals
 * whether an account exists to anybody without its password.
 */
async function findBySignIn(ctx: Context, { email, password }: SignInInput, wrongMessage: string): Promise<User> {
  const attempt = await reserveAttempt(ctx, { email });
  const user = await findUserByEmail(ctx.db, email);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!isRight || !user) throw refuseAttempt(ctx, attempt, wrongMessage);
  await acceptAttempt(ctx, attempt);
  const obstacle = signInObstacle(user, ctx.env.requireEmailConfirmation);
  if (obstacle) {
    reportSecurityEvent(ctx, "sign_in_failed", { userId: user.id, reason: reasonOfRefusal(obstacle) });
    throw obstacle;
  }
  return user;
}

/**
 * Signs a person in, whatever their proof. `prove` runs in the transaction that opens the session, and returns the
 * account's row, locked. A reset, a block or lost rights since the first look ended all sessions, so no new session may
 * begin from the old state.
 */
export async function enter(
  ctx: Context,
  method: EntryMethod,
  prove: (tx: Tx) => Promise<User>,
): Promise<SignInResult> {
  let userId: string | null = null;
  const { user, entry } = await inTransaction(ctx.db, async (tx) => {
    const user = await prove(tx);
    userId = user.id;
    const obstacle = signInObstacle(user, ctx.env.requireEmailConfirmation);
    if (obstacle) throw obstacle;
    return { user, entry: await openSession(tx, ctx, user, method) };
  }).catch((error: unknown) => {
    if (error instanceof AppError) {
      reportSecurityEvent(ctx, "sign_in_failed", { userId, reason: `${method}_${reasonOfRefusal(error)}` });
    }
    throw error;
  });
  const { needsCode } = await handOverSession(ctx, user.isAdmin ? "admin" : "backer", entry);
  return { isAdmin: user.isAdmin, needsCode };
}

/** A `prove` for {@link enter}: the checked password must still be the account's. */
function byPassword(user: User, wrongMessage: string) {
  return async (tx: Tx): Promise<User> => {
    const [current] = await tx.select().from(users).where(eq(users.id, user.id)).for("no key update");
    if (current?.passwordHash !== user.passwordHash) throw new AppError("invalid", wrongMessage);
    return current;
  };
}

/**
 * The second step of an administrator's sign-in: an app code or a recovery code, each valid once. Attempts are counted
 * apart from those at the password, because a right password resets its counter. Throws "unauthenticated" if the first
 * step is expired, used or no longer valid.
 */
export async function verifySecondFactor(ctx: Context, { code }: { code: string }): Promise<SignInResult> {
  const step = readSecondStep(ctx);
  if (!step) throw secondStepExpired();
  const { userId } = step;
  const [user] = await ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw secondStepExpired();
  const attempt = await reserveAttempt(ctx, { email: user.email, subject: secondFactorSubject(userId) });
  const entry = await inTransaction(ctx.db, async (tx) => {
    const account = await lockUser(tx, userId);
    const obstacle = signInObstacle(account, ctx.env.requireEmailConfirmation);
    if (obstacle) throw obstacle;
    if (!account.isAdmin || step.state !== (await findFactorState(tx, ctx, userId))) throw secondStepExpired();
    const secondFactor = await spendCode(tx, ctx, { userId, code });
    if (!secondFactor) return null;
    if (secondFactor === "recovery_code") await notifyRecoveryCodeUsed(tx, ctx, account);
    return openSessionAfterCode(tx, ctx, { step, secondFactor });
  }).catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!entry) throw refuseAttempt(ctx, attempt, twoFactorTexts.codeWrong);
  await acceptAttempt(ctx, attempt);
  const { needsCode } = await handOverSession(ctx, "admin", entry);
  return { isAdmin: true, needsCode };
}

/**
 * Ends the browser's session, if any, and a pending second step. With `isFinal` the person leaves, and the browser's
 * storage is cleared. Without it drafts stay, as after a session that expired.
 */
export async function signOut(ctx: Context, { isFinal }: { isFinal: boolean } = { isFinal: false }): Promise<void> {
  const name = sessionCookieName(ctx.env);
  const token = ctx.cookies.get(name);
  if (token && ctx.actor) await endSession(ctx, token);
  ctx.cookies.clear(name);
  if (isFinal) ctx.cookies.clearStorage();
  clearSecondStep(ctx);
  clearGoogleLinkStep(ctx);
}

/** A real action of the person; only this extends a session. */
export async function touch(ctx: ActorContext): Promise<{ expiresAt: Date }> {
  return { expiresAt: await touchSession(ctx, ctx.actor) };
}
