import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { accountTexts } from "#shared/account-texts.ts";
import { authTexts, type ConfirmingPurpose } from "#shared/auth.ts";
import { provePassword } from "./attempts.ts";
import { consumeEmailToken, type EmailTokenOwner, findEmailToken } from "./email-tokens.ts";
import { requireSession } from "./sessions.ts";
import { lockUser } from "./users.ts";

/**
 * Links that confirm an address. A link shows that its mail was read, not whose account it is for: a stranger may have
 * typed the reader's address. So using one takes the account as well, by its session or by its password; otherwise a
 * stranger's account would become the reader's, with the stranger's password and sessions still working.
 */
type Link = { token: string; purpose: ConfirmingPurpose };

/** Many phones share one address of their network operator. */
const limit = { hits: 300, windowSeconds: 3600 };

const invalidTexts: Record<ConfirmingPurpose, string> = {
  confirm_email: authTexts.confirmationInvalid,
  change_email: accountTexts.emailLinkInvalid,
};
const invalid = ({ purpose }: Link) => new AppError("invalid", invalidTexts[purpose]);

/**
 * For the link's page: the address that it confirms, and what this browser has to show. "sign_in": the account has no
 * password, so only its session will do. Changes nothing. Throws when the link is unknown, used or over.
 */
export async function describeMailedLink(
  ctx: Context,
  link: Link,
): Promise<{ email: string; proof: "session" | "password" | "sign_in" }> {
  const { owner, passwordHash } = await findLink(ctx, link);
  if (ctx.actor?.id === owner.userId) return { email: owner.email, proof: "session" };
  return { email: owner.email, proof: passwordHash === null ? "sign_in" : "password" };
}

/** What {@link proveMailedLink} found: the account's password as it was, or null where its session is the proof. */
export type ProvedLink = Link & { userId: string; passwordHash: string | null };

/**
 * Asks for the account's session or its password, before the link is used. A password counts as an attempt to sign in.
 * Throws at the field `password`, "forbidden" where only a session will do, and when the link doesn't work.
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

/** Part of a transaction: uses the link up and gives its address and the account, locked and still as it was proved. */
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
