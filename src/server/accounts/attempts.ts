import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { type Context, cookieName } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { reportSecurityEvent, type SecurityEvent } from "#server/platform/security-events.ts";
import { authTexts } from "#shared/auth.ts";
import { errorTexts } from "#shared/errors.ts";
import { isKnownDevice, readDevice } from "./devices.ts";
import { recoveryCodeUsedMail } from "./mails.ts";
import { verifyPassword } from "./passwords.ts";
import { countRecoveryCodes } from "./second-factor.ts";
import { cancelSignIn, reserveSignIn, type SignInAttempt, SignInRefused, settleSignIn } from "./sign-in-lock.ts";

/** Guesses at what protects an account, as a person meets them: counted before they are looked at, locked after five. */

type Failure = { failures: number; lockedUntil: Date | null };

/** What the page needs for its banner and its warning. The seconds are for phones whose clock is wrong. */
export function describeFailure({ failures, lockedUntil }: Failure, now: Date) {
  const secondsLeft = lockedUntil ? Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000) : 0;
  return { failures, lockedUntil, secondsLeft };
}

function detailsOf(failure: Failure, now: Date): Record<string, string | number> {
  const { failures, lockedUntil, secondsLeft } = describeFailure(failure, now);
  return lockedUntil ? { failures, lockedUntil: lockedUntil.toISOString(), secondsLeft } : { failures };
}

/** A counted attempt, with what the log is to know of it if it fails. */
type Attempt = SignInAttempt & { userId: string | null; failure: FailureEvent };
type FailureEvent = Extract<SecurityEvent, "sign_in_failed" | "second_factor_failed" | "proof_failed">;

const reasonOfFailure = {
  sign_in_failed: "wrong_password",
  second_factor_failed: "wrong_code",
  proof_failed: "wrong_password",
} as const satisfies Record<FailureEvent, string>;

/**
 * Counts an attempt at the account with that address; `subject` sets apart what is guessed at, if it isn't the password,
 * and `failure` is what a wrong one is called in the log. Throws "Too many failed attempts. Try again later." (with the lock's end) or "Too many attempts. …".
 */
export async function reserveAttempt(
  ctx: Context,
  {
    email,
    subject = email,
    failure = subject === email ? "sign_in_failed" : "second_factor_failed",
  }: { email: string; subject?: string; failure?: FailureEvent },
): Promise<Attempt> {
  // Whether there is an account or not, the same is read.
  const [account] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const userId = account?.id ?? null;
  const device = readDevice(ctx);
  const isKnown = device !== null && (await isKnownDevice(ctx.db, email, device));
  try {
    const source = { email: subject, ipAddress: ctx.ipAddress, knownDevice: isKnown ? device : null };
    return { ...(await reserveSignIn(ctx, source)), userId, failure };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const reason = error.lockedUntil === null ? "address_limit" : "locked";
    reportSecurityEvent(ctx, "attempt_refused", { userId, reason });
    if (error.lockedUntil === null) throw new AppError("rate_limited", errorTexts.rateLimited);
    leaveSignInTrace(ctx, error.key);
    throw new AppError("rate_limited", authTexts.locked, { details: detailsOf(error, ctx.clock.now()) });
  }
}

/**
 * The attempt was wrong, and stays counted: in the words of the page, and at the fifth with the end of the lock. `field`
 * is where a form shows it.
 */
export function refuseAttempt(ctx: Context, attempt: Attempt, message: string, field?: string): AppError {
  const { userId, failure } = attempt;
  reportSecurityEvent(ctx, failure, { userId, reason: reasonOfFailure[failure] });
  if (attempt.lockedUntil !== null) reportSecurityEvent(ctx, "locked", { userId, reason: failure });
  leaveSignInTrace(ctx, attempt.keys.pair);
  const details = detailsOf(attempt, ctx.clock.now());
  const isLocked = attempt.lockedUntil !== null;
  const text = isLocked ? authTexts.nowLocked : message;
  return new AppError(isLocked ? "rate_limited" : "invalid", text, {
    details,
    ...(field !== undefined && { fields: { [field]: [text] } }),
  });
}

/** The attempt was right: it was no failure. */
export async function acceptAttempt(ctx: Context, attempt: SignInAttempt): Promise<void> {
  await settleSignIn(ctx, attempt);
  clearSignInTrace(ctx);
}

/**
 * Which counter this browser's last failure was counted on. The name is made with a secret and says nothing of the
 * account, nor whether there is one.
 */
const traceCookie = "sign-in";
const traceSeconds = 3600;

export function readSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">): string {
  return cookies.get(cookieName(env, traceCookie)) ?? "";
}

function leaveSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">, counterKey: string): void {
  cookies.set(cookieName(env, traceCookie), counterKey, {
    maxAgeSeconds: traceSeconds,
    sameSite: "strict",
    httpOnly: true,
  });
}

export function clearSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, traceCookie));
}

/** What attempts at an account's codes are counted under: a right password must not set them back. */
export const secondFactorSubject = (userId: string): string => `second-factor:${userId}`;

/** Part of the transaction that used a recovery code up: it is written down and mailed. */
export async function tellOfRecoveryCode(tx: Tx, ctx: Context, user: typeof users.$inferSelect): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  await recordAudit(tx, { ...ctx, actor: user }, "recovery_code_used", { left });
  const reader = { fullName: user.fullName, publicUrl: ctx.env.publicUrl, at: ctx.clock.now() };
  const eventKey = `two_factor:${randomUUID()}`;
  await queueMail(tx, ctx, { eventKey, to: user.email, isUrgent: true, ...recoveryCodeUsedMail({ ...reader, left }) });
}

/**
 * Checks a password without signing in, counted as an attempt to sign in to the account with that address. `passwordHash` null is an
 * account without a password, or none: it takes as long and is as wrong. Throws `wrongText`, or what the lock says, at `field`.
 */
export async function provePassword(
  ctx: Context,
  { email, passwordHash, password }: { email: string; passwordHash: string | null; password: string },
  wrongText: string,
  field?: string,
): Promise<void> {
  const attempt = await reserveAttempt(ctx, { email, failure: "proof_failed" });
  const isRight = await verifyPassword(passwordHash, password).catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!isRight) throw refuseAttempt(ctx, attempt, wrongText, field);
  await acceptAttempt(ctx, attempt);
}
