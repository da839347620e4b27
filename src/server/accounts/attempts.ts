import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import { type Context, cookieName } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { reportSecurityEvent, type SecurityEvent } from "#server/platform/security-events.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { errorTexts } from "#shared/errors.ts";
import { isKnownDevice, readDevice } from "./devices.ts";
import { recoveryCodeUsedMail } from "./emails.ts";
import { verifyPassword } from "./passwords.ts";
import { countRecoveryCodes } from "./second-factor.ts";
import { cancelSignIn, reserveSignIn, type SignInAttempt, SignInRefused, settleSignIn } from "./sign-in-lock.ts";

/** Attempts to guess a password or a code. Each is counted before it is checked, and five failures lock. */

type Failure = { failures: number; lockedUntil: Date | null };

/** Describes a failure for the page's banner and warning. The seconds serve phones whose clock is wrong. */
export function describeFailure({ failures, lockedUntil }: Failure, now: Date) {
  const secondsLeft = lockedUntil ? Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000) : 0;
  return { failures, lockedUntil, secondsLeft };
}

function detailsOf(failure: Failure, now: Date): Record<string, string | number> {
  const { failures, lockedUntil, secondsLeft } = describeFailure(failure, now);
  return lockedUntil ? { failures, lockedUntil: lockedUntil.toISOString(), secondsLeft } : { failures };
}

/** A counted attempt, and how the log names its failure. */
type Attempt = SignInAttempt & { userId: string | null; failure: FailureEvent };
type FailureEvent = Extract<SecurityEvent, "sign_in_failed" | "second_factor_failed" | "proof_failed">;

const reasonOfFailure = {
  sign_in_failed: "wrong_password",
  second_factor_failed: "wrong_code",
  proof_failed: "wrong_password",
} as const satisfies Record<FailureEvent, string>;

/**
 * Counts an attempt at the account with that address. `subject` separates the counters of what is guessed, if it isn't
 * the password. `failure` is the log's event for a wrong one. Throws "Too many failed attempts. Try again later." (with
 * the lock's end) or "Too many attempts. …".
 */
export async function reserveAttempt(
  ctx: Context,
  {
    email,
    subject = email,
    failure = subject === email ? "sign_in_failed" : "second_factor_failed",
  }: { email: string; subject?: string; failure?: FailureEvent },
): Promise<Attempt> {
  // The same query runs whether the account exists or not.
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
 * The error of a wrong attempt, which stays counted: the page's text and, at the fifth, the lock's end. `field` is the
 * form field that shows it.
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

/** Takes the count of a successful attempt back. */
export async function acceptAttempt(ctx: Context, attempt: SignInAttempt): Promise<void> {
  await settleSignIn(ctx, attempt);
  clearSignInTrace(ctx);
}

/**
 * Remembers which counter this browser's last failure was counted on. The counter's name is a keyed hash, so it reveals
 * neither the account nor whether it exists.
 */
const traceCookie = "sign-in";
const traceSeconds = 3600;

/** The counter of this browser's last failed attempt, or "". */
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

/** The subject under which attempts at an account's codes are counted. A right password must not reset that count. */
export const secondFactorSubject = (userId: string): string => `second-factor:${userId}`;

/** Audits and mails the use of a recovery code, in the transaction that used it up. */
export async function notifyRecoveryCodeUsed(tx: Tx, ctx: Context, user: typeof users.$inferSelect): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  await recordAudit(tx, { ...ctx, actor: user }, "recovery_code_used", { left });
  const reader = { fullName: user.fullName, site: ctx.site.current(), at: ctx.clock.now() };
  const eventKey = `two_factor:${randomUUID()}`;
  await queueMail(tx, ctx, {
    eventKey,
    to: user.email,
    isSecurity: true,
    ...recoveryCodeUsedMail({ ...reader, left }),
  });
}

/**
 * Checks a password without signing in, counted as a sign-in attempt at the account with that address. If
 * `passwordHash` is null (no account, or none with a password), the check takes as long and fails. Throws `wrongText`,
 * or the lock's text, at `field`.
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
