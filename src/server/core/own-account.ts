import { eq } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { AppError } from "#server/core/errors.ts";
import { lockUser } from "#server/core/identities.ts";
import { provePassword } from "#server/core/prove-password.ts";
import type { Tx } from "#server/db/open.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import { accountTexts, freshSignInMinutes } from "#shared/account-texts.ts";

type User = typeof users.$inferSelect;

/**
 * Before what must not be done by whoever finds a browser signed in: asks for the account's password, or where it has
 * none for a sign-in of the last ten minutes. Attempts count as those at sign-in do, so that this is no way around
 * their lock. Gives the account as it was; {@link lockProved} then holds it.
 */
export async function proveOwnAccount(ctx: ActorContext, password: string | undefined): Promise<User> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, ctx.actor.id));
  if (!user) throw new Error("the account is gone");
  if (user.passwordHash === null) {
    await requireFreshSignIn(ctx);
    return user;
  }
  if (!password) throw refusal(accountTexts.passwordMissing);
  await provePassword(ctx, { ...user, password }, accountTexts.passwordWrong);
  return user;
}

const refusal = (text: string) => new AppError("invalid", text, { fields: { currentPassword: [text] } });

/** Throws "Please sign out and in again first: …" ten minutes after the sign-in. */
export async function requireFreshSignIn({ db, clock, actor }: ActorContext): Promise<void> {
  const [session] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.idHash, actor.session.idHash));
  const age = session ? clock.now().getTime() - session.createdAt.getTime() : Number.POSITIVE_INFINITY;
  if (age > freshSignInMinutes * 60_000) throw new AppError("forbidden", accountTexts.signInAgain);
}

/**
 * Part of a transaction: the proved account, locked. Throws when its password or address changed since the proof, or
 * the session that asked has ended: a reset or a block must not be outlived by what was under way.
 */
export async function lockProved(tx: Tx, ctx: ActorContext, proved: User): Promise<User> {
  const user = await lockUser(tx, proved.id);
  const [session] = await tx
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.idHash, ctx.actor.session.idHash));
  const isSame = user.passwordHash === proved.passwordHash && user.email === proved.email && !user.isBlocked;
  if (!session || !isSame) throw new AppError("conflict", accountTexts.changedMeanwhile);
  return user;
}
