import { createHmac } from "node:crypto";
import { z } from "zod";
import { ensureDevice, readDevice } from "#server/accounts/devices.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps, OidcClaims } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { deriveKey, seal, unseal } from "#server/platform/secret.ts";
import { googleLinkSeconds, googleTexts } from "#shared/accounts/google-texts.ts";
import { sessionKinds } from "#shared/accounts/sessions.ts";

/**
 * The step between Google and an account with a password: a signed cookie of this browser. Both have the same address,
 * but the account may belong to a stranger who once got it confirmed. It isn't a session: it only asks for the
 * password, and is valid while the account keeps its password and address.
 */
const cookie = "google-link";

const stepShape = z.object({
  userId: z.string(),
  /** The kind of session whose callback page it comes from. */
  kind: z.enum(sessionKinds),
  claims: z.object({
    subject: z.string(),
    email: z.string(),
    isEmailVerified: z.boolean(),
    fullName: z.string(),
  }),
  /** A hash of the account's password and address at that time. */
  state: z.string(),
  /** The browser that it was issued to. */
  deviceHash: z.string(),
  /** Seconds since 1970. */
  expires: z.number(),
});
export type GoogleLinkStep = z.infer<typeof stepShape>;

type StepContext = Pick<Context, "cookies" | "env" | "appSecret" | "clock">;
type Account = { id: string; email: string; passwordHash: string | null };

/** Gives the browser the step's cookie. */
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

/** This browser's step. Null if there is none, or it is expired, forged or another browser's. */
export function readGoogleLinkStep(ctx: StepContext): GoogleLinkStep | null {
  const content = unseal(ctx.appSecret, cookie, ctx.cookies.get(cookieName(ctx.env, cookie)));
  if (content === null) return null;
  const step = stepShape.parse(content);
  return ctx.clock.now().getTime() < step.expires * 1000 && step.deviceHash === readDevice(ctx) ? step : null;
}

export function clearGoogleLinkStep({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, cookie));
}

/** Returns true if this is the step's account, with its password and address unchanged. */
export function isOfStep(deps: Pick<Deps, "appSecret">, step: GoogleLinkStep, account: Account): boolean {
  return step.userId === account.id && step.state === stateOf(deps, account);
}

export const googleLinkExpired = (): AppError => new AppError("conflict", googleTexts.linkStepOver);

const stateOf = ({ appSecret }: Pick<Deps, "appSecret">, { passwordHash, email }: Account): string =>
  createHmac("sha256", deriveKey(appSecret, "google-link-state"))
    .update(JSON.stringify([passwordHash, email]))
    .digest("base64url");
