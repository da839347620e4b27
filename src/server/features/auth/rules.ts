import { AppError } from "#server/core/errors.ts";
import { authTexts } from "#shared/auth.ts";

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

/** A wrong password: in the words of the page, and at the fifth failure with the end of the lock. */
export function wrongPassword(failure: Failure, now: Date, message: string): AppError {
  const details = detailsOf(failure, now);
  return failure.lockedUntil === null
    ? new AppError("invalid", message, { details })
    : new AppError("rate_limited", authTexts.nowLocked, { details });
}

/** An attempt that wasn't even looked at. */
export function lockedOut(failure: Failure, now: Date): AppError {
  return new AppError("rate_limited", authTexts.locked, { details: detailsOf(failure, now) });
}

type Account = { isBlocked: boolean; emailVerifiedAt: Date | null };

/** Why a person with the right password still may not come in; null if they may. */
export function signInObstacle(account: Account, requiresConfirmation: boolean): AppError | null {
  if (account.isBlocked) return new AppError("forbidden", authTexts.blocked);
  if (requiresConfirmation && account.emailVerifiedAt === null) return new AppError("forbidden", authTexts.checkEmail);
  return null;
}
