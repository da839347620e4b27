import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { authTexts, type ConfirmingPurpose } from "#shared/accounts/inputs.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { provePassword } from "./attempts.ts";
import { consumeEmailToken, type EmailTokenOwner, findEmailToken } from "./email-tokens.ts";
import { requireSession } from "./sessions.ts";
import { lockUser } from "./users.ts";

/**
 * Links that confirm an address. Opening a link proves that its mail was read, not that the account is the reader's,
 * because a stranger may have typed the reader's address. So the link also needs the account's session or password.
 * Otherwise a stranger's account would become the reader's, with the stranger's password and sessions still valid.
 */
type Link = { token: string; purpose: ConfirmingPurpose };

/** Many phones share one IP address of their network operator. */
const limit = { hits: 300, windowSeconds: 3600 };

const invalidTexts: Record<ConfirmingPurpose, string> = {
  confirm_email: authTexts.confirmationInvalid,
  change_email: accountTexts.emailLinkInvalid,
};
const invalid = ({ purpose }: Link) => new AppError("invalid", invalidTexts[purpose]);

/**
 * For the link's page: the address that it confirms, and which proof this browser must give. "sign_in" means that the
 * account has no password, so only its session will do. Changes nothing. Throws if the link is unknown, used or
 * expired.
 */
export async function describeMailedLink(
  ctx: Context,
  link: Link,
): Promise<{ email: string; proof: "session" | "password" | "sign_in" }> {
  const { owner, passwordHash } = await findLink(ctx, link);
  if (ctx.actor?.id === owner.userId) return { email: owner.email, proof: "session" };
  return { email: owner.email, proof: passwordHash === null ? "sign_in" : "password" };
}

/** The result of {@link proveMailedLink}: the password hash that was checked, or null if the session was the proof. */
export type ProvedLink = Link & { userId: string; passwordHash: string | null };

/**
 * Requires the account's session or password before the link is used. A password counts as a sign-in attempt.
 * Throws at the field `password`, "forbidden" if only a session will do, and if the link is invalid.
 */
export async function proveMailedLink(
  ctx: Context,
  { password, ...link }: Link & { password?: string | undefined },
): Promise<ProvedLink> {
  const { owner, accountEmail, passwordHash } = await findLink(ctx, link);
  const { userId } = owner;
  if (ctx.actor?.id === userId) return { ...link, userId, passwordHash: null };
  if (passwordHash === null) throw new AppError("forbidden", authTexts.linkSignInFirst);
  if (!password) {
    const text = authTexts.linkPasswordMissing;
    throw new AppError("invalid", text, { fields: { password: [text] } });
  }
  await provePassword(ctx, { email: accountEmail, passwordHash, password }, authTexts.linkPasswordWrong);
  return { ...link, userId, passwordHash };
}

/**
 * Part of a transaction: uses the link up. Returns its address and the account, locked and unchanged since the proof.
 */
export async function consumeMailedLink(
  tx: Tx,
  ctx: Context,
  proved: ProvedLink,
): Promise<{ email: string; account: typeof users.$inferSelect }> {
  const used = await consumeEmailToken(tx, ctx, proved);
  if (used?.userId !== proved.userId) throw invalid(proved);
  const account = await lockUser(tx, used.userId);
  if (proved.passwordHash === null) await requireSession(tx, ctx.actor);
  else if (account.passwordHash !== proved.passwordHash) throw new AppError("conflict", accountTexts.changedMeanwhile);
  return { email: used.email, account };
}

async function findLink(
  ctx: Context,
  link: Link,
): Promise<{ owner: EmailTokenOwner; accountEmail: string; passwordHash: string | null }> {
  await limitRate(ctx, `mailed-link:${networkOf(ctx.ipAddress)}`, limit);
  const owner = await findEmailToken(ctx, link);
  if (!owner) throw invalid(link);
  const [account] = await ctx.db
    .select({ accountEmail: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, owner.userId));
  if (!account) throw invalid(link);
  return { owner, ...account };
}
