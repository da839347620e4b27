import { eq } from "drizzle-orm";
import { provePassword } from "#server/accounts/attempts.ts";
import { keepConsent } from "#server/accounts/consents.ts";
import { consumeInviteFor } from "#server/accounts/invites.ts";
import { findFactorState } from "#server/accounts/open-session.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { enter, type SignInResult, signOut } from "#server/accounts/sign-in.ts";
import type { User } from "#server/accounts/users.ts";
import { insertUser } from "#server/accounts/users.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { OidcClaims } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { reportSecurityEvent } from "#server/platform/security-events.ts";
import type { FinishGoogleInput } from "#shared/accounts/google.ts";
import { googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import type { SessionKind } from "#shared/accounts/sessions.ts";
import { returnFromGoogle } from "./google.ts";
import {
  findAccountOf,
  findIdentityOf,
  insertIdentity,
  linkIdentity,
  linkToAccount,
  unlinkIdentity,
} from "./identities.ts";
import {
  clearGoogleLinkStep,
  type GoogleLinkStep,
  googleLinkExpired,
  isOfStep,
  leaveGoogleLinkStep,
  readGoogleLinkStep,
} from "./link-step.ts";

/**
 * Handles the return from Google. Returns where to go and, with "entered", the result of a sign-in; "asks_password"
 * sets the step for {@link linkGoogleByPassword}. A flow to link only links. Throws as {@link returnFromGoogle}. At the
 * administrators' page a person who isn't one is signed out.
 */
export async function finishGoogle(ctx: Context, input: FinishGoogleInput) {
  return returnFromGoogle(ctx, input, async (flow, claims) => {
    if (flow.purpose === "link") {
      await inTransaction(ctx.db, async (tx) => {
        await linkToAccount(tx, ctx, { userId: flow.userId, claims });
        await requireSession(tx, ctx.actor);
      });
      reportSecurityEvent(ctx, "identity_linked", { userId: flow.userId, reason: "google" });
      return { outcome: "linked" as const };
    }
    try {
      return { outcome: "entered" as const, ...(await enterByGoogle(ctx, { kind: flow.kind, claims })) };
    } catch (error) {
      if (!(error instanceof LinkUnproved)) throw error;
      leaveGoogleLinkStep(ctx, { account: error.account, kind: flow.kind, claims });
      return { outcome: "asks_password" as const };
    }
  });
}

/**
 * Links Google to the account with its address, after the account's password has shown that both belong to one person.
 * Throws "This is not the password of that account.", and "conflict" if the sign-in with Google must be repeated.
 */
export async function linkGoogleByPassword(ctx: Context, { password }: { password: string }): Promise<SignInResult> {
  const { step, account } = await findGoogleLink(ctx);
  await provePassword(ctx, { ...account, password }, authTexts.linkPasswordWrong);
  return finishGoogleLink(ctx, { step, dropsPassword: false });
}

/**
 * The same without the password, which may be a stranger's. The password and all sessions are removed, so that Google
 * is the only way in. Throws as {@link linkGoogleByPassword}, and "forbidden" for an account with a second factor.
 */
export async function linkGoogleWithoutPassword(ctx: Context): Promise<SignInResult> {
  const { step } = await findGoogleLink(ctx);
  return finishGoogleLink(ctx, { step, dropsPassword: true });
}

type LinkProof = { step: GoogleLinkStep; dropsPassword: boolean };

async function findGoogleLink(ctx: Context): Promise<{ step: GoogleLinkStep; account: User }> {
  const step = readGoogleLinkStep(ctx);
  const [account] = step ? await ctx.db.select().from(users).where(eq(users.id, step.userId)) : [];
  if (!step || !account || !isOfStep(ctx, step, account)) {
    clearGoogleLinkStep(ctx);
    throw googleLinkExpired();
  }
  return { step, account };
}

async function finishGoogleLink(ctx: Context, proof: LinkProof): Promise<SignInResult> {
  const { kind, claims, userId } = proof.step;
  const entered = await enterByGoogle(ctx, { kind, claims, proof });
  clearGoogleLinkStep(ctx);
  reportSecurityEvent(ctx, "identity_linked", {
    userId,
    reason: proof.dropsPassword ? "password_dropped" : "password",
  });
  return entered;
}

/** The account with that address has a password, which hasn't been given yet. */
class LinkUnproved extends Error {
  readonly account: User;
  constructor(account: User) {
    super("the account's password is asked for first");
    this.account = account;
  }
}

type GoogleEntry = { kind: SessionKind; claims: OidcClaims; proof?: LinkProof };

/**
 * Throws {@link LinkUnproved} if the password is needed. At the administrators' page a person who isn't one is signed
 * out.
 */
async function enterByGoogle(ctx: Context, entry: GoogleEntry): Promise<SignInResult> {
  try {
    return await enter(ctx, "google", byGoogle(ctx, entry));
  } catch (error) {
    if (entry.kind === "admin" && error instanceof AppError) await signOut(ctx);
    throw error;
  }
}

/**
 * A `prove` for {@link enter}: the provider vouches for the person. The administrators' page admits administrators, and
 * a person with an open invitation for the account's address, if the provider has verified it too.
 */
function byGoogle(ctx: Context, { kind, claims, proof }: GoogleEntry) {
  return async (tx: Tx): Promise<User> => {
    const found = await findAccountOf(tx, claims);
    const { user, isLinked } = found ?? { user: await signUpByGoogle(tx, ctx, { kind, claims }), isLinked: true };
    if (user.isBlocked) return user;
    const isLetIn = kind !== "admin" || user.isAdmin;
    if (!isLetIn) {
      const isSameAddress = claims.isEmailVerified && claims.email === user.email;
      if (!isSameAddress || !(await consumeInviteFor(tx, ctx, user)))
        throw new AppError("forbidden", authTexts.notAdmin);
    }
    // Last, because a person who is refused anyway shouldn't be asked for a password first.
    if (!isLinked) await linkProved(tx, ctx, { user, claims, proof });
    // The step has already led to the link and proves nothing now; the next sign-in goes through Google.
    else if (proof) throw googleLinkExpired();
    return isLetIn ? user : { ...user, isAdmin: true };
  };
}

/** Part of {@link byGoogle}: nobody may share the account with the person who set its password. */
async function linkProved(
  tx: Tx,
  ctx: Context,
  { user, claims, proof }: { user: User; claims: OidcClaims; proof: LinkProof | undefined },
): Promise<void> {
  if (await findIdentityOf(tx, user.id)) throw new AppError("conflict", googleTexts.otherLinked);
  // Without a password nothing shows whose the account was, so its sessions end.
  if (user.passwordHash === null) return linkIdentity(tx, ctx, { user, claims, dropsPassword: true });
  if (!proof) throw new LinkUnproved(user);
  if (!isOfStep(ctx, proof.step, user)) throw googleLinkExpired();
  const { dropsPassword } = proof;
  if (dropsPassword && (await findFactorState(tx, ctx, user.id)) !== null)
    throw new AppError("forbidden", googleTexts.dropRefused);
  await linkIdentity(tx, ctx, { user, claims, dropsPassword });
}

/** The public pages say beside their button that a new account agrees to the terms; the administrators' page doesn't. */
async function signUpByGoogle(tx: Tx, ctx: Context, { kind, claims }: GoogleEntry): Promise<User> {
  const { email, fullName } = claims;
  const user = await insertUser(tx, ctx.clock, { email, fullName, emailVerifiedAt: ctx.clock.now() });
  await insertIdentity(tx, ctx, { user, claims });
  if (kind === "backer") await keepConsent(tx, ctx, { userId: user.id, kind: "sign_up", page: "terms" });
  return user;
}

/** Throws "Google is your only way to sign in. …" for an account without a password. */
export async function unlinkGoogle(ctx: ActorContext): Promise<void> {
  await inTransaction(ctx.db, (tx) => unlinkIdentity(tx, ctx, ctx.actor.id));
  reportSecurityEvent(ctx, "identity_unlinked", { userId: ctx.actor.id, reason: "google" });
}
