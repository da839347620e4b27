import { createHmac } from "node:crypto";
import { z } from "zod";
import { ensureDevice, readDevice } from "#server/accounts/devices.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps, OidcClaims } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { deriveKey, seal, unseal } from "#server/platform/secret.ts";
import { googleLinkSeconds, googleTexts } from "#shared/google-texts.ts";
import { sessionKinds } from "#shared/sessions.ts";

/**
 * What stands between Google and an account that has a password: a signed cookie of this browser. Both have the same
 * address, but the account may be a stranger's who once got it confirmed. It is no session: it only opens the question
 * for the password, and works as long as the account has the password and the address that it had.
 */
const cookie = "google-link";

const stepShape = z.object({
  userId: z.string(),
  /** Whose callback page it comes from. */
  kind: z.enum(sessionKinds),
  claims: z.object({
    subject: z.string(),
    email: z.string(),
    isEmailVerified: z.boolean(),
    fullName: z.string(),
  }),
  /** Of password and address as they were. */
  state: z.string(),
  /** The browser that it was made for. */
  deviceHash: z.string(),
  /** Seconds since 1970. */
  expires: z.number(),
});
export type GoogleLinkStep = z.infer<typeof stepShape>;

type StepContext = Pick<Context, "cookies" | "env" | "appSecret" | "clock">;
type Account = { id: string; email: string; passwordHash: string | null };

export function leaveGoogleLinkStep(
  ctx: StepContext,
  { account, ...step }: { account: Account; kind: GoogleLinkStep["kind"]; claims: OidcClaims },
): void {
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + googleLinkSeconds;
  const deviceHash = ensureDevice(ctx);
  const content: GoogleLinkStep = {
    ...step,
    userId: account.id,
    state: stateOf(ctx, account),
    deviceHash,
    expires,
  };
  ctx.cookies.set(cookieName(ctx.env, cookie), seal(ctx.appSecret, cookie, content), {
    maxAgeSeconds: googleLinkSeconds,
    sameSite: "strict",
    httpOnly: true,
  });
}

/** The step that this browser is at, or null: none, over, another browser's or not of our making. */
export function readGoogleLinkStep(ctx: StepContext): GoogleLinkStep | null {
  const content = unseal(ctx.appSecret, cookie, ctx.cookies.get(cookieName(ctx.env, cookie)));
  if (content === null) return null;
  const step = stepShape.parse(content);
  return ctx.clock.now().getTime() < step.expires * 1000 && step.deviceHash === readDevice(ctx) ? step : null;
}

export function clearGoogleLinkStep({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, cookie));
}

/** Whether the account is the step's, with the password and the address that it had then. */
export function isOfStep(deps: Pick<Deps, "appSecret">, step: GoogleLinkStep, account: Account): boolean {
  return step.userId === account.id && step.state === stateOf(deps, account);
}

export const googleLinkOver = (): AppError => new AppError("conflict", googleTexts.linkStepOver);

const stateOf = ({ appSecret }: Pick<Deps, "appSecret">, { passwordHash, email }: Account): string =>
  createHmac("sha256", deriveKey(appSecret, "google-link-state"))
    .update(JSON.stringify([passwordHash, email]))
    .digest("base64url");
