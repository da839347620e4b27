import { eq } from "drizzle-orm";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { identities, users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { clearSignInTrace } from "./attempts.ts";
import { readDevice } from "./devices.ts";
import { consumeEmailToken, dropEmailTokens, findEmailTokenOwner } from "./email-tokens.ts";
import { passwordChangedMail } from "./emails.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { requestLink } from "./send-links.ts";
import { endSessionsOf } from "./sessions.ts";
import { signOut } from "./sign-in.ts";
import { forgetFailures } from "./sign-in-lock.ts";

const resetLimit = { hits: 60, windowSeconds: 3600 };

/** Requests a link for a new password. The response is the same whether the account exists or not. */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  await requestLink(ctx, "reset_password", email);
}

/**
 * Uses up a reset link: sets the password and ends all sessions, including this browser's. The mailed link proves the
 * address. If it was not proved before, everything that others may have attached to the account is removed. Throws if
 * the link is unknown, used or expired.
 */
export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<void> {
  await limitRate(ctx, `reset-password:${networkOf(ctx.ipAddress)}`, resetLimit);
  const given = { token: input.token, purpose: "reset_password" } as const;
  const refusal = new AppError("invalid", authTexts.resetInvalid);
  // Hashing is expensive, so invalid links are refused first.
  const owner = await findEmailTokenOwner(ctx, given);
  if (!owner) {
    reportSecurityEvent(ctx, "reset_refused", { userId: null, reason: "link_invalid" });
    throw refusal;
  }
  await refuseGuessable(input.password, { ...owner, site: ctx.site.current() });
  const passwordHash = await hashPassword(input.password);
  const { userId } = await inTransaction(ctx.db, async (tx) => {
    const link = await consumeEmailToken(tx, ctx, given);
    const [user] = link ? await tx.select().from(users).where(eq(users.id, link.userId)) : [];
    if (!user || user.isBlocked) throw refusal;
    if (user.emailVerifiedAt === null) {
      await tx.delete(identities).where(eq(identities.userId, user.id));
      await tx.delete(knownDevices).where(eq(knownDevices.userId, user.id));
      await tx.update(users).set({ emailVerifiedAt: ctx.clock.now() }).where(eq(users.id, user.id));
    }
    await replacePassword(tx, ctx, { userId: user.id, passwordHash });
    const { email, isAdmin } = user;
    await forgetFailures(tx, ctx, { email, ipAddress: ctx.ipAddress, knownDevice: readDevice(ctx) });
    // Nobody is signed in, so the entry names the account in its details.
    const by = { actor: null, clock: ctx.clock, ipAddress: ctx.ipAddress };
    if (isAdmin) await recordAudit(tx, by, "reset_password", { userId: user.id, email });
    return { userId: user.id };
  });
  reportSecurityEvent(ctx, "password_changed", { userId, reason: "reset" });
  clearSignInTrace(ctx);
  await signOut(ctx);
}

/**
 * Part of a transaction: replaces an account's password (a hash from hashPassword). All its sessions end, pending links
 * become invalid, and the account's address gets a mail. A second factor stays.
 */
export async function replacePassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "jobs" | "site">,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  const at = deps.clock.now();
  const [user] = await tx
    .update(users)
    .set({ passwordHash, updatedAt: at })
    .where(eq(users.id, userId))
    .returning({ email: users.email, fullName: users.fullName });
  if (!user) throw new Error("the account to change was not found");
  await endSessionsOf(tx, userId);
  await dropEmailTokens(tx, userId);
  const mail = passwordChangedMail({ fullName: user.fullName, site: deps.site.current(), at });
  const eventKey = `password_changed:${userId}:${at.toISOString()}`;
  await queueMail(tx, deps, { eventKey, to: user.email, isSecurity: true, ...mail });
}
