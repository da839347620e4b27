import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { dropEmailTokens } from "#server/accounts/email-tokens.ts";
import { identityMail } from "#server/accounts/emails.ts";
import { endSessionsOf } from "#server/accounts/sessions.ts";
import { lockUser } from "#server/accounts/users.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { identities, users } from "#server/db/schema/users.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Deps, OidcClaims } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { googleTexts } from "#shared/accounts/google-texts.ts";

/**
 * Identities at the OpenID provider that are linked to accounts. An identity is a provider and a subject, because
 * addresses at a provider change hands and subjects don't.
 */
const provider = "google";

const isSubject = (subject: string) => and(eq(identities.provider, provider), eq(identities.subject, subject));

const isOfUser = (userId: string) => and(eq(identities.provider, provider), eq(identities.userId, userId));

type User = typeof users.$inferSelect;

type IdentityDeps = Pick<Context, "clock" | "env" | "jobs" | "ipAddress" | "site">;

/**
 * Part of a transaction: the account of the person that the provider names, locked. It is the account linked to the
 * identity, or else the one with the same address, verified on both sides; {@link linkIdentity} may follow. Null if
 * there is neither:
 * a new account may then be made, with the address verified.
 * Throws AppError "forbidden" or "conflict" if the account can't be shown to be this person's.
 */
export async function findAccountOf(tx: Tx, claims: OidcClaims): Promise<{ user: User; isLinked: boolean } | null> {
  await lockIdentity(tx, claims.subject);
  const linkedTo = await findLinkedUserId(tx, claims.subject);
  if (linkedTo !== null) {
    const user = await lockUser(tx, linkedTo);
    // If it was unlinked while this waited for the lock, it is no longer a way in.
    if ((await findLinkedUserId(tx, claims.subject)) === user.id) return { user, isLinked: true };
  }
  if (!claims.isEmailVerified) throw new AppError("forbidden", googleTexts.emailUnverified);
  const [user] = await tx.select().from(users).where(eq(users.email, claims.email)).for("no key update");
  if (!user) return null;
  if (user.emailVerifiedAt === null) throw new AppError("conflict", googleTexts.accountUnverified);
  return { user, isLinked: false };
}

async function findLinkedUserId(tx: Tx, subject: string): Promise<string | null> {
  const [linked] = await tx.select({ userId: identities.userId }).from(identities).where(isSubject(subject));
  return linked?.userId ?? null;
}

/**
 * Part of a transaction: links the identity to the signed-in person, if the addresses are verified on both sides.
 * The two may differ. Linking again changes nothing. Throws as {@link findAccountOf} does.
 */
export async function linkToAccount(
  tx: Tx,
  deps: IdentityDeps,
  { userId, claims }: { userId: string; claims: OidcClaims },
): Promise<void> {
  await lockIdentity(tx, claims.subject);
  const user = await lockUser(tx, userId);
  if ((await findLinkedUserId(tx, claims.subject)) === userId) return;
  if (!claims.isEmailVerified) throw new AppError("forbidden", googleTexts.emailUnverified);
  if (user.emailVerifiedAt === null) throw new AppError("forbidden", googleTexts.confirmFirst);
  await linkIdentity(tx, deps, { user, claims });
}

/** Part of a transaction that has just created the account for this person. */
export async function insertIdentity(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { user, claims }: { user: User; claims: OidcClaims },
): Promise<void> {
  const { subject, email } = claims;
  try {
    await tx.insert(identities).values({ provider, subject, userId: user.id, email, createdAt: clock.now() });
  } catch (error) {
    if (isUniqueViolation(error, "identities_pkey")) throw new AppError("conflict", googleTexts.linkedElsewhere);
    if (isUniqueViolation(error, "identities_one_per_provider"))
      throw new AppError("conflict", googleTexts.otherLinked);
    throw error;
  }
}

/**
 * Adds the identity to an existing account. Its address gets a mail, and for an administrator it is audited. With
 * `dropsPassword` Google becomes the only way in: the password and all sessions are removed.
 */
export async function linkIdentity(
  tx: Tx,
  deps: IdentityDeps,
  { user, claims, dropsPassword = false }: { user: User; claims: OidcClaims; dropsPassword?: boolean },
): Promise<void> {
  await insertIdentity(tx, deps, { user, claims });
  if (dropsPassword) {
    await tx.update(users).set({ passwordHash: null, updatedAt: deps.clock.now() }).where(eq(users.id, user.id));
    await endSessionsOf(tx, user.id);
    await dropEmailTokens(tx, user.id);
    await tx.delete(knownDevices).where(eq(knownDevices.userId, user.id));
  }
  await mailIdentityChange(tx, deps, { user, googleEmail: claims.email, dropsPassword });
}

/**
 * Part of a transaction. Throws AppError "conflict" if there is no other way into the account.
 * Does nothing without a linked identity.
 */
export async function unlinkIdentity(tx: Tx, deps: IdentityDeps, userId: string): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user.passwordHash === null) throw new AppError("conflict", googleTexts.passwordFirst);
  const removed = await tx.delete(identities).where(isOfUser(userId)).returning({ subject: identities.subject });
  if (removed.length > 0) await mailIdentityChange(tx, deps, { user, googleEmail: null });
}

async function mailIdentityChange(
  tx: Tx,
  deps: IdentityDeps,
  { user, googleEmail, dropsPassword = false }: { user: User; googleEmail: string | null; dropsPassword?: boolean },
): Promise<void> {
  const at = deps.clock.now();
  if (user.isAdmin) {
    const action = googleEmail === null ? "unlink_google" : "link_google";
    const details = { ...(googleEmail !== null && { googleEmail }), ...(dropsPassword && { passwordDropped: true }) };
    await recordAudit(tx, { ...deps, actor: user }, action, details);
  }
  const site = deps.site.current();
  const mail = identityMail({ fullName: user.fullName, site, googleEmail, dropsPassword, at });
  await queueMail(tx, deps, { eventKey: `identity:${randomUUID()}`, to: user.email, isSecurity: true, ...mail });
}

/** An account's linked identity, with the address that it had at the provider when it was linked. */
export async function findIdentityOf(db: DbOrTx, userId: string): Promise<{ email: string; linkedAt: Date } | null> {
  const [found] = await db
    .select({ email: identities.email, linkedAt: identities.createdAt })
    .from(identities)
    .where(isOfUser(userId));
  return found ?? null;
}

/** Makes concurrent sign-ins with the same identity wait until this transaction ends. */
async function lockIdentity(tx: Tx, subject: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${subject}`}, 0))`);
}
