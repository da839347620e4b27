import { eq } from "drizzle-orm";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { accountTexts, freshSignInMinutes } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import {
  acceptAttempt,
  notifyRecoveryCodeUsed,
  provePassword,
  refuseAttempt,
  reserveAttempt,
  secondFactorSubject,
} from "./attempts.ts";
import { isCodeAsked, spendCode } from "./second-factor.ts";
import { markProved } from "./sessions.ts";
import { cancelSignIn } from "./sign-in-lock.ts";
import { lockUser } from "./users.ts";

type User = typeof users.$inferSelect;

/** The proof that the signed-in person owns the account. */
export type OwnProof = { currentPassword?: string | undefined; code?: string | undefined };

/** The account when its password was checked, and the code that {@link changeAsProved} will use up. */
export type Proved = { user: User; isCodeAsked: boolean; code: string };

/**
 * Protects important changes from a stranger at a signed-in browser. Asks for the account's password or, if it has
 * none, for a sign-in within the last ten minutes, and for a code if the account has a second factor. Attempts count
 * like those at sign-in, so their lock can't be bypassed here. The change itself goes through {@link changeAsProved}.
 */
export async function proveOwnAccount(ctx: ActorContext, { currentPassword, code = "" }: OwnProof): Promise<Proved> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, ctx.actor.id));
  if (!user) throw new Error("the account is gone");
  if (user.passwordHash === null) await requireFreshSignIn(ctx);
  else if (!currentPassword) throw refusal("currentPassword", accountTexts.passwordMissing);
  else await provePassword(ctx, { ...user, password: currentPassword }, accountTexts.passwordWrong, "currentPassword");
  const proved = { user, isCodeAsked: await isCodeAsked(ctx.db, user), code };
  if (proved.isCodeAsked && code === "") throw refusal("code", twoFactorTexts.codeMissing);
  return proved;
}

const refusal = (field: "currentPassword" | "code", text: string) =>
  new AppError("invalid", text, { fields: { [field]: [text] } });

/** Throws "Please sign out and in again first: …" if the sign-in was more than ten minutes ago. */
export async function requireFreshSignIn({ db, clock, actor }: ActorContext): Promise<void> {
  const [session] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.idHash, actor.session.idHash));
  const age = session ? clock.now().getTime() - session.createdAt.getTime() : Number.POSITIVE_INFINITY;
  if (age > freshSignInMinutes * 60_000) throw new AppError("forbidden", accountTexts.signInAgain);
}

/**
 * Makes the change in one transaction, with the account locked. The code counts once, and only if the change is made.
 * `first` locks what must be locked before the account. Throws if the password or the address changed since the proof,
 * or if the session has ended: no request may go on after a reset or a block.
 */
export async function changeAsProved<Result>(
  ctx: ActorContext,
  proved: Proved,
  change: (tx: Tx, user: User) => Promise<Result>,
  first?: (tx: Tx) => Promise<void>,
): Promise<Result> {
  const { id: userId, email } = proved.user;
  const run = () =>
    inTransaction(ctx.db, async (tx) => {
      await first?.(tx);
      const user = await lockProved(tx, ctx, proved.user);
      if (await isCodeAsked(tx, user)) {
        const use = await spendCode(tx, ctx, { userId, code: proved.code });
        if (use === null) return null;
        if (use === "recovery_code") await notifyRecoveryCodeUsed(tx, ctx, user);
      }
      await markProved(tx, ctx);
      return { done: await change(tx, user) };
    });
  if (!proved.isCodeAsked) {
    const result = await run();
    // The second factor was switched on after the proof.
    if (!result) throw refusal("code", twoFactorTexts.codeMissing);
    return result.done;
  }
  const attempt = await reserveAttempt(ctx, { email, subject: secondFactorSubject(userId) });
  const result = await run().catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!result) throw refuseAttempt(ctx, attempt, twoFactorTexts.codeWrong, "code");
  await acceptAttempt(ctx, attempt);
  return result.done;
}

async function lockProved(tx: Tx, ctx: ActorContext, proved: User): Promise<User> {
  const user = await lockUser(tx, proved.id);
  const [session] = await tx
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.idHash, ctx.actor.session.idHash));
  const isSame = user.passwordHash === proved.passwordHash && user.email === proved.email && !user.isBlocked;
  if (!session || !isSame) throw new AppError("conflict", accountTexts.changedMeanwhile);
  return user;
}

/**
 * Asks for the proof on its own: for the next minutes this session may do what requireProof
 * (src/server/platform/procedures.ts) guards.
 */
export async function proveSession(ctx: ActorContext, proof: OwnProof): Promise<void> {
  const proved = await proveOwnAccount(ctx, proof);
  // Every proof that is accepted counts for the session.
  await changeAsProved(ctx, proved, async () => undefined);
}
