import { eq } from "drizzle-orm";
import { newDeviceMail } from "#server/core/account-mails.ts";
import { recordAudit } from "#server/core/audit.ts";
import type { Context } from "#server/core/context.ts";
import { ensureDevice, rememberDevice } from "#server/core/devices.ts";
import { queueMail } from "#server/core/outbox.ts";
import { endSession, findActor, hashToken, sessionCookieName, startSession } from "#server/core/sessions.ts";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { nameDevice } from "#shared/device-name.ts";
import { absoluteLimitMinutes, type SessionKind } from "#shared/sessions.ts";

/** How a person came in, as the audit entry of an administrator's sign-in says it. */
export type EntryMethod = "password" | "google" | "invitation";

/**
 * The one way in, in two steps. First, part of a transaction: the session's row, the device (a new one of an account that
 * has had others is mailed to its address), and for administrators the audit entry. Gives the token for {@link handOverSession}. `user` as the database has it in this transaction.
 */
export async function openSession(
  tx: Tx,
  ctx: Context,
  user: { id: string; isAdmin: boolean },
  method: EntryMethod = "password",
): Promise<string> {
  const { clock, ipAddress, userAgent } = ctx;
  const kind: SessionKind = user.isAdmin ? "admin" : "backer";
  const token = await startSession({ db: tx, clock }, { userId: user.id, kind, device: userAgent, ipAddress });
  const deviceHash = ensureDevice(ctx);
  const isUnfamiliar = await rememberDevice(tx, clock, { userId: user.id, deviceHash, label: userAgent });
  const at = clock.now();
  const [account] = await tx
    .update(users)
    .set({ lastActivityAt: at })
    .where(eq(users.id, user.id))
    .returning({ email: users.email, fullName: users.fullName });
  if (isUnfamiliar && account) {
    const device = nameDevice(userAgent);
    const mail = newDeviceMail({ fullName: account.fullName, publicUrl: ctx.env.publicUrl, device, ipAddress, at });
    const eventKey = `new_device:${hashToken(token)}`;
    await queueMail(tx, ctx, { eventKey, to: account.email, isUrgent: true, ...mail });
  }
  if (user.isAdmin) {
    const actor = await findActor({ db: tx, clock }, token);
    await recordAudit(tx, { actor, clock, ipAddress }, "admin_login", { method });
  }
  return token;
}

/** After the commit: the browser gets the new token, and the session it had before ends. */
export async function handOverSession(ctx: Context, kind: SessionKind, token: string): Promise<void> {
  const name = sessionCookieName(ctx.env);
  const before = ctx.cookies.get(name);
  if (before && ctx.actor) await endSession(ctx, before);
  ctx.cookies.set(name, token, {
    maxAgeSeconds: absoluteLimitMinutes[kind] * 60,
    sameSite: "lax",
    httpOnly: true,
  });
}
