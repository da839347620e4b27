import { and, eq, sql } from "drizzle-orm";
import { findIdentityOf } from "#server/accounts/google/identities.ts";
import { readGoogleLinkStep } from "#server/accounts/google/link-step.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { listFarmsWithRight } from "#server/platform/farm-rights.ts";
import { issueFormToken } from "#server/platform/form-token.ts";
import { askHumanCheck } from "#server/platform/human-check.ts";
import { describeFailure, readSignInTrace } from "./attempts.ts";
import { findOpenChange } from "./consents.ts";
import { readDevice } from "./devices.ts";
import { readSecondStep } from "./second-step.ts";
import { readSignInState } from "./sign-in-lock.ts";

/**
 * The signed-in person for the screens, or null. `endsInSeconds` is the time to the absolute limit, `idleEndsInSeconds`
 * to the idle one. They are durations because a phone's clock may be wrong. `termsChange` is what they are asked to agree to.
 * `hasFarm`: they work for a farm.
 */
export async function describeViewer({ actor, clock, db }: Context) {
  if (!actor) return null;
  const { id, email, fullName, isAdmin, permissions, mustSetUpTwoFactor } = actor;
  const { kind, idleLimitMinutes, idleEndsAt, expiresAt, endsAt } = actor.session;
  const now = clock.now().getTime();
  const endsInSeconds = Math.ceil((endsAt.getTime() - now) / 1000);
  const idleEndsInSeconds = Math.floor((idleEndsAt.getTime() - now) / 1000);
  const session = { kind, idleLimitMinutes, expiresAt, idleEndsInSeconds, endsInSeconds };
  const change = isAdmin ? null : await findOpenChange(db, { clock }, id);
  /** The dialog reads the description of the change itself. */
  const termsChange = change && { version: change.version, isInForce: change.isInForce };
  const hasFarm = (await listFarmsWithRight({ db, actor }, "report")).length > 0;
  return { id, email, fullName, isAdmin, permissions, mustSetUpTwoFactor, termsChange, hasFarm, ...session };
}

/**
 * Returns the reason why that person's session ended in this browser. Only a browser that has signed in to the account
 * before may learn of a block; any other gets "expired". An ended session leaves no row with a reason.
 */
export async function findEndReason(ctx: Context, { userId }: { userId: string }): Promise<"blocked" | "expired"> {
  const deviceHash = readDevice(ctx);
  if (!deviceHash) return "expired";
  const [user] = await ctx.db
    .select({ isBlocked: users.isBlocked })
    .from(users)
    .innerJoin(knownDevices, eq(knownDevices.userId, users.id))
    .where(and(eq(users.id, userId), eq(knownDevices.deviceHash, deviceHash)));
  return user?.isBlocked ? "blocked" : "expired";
}

/**
 * The sign-in state that survives a reload: the lock and failures of the account this browser tried last, whether a
 * sign-in waits for a code, and which Google account waits for a password.
 */
export async function findSignInState(ctx: Context) {
  const failure = describeFailure(await readSignInState(ctx, readSignInTrace(ctx)), ctx.clock.now());
  const step = readGoogleLinkStep(ctx);
  return { ...failure, needsCode: readSecondStep(ctx) !== null, linksGoogle: step && { email: step.claims.email } };
}

export function giveFormToken(ctx: Context) {
  return { token: issueFormToken(ctx) };
}

/** The caller's linked identities, and what decides whether they may change. */
export async function describeIdentities(ctx: ActorContext) {
  const google = await findIdentityOf(ctx.db, ctx.actor.id);
  const [user] = await ctx.db
    .select({
      isEmailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
    })
    .from(users)
    .where(eq(users.id, ctx.actor.id));
  return { google, isEmailVerified: user?.isEmailVerified ?? false, hasPassword: user?.hasPassword ?? false };
}

export function giveHumanCheck(ctx: Context) {
  return askHumanCheck(ctx);
}
