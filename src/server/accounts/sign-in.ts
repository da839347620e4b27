import { eq } from "drizzle-orm";
import {
  findAccountOf,
  findIdentityOf,
  insertIdentity,
  linkIdentity,
  linkToAccount,
  lockUser,
  unlinkIdentity,
} from "#server/accounts/google/identities.ts";
import {
  clearGoogleLinkStep,
  type GoogleLinkStep,
  googleLinkOver,
  isOfStep,
  leaveGoogleLinkStep,
  readGoogleLinkStep,
} from "#server/accounts/google/link-step.ts";
import { returnFromGoogle } from "#server/accounts/google/return.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { identities, users } from "#server/db/schema/users.ts";
import { consumeInviteFor } from "#server/features/team/service.ts";
import { findUserByEmail, type User } from "#server/features/users/queries.ts";
import { insertUser } from "#server/features/users/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { OidcClaims } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFormToken } from "#server/platform/form-token.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reasonOfRefusal, reportSecurityEvent } from "#server/platform/security-events.ts";
import { authTexts, type SignInInput } from "#shared/auth.ts";
import type { FinishGoogleInput } from "#shared/google.ts";
import { googleTexts } from "#shared/google-texts.ts";
import type { SessionKind } from "#shared/sessions.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import {
  acceptAttempt,
  clearSignInTrace,
  provePassword,
  refuseAttempt,
  reserveAttempt,
  secondFactorSubject,
  tellOfRecoveryCode,
} from "./attempts.ts";
import { readDevice } from "./devices.ts";
import { consumeEmailToken, dropEmailTokens, findEmailTokenOwner } from "./email-tokens.ts";
import { mailConfirmationLink } from "./links.ts";
import { consumeMailedLink, proveMailedLink } from "./mailed-link.ts";
import {
  type EntryMethod,
  findFactorState,
  handOverSession,
  openSession,
  openSessionAfterCode,
} from "./open-session.ts";
import { hashPassword, refuseGuessable, replacePassword, verifyPassword } from "./passwords.ts";
import { spendCode } from "./second-factor.ts";
import { clearSecondStep, readSecondStep, secondStepOver } from "./second-step.ts";
import { endSession, endSessionsOf, hashToken, requireSession, touchSession } from "./sessions.ts";
import { cancelSignIn, forgetFailures } from "./sign-in-lock.ts";

type Account = { isBlocked: boolean; emailVerifiedAt: Date | null };

/** Why a person with the right password still may not come in; null if they may. */
export function signInObstacle(account: Account, requiresConfirmation: boolean): AppError | null {
  if (account.isBlocked) return new AppError("forbidden", authTexts.blocked);
  if (requiresConfirmation && account.emailVerifiedAt === null) return new AppError("forbidden", authTexts.checkEmail);
  return null;
}

/** Many phones share one address of their network operator, so these are generous. */
const signUpLimit = { hits: 60, windowSeconds: 3600 };
const linkLimit = { hits: 20, windowSeconds: 3600 };
const linkLimitPerAccount = { hits: 3, windowSeconds: 3600 };
const resetLimit = { hits: 60, windowSeconds: 3600 };

/**
 * Makes an account. Where addresses are confirmed first, nobody is signed in yet and a link is mailed; else the person
 * is signed in at once. Throws "An account with this email already exists." (specified, so limited per address).
 */
export async function signUp(
  ctx: Context,
  input: { fullName: string; email: string; password: string; formToken: string },
): Promise<{ isSignedIn: boolean }> {
  requireFormToken(ctx, input.formToken);
  await limitRate(ctx, `sign-up:${networkOf(ctx.ipAddress)}`, signUpLimit);
  await refuseGuessable(input.password, input);
  const passwordHash = await hashPassword(input.password);
  const { email, fullName } = input;
  const isSignedIn = !ctx.env.requireEmailConfirmation;
  const token = await inTransaction(ctx.db, async (tx) => {
    const user = await insertUser(tx, ctx.clock, { email, fullName, passwordHash });
    if (isSignedIn) return openSession(tx, ctx, user);
    await mailConfirmationLink(tx, ctx, user);
    return null;
  });
  if (token) await handOverSession(ctx, "backer", token);
  return { isSignedIn };
}

/** Without a session where a code is wanted first: {@link verifySecondFactor}. */
type Entered = { isAdmin: boolean; needsCode: boolean };

/** At /login: anybody with an account. */
export async function signIn(ctx: Context, input: SignInInput): Promise<Entered> {
  const user = await findBySignIn(ctx, input, authTexts.wrongCredentials);
  return enter(ctx, "password", byPassword(user, authTexts.wrongCredentials));
}

/** At /admin/login: administrators only. Anybody else with the right password is signed out. */
export async function adminSignIn(ctx: Context, input: SignInInput): Promise<Entered> {
  const user = await findBySignIn(ctx, input, authTexts.wrongAdminCredentials);
  if (!user.isAdmin) {
    await signOut(ctx);
    reportSecurityEvent(ctx, "sign_in_failed", { userId: user.id, reason: "not_admin" });
    throw new AppError("forbidden", authTexts.notAdmin);
  }
  return enter(ctx, "password", byPassword(user, authTexts.wrongAdminCredentials));
}

/**
 * The account that address and password belong to, unless it may not sign in. Whether an account exists is not to be
 * learned without its password: not from the answer, nor from the time it takes.
 */
async function findBySignIn(ctx: Context, { email, password }: SignInInput, wrongMessage: string): Promise<User> {
  const attempt = await reserveAttempt(ctx, { email });
  const user = await findUserByEmail(ctx.db, email);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!isRight || !user) throw refuseAttempt(ctx, attempt, wrongMessage);
  await acceptAttempt(ctx, attempt);
  const obstacle = signInObstacle(user, ctx.env.requireEmailConfirmation);
  if (obstacle) {
    reportSecurityEvent(ctx, "sign_in_failed", { userId: user.id, reason: reasonOfRefusal(obstacle) });
    throw obstacle;
  }
  return user;
}

/**
 * The way in for everybody who has an account, however they prove that it is theirs. `prove` runs in the transaction that
 * opens the session and gives the account's row, locked there: a reset, a block or lost rights since the look at it ended
 * all sessions, and must not be outlived by one that begins now.
 */
async function enter(ctx: Context, method: EntryMethod, prove: (tx: Tx) => Promise<User>): Promise<Entered> {
  let userId: string | null = null;
  const { user, entry } = await inTransaction(ctx.db, async (tx) => {
    const user = await prove(tx);
    userId = user.id;
    const obstacle = signInObstacle(user, ctx.env.requireEmailConfirmation);
    if (obstacle) throw obstacle;
    return { user, entry: await openSession(tx, ctx, user, method) };
  }).catch((error: unknown) => {
    if (error instanceof AppError) {
      reportSecurityEvent(ctx, "sign_in_failed", { userId, reason: `${method}_${reasonOfRefusal(error)}` });
    }
    throw error;
  });
  const { needsCode } = await handOverSession(ctx, user.isAdmin ? "admin" : "backer", entry);
  return { isAdmin: user.isAdmin, needsCode };
}

/** For {@link enter}: the password was right a moment ago, and is the account's still. */
function byPassword(user: User, wrongMessage: string) {
  return async (tx: Tx): Promise<User> => {
    const [current] = await tx.select().from(users).where(eq(users.id, user.id)).for("no key update");
    if (current?.passwordHash !== user.passwordHash) throw new AppError("invalid", wrongMessage);
    return current;
  };
}

/**
 * The second step of an administrator's sign-in: a code from the app or a recovery code, each good once. Attempts are
 * counted apart from those at the password, which a right password sets back. Throws "unauthenticated" when the first
 * step is over, was used or is no longer good.
 */
export async function verifySecondFactor(ctx: Context, { code }: { code: string }): Promise<Entered> {
  const step = readSecondStep(ctx);
  if (!step) throw secondStepOver();
  const { userId } = step;
  const [user] = await ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw secondStepOver();
  const attempt = await reserveAttempt(ctx, { email: user.email, subject: secondFactorSubject(userId) });
  const entry = await inTransaction(ctx.db, async (tx) => {
    const account = await lockUser(tx, userId);
    const obstacle = signInObstacle(account, ctx.env.requireEmailConfirmation);
    if (obstacle) throw obstacle;
    if (!account.isAdmin || step.state !== (await findFactorState(tx, ctx, userId))) throw secondStepOver();
    const secondFactor = await spendCode(tx, ctx, { userId, code });
    if (!secondFactor) return null;
    if (secondFactor === "recovery_code") await tellOfRecoveryCode(tx, ctx, account);
    return openSessionAfterCode(tx, ctx, { step, secondFactor });
  }).catch(async (error: unknown) => {
    await cancelSignIn(ctx, attempt);
    throw error;
  });
  if (!entry) throw refuseAttempt(ctx, attempt, twoFactorTexts.codeWrong);
  await acceptAttempt(ctx, attempt);
  const { needsCode } = await handOverSession(ctx, "admin", entry);
  return { isAdmin: true, needsCode };
}

/**
 * The way back from Google. Gives where to go, and with "entered" what a sign-in with a password gives; "asks_password"
 * leaves the step that {@link linkGoogleByPassword} takes. A flow to link only links. Throws as {@link returnFromGoogle}; at the administrators' page anybody else is signed out.
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
 * After Google, for an account with its address that has a password: the password shows that both are one person's, and
 * Google becomes a further way in. Throws "This is not the password of that account.", and "conflict" when the way by
 * Google has to be gone again.
 */
export async function linkGoogleByPassword(ctx: Context, { password }: { password: string }): Promise<Entered> {
  const { step, account } = await findGoogleLink(ctx);
  await provePassword(ctx, { ...account, password }, authTexts.linkPasswordWrong);
  return finishGoogleLink(ctx, { step, dropsPassword: false });
}

/**
 * The same for whoever doesn't know the password: it may be a stranger's. It is dropped with all sessions, so that Google
 * is the only way in. Throws as {@link linkGoogleByPassword}, and "forbidden" for an account with a second factor.
 */
export async function linkGoogleWithoutPassword(ctx: Context): Promise<Entered> {
  const { step } = await findGoogleLink(ctx);
  return finishGoogleLink(ctx, { step, dropsPassword: true });
}

type LinkProof = { step: GoogleLinkStep; dropsPassword: boolean };

async function findGoogleLink(ctx: Context): Promise<{ step: GoogleLinkStep; account: User }> {
  const step = readGoogleLinkStep(ctx);
  const [account] = step ? await ctx.db.select().from(users).where(eq(users.id, step.userId)) : [];
  if (!step || !account || !isOfStep(ctx, step, account)) {
    clearGoogleLinkStep(ctx);
    throw googleLinkOver();
  }
  return { step, account };
}

async function finishGoogleLink(ctx: Context, proof: LinkProof): Promise<Entered> {
  const { kind, claims, userId } = proof.step;
  const entered = await enterByGoogle(ctx, { kind, claims, proof });
  clearGoogleLinkStep(ctx);
  reportSecurityEvent(ctx, "identity_linked", {
    userId,
    reason: proof.dropsPassword ? "password_dropped" : "password",
  });
  return entered;
}

/** The account with the address has a password, which nobody has given yet. */
class LinkUnproved extends Error {
  readonly account: User;
  constructor(account: User) {
    super("the account's password is asked for first");
    this.account = account;
  }
}

type GoogleEntry = { kind: SessionKind; claims: OidcClaims; proof?: LinkProof };

/** Throws {@link LinkUnproved} where a proof is wanted; at the administrators' page anybody else is signed out. */
async function enterByGoogle(ctx: Context, entry: GoogleEntry): Promise<Entered> {
  try {
    return await enter(ctx, "google", byGoogle(ctx, entry));
  } catch (error) {
    if (entry.kind === "admin" && error instanceof AppError) await signOut(ctx);
    throw error;
  }
}

/**
 * For {@link enter}: the provider vouches for the person. Its administrators' page lets in administrators, and whoever an
 * open invitation makes one: for the account's verified address, which is also the one that the provider has verified.
 */
function byGoogle(ctx: Context, { kind, claims, proof }: GoogleEntry) {
  return async (tx: Tx): Promise<User> => {
    const found = await findAccountOf(tx, claims);
    const { user, isLinked } = found ?? { user: await signUpByGoogle(tx, ctx, claims), isLinked: true };
    if (user.isBlocked) return user;
    const isLetIn = kind !== "admin" || user.isAdmin;
    if (!isLetIn) {
      const isSameAddress = claims.isEmailVerified && claims.email === user.email;
      if (!isSameAddress || !(await consumeInviteFor(tx, ctx, user)))
        throw new AppError("forbidden", authTexts.notAdmin);
    }
    // Last: whoever is refused anyway is not asked for a password first.
    if (!isLinked) await linkProved(tx, ctx, { user, claims, proof });
    // A step that has led to the link already proves nothing any more: Google itself is asked from then on.
    else if (proof) throw googleLinkOver();
    return isLetIn ? user : { ...user, isAdmin: true };
  };
}

/** Part of {@link byGoogle}: nobody is to share the account with whoever set its password. */
async function linkProved(
  tx: Tx,
  ctx: Context,
  { user, claims, proof }: { user: User; claims: OidcClaims; proof: LinkProof | undefined },
): Promise<void> {
  if (await findIdentityOf(tx, user.id)) throw new AppError("conflict", googleTexts.otherLinked);
  // Without a password nothing shows whose the account was: its sessions end.
  if (user.passwordHash === null) return linkIdentity(tx, ctx, { user, claims, dropsPassword: true });
  if (!proof) throw new LinkUnproved(user);
  if (!isOfStep(ctx, proof.step, user)) throw googleLinkOver();
  const { dropsPassword } = proof;
  if (dropsPassword && (await findFactorState(tx, ctx, user.id)) !== null)
    throw new AppError("forbidden", googleTexts.dropRefused);
  await linkIdentity(tx, ctx, { user, claims, dropsPassword });
}

async function signUpByGoogle(tx: Tx, ctx: Context, claims: OidcClaims): Promise<User> {
  const { email, fullName } = claims;
  const user = await insertUser(tx, ctx.clock, { email, fullName, emailVerifiedAt: ctx.clock.now() });
  await insertIdentity(tx, ctx, { user, claims });
  return user;
}

/** Throws "Google is your only way to sign in. …" for an account without a password. */
export async function unlinkGoogle(ctx: ActorContext): Promise<void> {
  await inTransaction(ctx.db, (tx) => unlinkIdentity(tx, ctx, ctx.actor.id));
  reportSecurityEvent(ctx, "identity_unlinked", { userId: ctx.actor.id, reason: "google" });
}

/**
 * Ends the browser's session, if it has one, and a sign-in that waits for a code. `isFinal`: the person leaves, and
 * nothing is kept in this browser; without it drafts stay, as after a session that ran out.
 */
export async function signOut(ctx: Context, { isFinal }: { isFinal: boolean } = { isFinal: false }): Promise<void> {
  const name = sessionCookieName(ctx.env);
  const token = ctx.cookies.get(name);
  if (token && ctx.actor) await endSession(ctx, token);
  ctx.cookies.clear(name);
  if (isFinal) ctx.cookies.clearStorage();
  clearSecondStep(ctx);
  clearGoogleLinkStep(ctx);
}

/** A real event of the person: the only thing that slides a session. */
export async function touch(ctx: ActorContext): Promise<{ expiresAt: Date }> {
  return { expiresAt: await touchSession(ctx, ctx.actor) };
}

/**
 * Uses up a confirmation link, by whoever shows that the account is theirs: by its session, or by the password, which
 * signs them in. Throws as proveMailedLink does.
 */
export async function confirmEmail(
  ctx: Context,
  input: { token: string; password?: string | undefined },
): Promise<Entered> {
  const proved = await proveMailedLink(ctx, { ...input, purpose: "confirm_email" });
  const confirm = async (tx: Tx): Promise<User> => {
    const { account } = await consumeMailedLink(tx, ctx, proved);
    const emailVerifiedAt = account.emailVerifiedAt ?? ctx.clock.now();
    await tx.update(users).set({ emailVerifiedAt }).where(eq(users.id, account.id));
    return { ...account, emailVerifiedAt };
  };
  if (proved.passwordHash !== null) return enter(ctx, "password", confirm);
  const { isAdmin } = await inTransaction(ctx.db, confirm);
  return { isAdmin, needsCode: false };
}

/**
 * A mistyped address of a new account, corrected before anybody has confirmed it: a link goes to the right one, those to
 * the wrong one stop working. Its owner, who never had the account, is told nothing. Throws "This is not the password of
 * that account." whether there is such an account or not, "conflict" once it is confirmed, and as signing up does.
 */
export async function correctSignUp(
  ctx: Context,
  { email, newEmail, password }: { email: string; newEmail: string; password: string },
): Promise<void> {
  await limitRate(ctx, `sign-up:${networkOf(ctx.ipAddress)}`, signUpLimit);
  const faultOf = (text: string, reason: "invalid" | "conflict") =>
    new AppError(reason, text, { fields: { newEmail: [text] } });
  if (newEmail === email) throw faultOf(authTexts.correctionSame, "invalid");
  // Where nobody has to confirm, the account is in use already: its address changes as any other's.
  if (!ctx.env.requireEmailConfirmation) throw faultOf(authTexts.correctionLate, "conflict");
  const found = await findUserByEmail(ctx.db, email);
  const passwordHash = found?.passwordHash ?? null;
  await provePassword(ctx, { email, passwordHash, password }, authTexts.linkPasswordWrong);
  await limitRate(ctx, `confirm_email-to:${hashToken(newEmail)}`, linkLimitPerAccount);
  const userId = await inTransaction(ctx.db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for("no key update");
    if (!user || user.passwordHash !== passwordHash) throw new AppError("invalid", authTexts.linkPasswordWrong);
    if (user.isBlocked) throw new AppError("forbidden", authTexts.blocked);
    if (user.emailVerifiedAt !== null) throw faultOf(authTexts.correctionLate, "conflict");
    try {
      await tx.update(users).set({ email: newEmail, updatedAt: ctx.clock.now() }).where(eq(users.id, user.id));
    } catch (error) {
      throw isUniqueViolation(error, "users_email_key") ? faultOf(authTexts.emailTaken, "conflict") : error;
    }
    await endSessionsOf(tx, user.id);
    await dropEmailTokens(tx, user.id);
    await mailConfirmationLink(tx, ctx, { ...user, email: newEmail });
    return user.id;
  });
  reportSecurityEvent(ctx, "email_changed", { userId, reason: "before_confirmation" });
}

/** A new link for an account that waits for one. The answer is the same whether there is such an account or not. */
export async function resendConfirmation(ctx: Context, { email }: { email: string }): Promise<void> {
  await requestLink(ctx, "confirm_email", email);
}

/** A link for a new password. The answer is the same whether there is such an account or not. */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  await requestLink(ctx, "reset_password", email);
}

/** Only counts and queues, so that an answer takes as long for every address: the job looks for the account. */
async function requestLink(ctx: Context, purpose: "confirm_email" | "reset_password", email: string): Promise<void> {
  await limitRate(ctx, `${purpose}:${networkOf(ctx.ipAddress)}`, linkLimit);
  await limitRate(ctx, `${purpose}-to:${hashToken(email)}`, linkLimitPerAccount);
  await ctx.jobs.enqueue(ctx.db, "account-link", { purpose, email }, { priority: 10 });
}

/**
 * Uses up a reset link: sets the password and ends all sessions, this browser's too. The mailed link proves the
 * address; if nobody had proved it before, what others may have attached to the account is taken off. Throws when the
 * link is unknown, used or over.
 */
export async function resetPassword(ctx: Context, input: { token: string; password: string }): Promise<void> {
  await limitRate(ctx, `reset-password:${networkOf(ctx.ipAddress)}`, resetLimit);
  const given = { token: input.token, purpose: "reset_password" } as const;
  const refusal = new AppError("invalid", authTexts.resetInvalid);
  // A hash is costly: not for links that can't work.
  const owner = await findEmailTokenOwner(ctx, given);
  if (!owner) {
    reportSecurityEvent(ctx, "reset_refused", { userId: null, reason: "link_invalid" });
    throw refusal;
  }
  await refuseGuessable(input.password, owner);
  const passwordHash = await hashPassword(input.password);
  const { userId } = await inTransaction(ctx.db, async (tx) => {
    const link = await consumeEmailToken(tx, ctx, given);
    const [user] = link ? await tx.select().from(users).where(eq(users.id, link.userId)) : [];
    if (!user || user.isBlocked) throw refusal;
    if (user.emailVerifiedAt === null) {
      await tx.delete(identities).where(eq(identities.userId, user.id));
      await tx.delete(knownDevices).where(eq(knownDevices.userId, user.id));
      await tx.update(users).set({ emailVerifiedAt: ctx.clock.now() }).where(eq(users.id, user.id));
    }
    await replacePassword(tx, ctx, { userId: user.id, passwordHash });
    const { email, isAdmin } = user;
    await forgetFailures(tx, ctx, { email, ipAddress: ctx.ipAddress, knownDevice: readDevice(ctx) });
    // Nobody is signed in: the entry names the account by its details.
    const by = { actor: null, clock: ctx.clock, ipAddress: ctx.ipAddress };
    if (isAdmin) await recordAudit(tx, by, "reset_password", { userId: user.id, email });
    return { userId: user.id };
  });
  reportSecurityEvent(ctx, "password_changed", { userId, reason: "reset" });
  clearSignInTrace(ctx);
  await signOut(ctx);
}
