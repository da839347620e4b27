import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Tx } from "#server/db/open.ts";
import { usedChallenges } from "#server/db/schema/sessions.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { deriveKey, seal, unseal } from "#server/platform/secret.ts";
import { secondStepSeconds, twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { ensureDevice, readDevice } from "./devices.ts";

/**
 * The step between the first proof of an account and the code: a signed cookie of this browser, valid once within five
 * minutes. It isn't a session: it only lets the browser enter a code.
 */
const cookie = "second-step";

const stepShape = z.object({
  id: z.string(),
  userId: z.string(),
  /** The first proof. */
  method: z.enum(["password", "google", "invitation"]),
  /** The browser that it was issued to. */
  deviceHash: z.string(),
  /** A hash of password and factor. If either changes, the step becomes invalid. */
  state: z.string(),
  /** Seconds since 1970. */
  expires: z.number(),
});
export type SecondStep = z.infer<typeof stepShape>;

type StepContext = Pick<Context, "cookies" | "env" | "appSecret" | "clock">;

/** Creates the account's step; `leaveSecondStep` gives it to the browser after the commit. */
export function newSecondStep(
  ctx: StepContext,
  account: { userId: string; method: SecondStep["method"]; state: string },
): SecondStep {
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + secondStepSeconds;
  return { id: randomBytes(16).toString("base64url"), ...account, deviceHash: ensureDevice(ctx), expires };
}

/** Gives the browser the step's cookie. */
export function leaveSecondStep(ctx: StepContext, step: SecondStep): void {
  ctx.cookies.set(cookieName(ctx.env, cookie), seal(ctx.appSecret, cookie, step), {
    maxAgeSeconds: secondStepSeconds,
    sameSite: "strict",
    httpOnly: true,
  });
}

/** This browser's step. Null if there is none, or it is expired, forged or another browser's. */
export function readSecondStep(ctx: StepContext): SecondStep | null {
  const content = unseal(ctx.appSecret, cookie, ctx.cookies.get(cookieName(ctx.env, cookie)));
  if (content === null) return null;
  const step = stepShape.parse(content);
  return ctx.clock.now().getTime() < step.expires * 1000 && step.deviceHash === readDevice(ctx) ? step : null;
}

export function clearSecondStep({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, cookie));
}

/** Part of a transaction: a step gives one session. Throws if it was already used. */
export async function spendSecondStep(tx: Tx, step: SecondStep): Promise<void> {
  const used = await tx
    .insert(usedChallenges)
    .values({ id: `second-step:${step.id}`, expiresAt: new Date(step.expires * 1000) })
    .onConflictDoNothing()
    .returning({ id: usedChallenges.id });
  if (used.length === 0) throw secondStepExpired();
}

export const secondStepExpired = (): AppError => new AppError("unauthenticated", twoFactorTexts.stepOver);

/** Hashes an account's password and factor for {@link SecondStep}, revealing neither. */
export function stateOfAccount(
  { appSecret }: Pick<Deps, "appSecret">,
  { passwordHash, encryptedSecret }: { passwordHash: string | null; encryptedSecret: string },
): string {
  return createHmac("sha256", deriveKey(appSecret, "second-step-state"))
    .update(JSON.stringify([passwordHash, encryptedSecret]))
    .digest("base64url");
}
