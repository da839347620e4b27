import { eq } from "drizzle-orm";
import { clearGoogleLinkStep } from "#server/accounts/google/link-step.ts";
import type { Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Context } from "#server/platform/context.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import { nameDevice } from "#shared/accounts/device-name.ts";
import { absoluteLimitMinutes, type SessionKind } from "#shared/accounts/sessions.ts";
import { ensureDevice, rememberDevice } from "./devices.ts";
import { newDeviceMail } from "./emails.ts";
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

/** How a person signed in, as the audit entry of an administrator's sign-in names it. */
export type EntryMethod = "password" | "google" | "invitation";

/** The result of the first proof: a session's token, or the second step for an account with a second factor. */
export type Entry = { token: string; entered?: FirstProof } | { step: SecondStep };
/** Who signed in and how. Absent if a session only continues under another token. */
type FirstProof = { userId: string; method: EntryMethod };

/**
 * The only way to open a session, in two parts. This one runs in a transaction, after a proof of the account. It opens
 * the session, or asks an administrator with a second factor for a code instead, whatever the proof was.
 * Returns the input of {@link handOverSession}. `user` is the row as this transaction read it.
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
 * Part of a transaction, after the right code: opens the session of the first proof. Throws if the step was already
 * used.
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

/** The state that a {@link SecondStep} must match; null for an account without a confirmed factor. */
export async function findFactorState(tx: Tx, ctx: Context, userId: string): Promise<string | null> {
  const factor = await findConfirmedFactor(tx, userId);
  if (!factor) return null;
  const [user] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return stateOfAccount(ctx, { passwordHash: user?.passwordHash ?? null, encryptedSecret: factor.encryptedSecret });
}

/**
 * Writes the session's row, the device (a new one is mailed if others are known), and an administrator's audit entry.
 */
async function beginSession(
  tx: Tx,
  ctx: Context,
  user: { id: string; isAdmin: boolean },
  proofs: { method: EntryMethod; secondFactor?: FactorUse },
): Promise<string> {
  const { clock, ipAddress, userAgent } = ctx;
  const kind: SessionKind = user.isAdmin ? "admin" : "backer";
  const isProved = await provesAccount(tx, user.id, proofs.method);
  const token = await startSession(
    { db: tx, clock },
    { userId: user.id, kind, device: userAgent, ipAddress, isProved },
  );
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
    const mail = newDeviceMail({ fullName: account.fullName, site: ctx.site.current(), device, ipAddress, at });
    const eventKey = `new_device:${hashToken(token)}`;
    await queueMail(tx, ctx, { eventKey, to: account.email, isSecurity: true, ...mail });
  }
  if (user.isAdmin) {
    const actor = await findActor({ db: tx, clock }, token);
    await recordAudit(tx, { actor, clock, ipAddress }, "admin_login", proofs);
  }
  return token;
}

/**
 * Returns true if a sign-in proves as much as entering the password again. Google's does if the account has no
 * password; an invitation never does, because it may be accepted in an open session.
 */
async function provesAccount(tx: Tx, userId: string, method: EntryMethod): Promise<boolean> {
  if (method !== "google") return method === "password";
  const [user] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return user?.passwordHash === null;
}

/**
 * After the commit: gives the browser the new token and ends its previous session. If a code is still needed, gives it
 * the second step instead and keeps the session.
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
