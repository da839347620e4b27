import { acceptAttempt, refuseAttempt, reserveAttempt } from "#server/core/attempts.ts";
import type { Context } from "#server/core/context.ts";
import { verifyPassword } from "#server/core/passwords.ts";
import { cancelSignIn } from "#server/core/sign-in-lock.ts";

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
