import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Tx } from "#server/db/open.ts";
import { usedChallenges } from "#server/db/schema/sessions.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { deriveKey, seal, unseal } from "#server/platform/secret.ts";
import { secondStepSeconds, twoFactorTexts } from "#shared/two-factor-texts.ts";
import { ensureDevice, readDevice } from "./devices.ts";

/**
 * What stands between the first proof of an account and the code: a signed cookie of this browser, good for five minutes
 * and once. It is no session: it opens nothing but the question for the code.
 */
const cookie = "second-step";

const stepShape = z.object({
  id: z.string(),
  userId: z.string(),
  /** How the person came so far. */
  method: z.enum(["password", "google", "invitation"]),
  /** The browser that it was made for. */
  deviceHash: z.string(),
  /** Of password and factor as they were: a change of either makes the step worthless. */
  state: z.string(),
  /** Seconds since 1970. */
  expires: z.number(),
});
export type SecondStep = z.infer<typeof stepShape>;

type StepContext = Pick<Context, "cookies" | "env" | "appSecret" | "clock">;

/** Makes the step for the account; `leaveSecondStep` gives it to the browser once the transaction is over. */
export function newSecondStep(
  ctx: StepContext,
  account: { userId: string; method: SecondStep["method"]; state: string },
): SecondStep {
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + secondStepSeconds;
  return { id: randomBytes(16).toString("base64url"), ...account, deviceHash: ensureDevice(ctx), expires };
}

export function leaveSecondStep(ctx: StepContext, step: SecondStep): void {
  ctx.cookies.set(cookieName(ctx.env, cookie), seal(ctx.appSecret, cookie, step), {
    maxAgeSeconds: secondStepSeconds,
    sameSite: "strict",
    httpOnly: true,
  });
}

/** The step that this browser is at, or null: none, over, another browser's or not of our making. */
export function readSecondStep(ctx: StepContext): SecondStep | null {
  const content = unseal(ctx.appSecret, cookie, ctx.cookies.get(cookieName(ctx.env, cookie)));
  if (content === null) return null;
  const step = stepShape.parse(content);
  return ctx.clock.now().getTime() < step.expires * 1000 && step.deviceHash === readDevice(ctx) ? step : null;
}

export function clearSecondStep({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, cookie));
}

/** Part of a transaction: a step leads to one session. Throws when it has led to one already. */
export async function spendSecondStep(tx: Tx, step: SecondStep): Promise<void> {
  const used = await tx
    .insert(usedChallenges)
    .values({ id: `second-step:${step.id}`, expiresAt: new Date(step.expires * 1000) })
    .onConflictDoNothing()
    .returning({ id: usedChallenges.id });
  if (used.length === 0) throw secondStepOver();
}

export const secondStepOver = (): AppError => new AppError("unauthenticated", twoFactorTexts.stepOver);

/** What {@link SecondStep} keeps of an account's password and factor, without giving either away. */
export function stateOfAccount(
  { appSecret }: Pick<Deps, "appSecret">,
  { passwordHash, encryptedSecret }: { passwordHash: string | null; encryptedSecret: string },
): string {
  return createHmac("sha256", deriveKey(appSecret, "second-step-state"))
    .update(JSON.stringify([passwordHash, encryptedSecret]))
    .digest("base64url");
}
