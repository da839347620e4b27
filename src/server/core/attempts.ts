import { eq } from "drizzle-orm";
import type { Context } from "#server/core/context.ts";
import { isKnownDevice, readDevice } from "#server/core/devices.ts";
import { AppError } from "#server/core/errors.ts";
import { reportSecurityEvent, type SecurityEvent } from "#server/core/security-events.ts";
import { reserveSignIn, type SignInAttempt, SignInRefused, settleSignIn } from "#server/core/sign-in-lock.ts";
import { clearSignInTrace, leaveSignInTrace } from "#server/core/sign-in-trace.ts";
import { users } from "#server/db/schema/users.ts";
import { authTexts } from "#shared/auth.ts";
import { errorTexts } from "#shared/errors.ts";

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
