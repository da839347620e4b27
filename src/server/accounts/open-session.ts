import { eq } from "drizzle-orm";
import { clearGoogleLinkStep } from "#server/accounts/google/link-step.ts";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Context } from "#server/platform/context.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { nameDevice } from "#shared/device-name.ts";
import { absoluteLimitMinutes, type SessionKind } from "#shared/sessions.ts";
import { ensureDevice, rememberDevice } from "./devices.ts";
import { newDeviceMail } from "./mails.ts";
import { type FactorUse, findConfirmedFactor } from "./second-factor.ts";
import {
  clearSecondStep,
  leaveSecondStep,
  newSecondStep,
  type SecondStep,
  spendSecondStep,
  stateOfAccount,
} from "./second-step.ts";
import { endSession, findActor, hashToken, startSession } from "./sessions.ts";

/** How a person came in, as the audit entry of an administrator's sign-in says it. */
export type EntryMethod = "password" | "google" | "invitation";

/** What the first proof gives: a session's token, or for whoever has a second factor the step before it. */
export type Entry = { token: string; entered?: Entered } | { step: SecondStep };
/** Who came in and how. Not where a session only goes on under another token. */
type Entered = { userId: string; method: EntryMethod };

/**
 * The one way in, in two steps. First, part of a transaction: opens the session of whoever has proved that the account is
 * theirs, unless it is an administrator's with a second factor, who is asked for a code instead. No proof leads past it.
 * Gives what {@link handOverSession} takes. `user` as the database has it in this transaction.
 */
export async function openSession(
  tx: Tx,
  ctx: Context,
  user: { id: string; isAdmin: boolean },
  method: EntryMethod = "password",
): Promise<Entry> {
  const state = user.isAdmin ? await findFactorState(tx, ctx, user.id) : null;
  if (state !== null) return { step: newSecondStep(ctx, { userId: user.id, method, state }) };
  return { token: await beginSession(tx, ctx, user, { method }), entered: { userId: user.id, method } };
}

/**
 * Part of a transaction, once the code was right: the session that the first proof would have opened. Throws when the
 * step has led to a session before.
 */
export async function openSessionAfterCode(
  tx: Tx,
  ctx: Context,
  { step, secondFactor }: { step: SecondStep; secondFactor: FactorUse },
): Promise<Entry> {
  await spendSecondStep(tx, step);
  const user = { id: step.userId, isAdmin: true };
  const { userId, method } = step;
  return { token: await beginSession(tx, ctx, user, { method, secondFactor }), entered: { userId, method } };
}

/** What a {@link SecondStep} of the account must carry; null for an account without a confirmed factor. */
export async function findFactorState(tx: Tx, ctx: Context, userId: string): Promise<string | null> {
  const factor = await findConfirmedFactor(tx, userId);
  if (!factor) return null;
  const [user] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return stateOfAccount(ctx, { passwordHash: user?.passwordHash ?? null, encryptedSecret: factor.encryptedSecret });
}

/** The session's row, the device (a new one of an account that has had others is mailed), administrators' audit entry. */
async function beginSession(
  tx: Tx,
  ctx: Context,
  user: { id: string; isAdmin: boolean },
  proofs: { method: EntryMethod; secondFactor?: FactorUse },
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
    await recordAudit(tx, { actor, clock, ipAddress }, "admin_login", proofs);
  }
  return token;
}

/**
 * After the commit: the browser gets the new token, and the session it had before ends. Or it gets the step that waits
 * for a code, and keeps what it had.
 */
export async function handOverSession(ctx: Context, kind: SessionKind, entry: Entry): Promise<{ needsCode: boolean }> {
  if ("step" in entry) {
    leaveSecondStep(ctx, entry.step);
    return { needsCode: true };
  }
  const name = sessionCookieName(ctx.env);
  const before = ctx.cookies.get(name);
  if (before && ctx.actor) await endSession(ctx, before);
  ctx.cookies.set(name, entry.token, {
    maxAgeSeconds: absoluteLimitMinutes[kind] * 60,
    sameSite: "lax",
    httpOnly: true,
  });
  clearSecondStep(ctx);
  clearGoogleLinkStep(ctx);
  const { entered } = entry;
  if (entered) reportSecurityEvent(ctx, "sign_in", { userId: entered.userId, reason: entered.method });
  return { needsCode: false };
}
