import { AppError } from "#server/core/errors.ts";
import { authTexts } from "#shared/auth.ts";

type Account = { isBlocked: boolean; emailVerifiedAt: Date | null };

/** Why a person with the right password still may not come in; null if they may. */
export function signInObstacle(account: Account, requiresConfirmation: boolean): AppError | null {
  if (account.isBlocked) return new AppError("forbidden", authTexts.blocked);
  if (requiresConfirmation && account.emailVerifiedAt === null) return new AppError("forbidden", authTexts.checkEmail);
  return null;
}
