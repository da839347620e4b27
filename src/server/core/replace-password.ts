import { eq } from "drizzle-orm";
import { passwordChangedMail } from "#server/core/account-mails.ts";
import type { Deps } from "#server/core/deps.ts";
import { dropEmailTokens } from "#server/core/email-tokens.ts";
import { queueMail } from "#server/core/outbox.ts";
import { endSessionsOf } from "#server/core/own-sessions.ts";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";

/**
 * Part of a transaction: gives an account another password (its hash, from hashPassword). All its sessions end, links
 * that wait for it stop working, and the account's address is told. A second factor stays as it is.
 */
export async function replacePassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "jobs">,
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
  const mail = passwordChangedMail({ fullName: user.fullName, publicUrl: deps.env.publicUrl, at });
  const eventKey = `password_changed:${userId}:${at.toISOString()}`;
  await queueMail(tx, deps, { eventKey, to: user.email, isUrgent: true, ...mail });
}
