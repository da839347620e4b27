import type { Context } from "#server/core/context.ts";
import { issueFormToken } from "#server/core/form-token.ts";
import { readSignInState } from "#server/core/sign-in-lock.ts";
import { readSignInTrace } from "#server/core/sign-in-trace.ts";
import { describeFailure } from "./rules.ts";

/** Who is signed in, as the screens need it; null for nobody. */
export function describeViewer({ actor }: Context) {
  if (!actor) return null;
  const { id, email, fullName, isAdmin, permissions } = actor;
  const { kind, idleLimitMinutes, expiresAt } = actor.session;
  return { id, email, fullName, isAdmin, permissions, kind, idleLimitMinutes, expiresAt };
}

/** The lock and the failures of the account that this browser tried last: they outlive a reload of the page. */
export async function findSignInState(ctx: Context) {
  return describeFailure(await readSignInState(ctx, readSignInTrace(ctx)), ctx.clock.now());
}

export function giveFormToken(ctx: Context) {
  return { token: issueFormToken(ctx) };
}
