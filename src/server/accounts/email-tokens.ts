import { randomBytes } from "node:crypto";
import { and, eq, exists, gt, isNull, or, type SQL } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { emailTokens } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { Deps } from "#server/platform/deps.ts";
import { hashToken } from "./sessions.ts";

/**
 * Tokens of mailed links: 32 random bytes, stored as their SHA-256. Each works once, and only while the account has the
 * address the link was sent to. A change of address is the exception: its link goes to the new address.
 */
export type EmailTokenPurpose = typeof emailTokens.$inferSelect.purpose;

/** The account of a link, and the address it was sent to. */
export type EmailTokenOwner = { userId: string; email: string };

/**
 * Part of a transaction: creates a token (64 hex digits) that is valid for `lifetimeMinutes`. It replaces the account's
 * older tokens of the same purpose. The caller mails it; only its hash is stored.
 */
export async function issueEmailToken(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  input: EmailTokenOwner & { purpose: EmailTokenPurpose; lifetimeMinutes: number },
): Promise<string> {
  const { userId, purpose, email, lifetimeMinutes } = input;
  const token = randomBytes(32).toString("hex");
  const now = clock.now();
  // Of two concurrent requests the second waits here, and then replaces the first one's token.
  await lockAccount(tx, userId);
  await tx.delete(emailTokens).where(and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, purpose)));
  await tx.insert(emailTokens).values({
    tokenHash: hashToken(token),
    userId,
    purpose,
    email,
    expiresAt: new Date(now.getTime() + lifetimeMinutes * 60_000),
    createdAt: now,
  });
  return token;
}

type GivenToken = { token: string; purpose: EmailTokenPurpose };

/**
 * Part of a transaction: uses a token up. Null if it is unknown, of another purpose, used or expired, or was sent to an
 * address that the account no longer has. The caller then throws, which rolls back.
 */
export async function consumeEmailToken(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  given: GivenToken,
): Promise<EmailTokenOwner | null> {
  const now = clock.now();
  const [found] = await tx
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .where(isUsable(tx, given, now));
  if (!found) return null;
  // The account is locked first, as when a token is issued; the other order could deadlock. Its address is now fixed.
  await lockAccount(tx, found.userId);
  const [used] = await tx
    .update(emailTokens)
    .set({ usedAt: now })
    .where(isUsable(tx, given, now))
    .returning({ userId: emailTokens.userId, email: emailTokens.email });
  return used ?? null;
}

async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** Finds the owner that {@link consumeEmailToken} would return, without using the token up. */
export async function findEmailToken(
  { db, clock }: Pick<Deps, "db" | "clock">,
  given: GivenToken,
): Promise<EmailTokenOwner | null> {
  const [found] = await db
    .select({ userId: emailTokens.userId, email: emailTokens.email })
    .from(emailTokens)
    .where(isUsable(db, given, clock.now()));
  return found ?? null;
}

/** The account whose token {@link consumeEmailToken} would accept now, or null. Ask this before expensive work. */
export async function findEmailTokenOwner(
  { db, clock }: Pick<Deps, "db" | "clock">,
  given: GivenToken,
): Promise<{ fullName: string; email: string } | null> {
  const [owner] = await db
    .select({ fullName: users.fullName, email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(isUsable(db, given, clock.now()));
  return owner ?? null;
}

/** Deletes an account's unused links, because none may outlive a change of password. */
export async function dropEmailTokens(tx: Tx, userId: string): Promise<void> {
  await tx.delete(emailTokens).where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt)));
}

function isUsable(db: DbOrTx, { token, purpose }: GivenToken, now: Date): SQL | undefined {
  const hasAddress = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, emailTokens.userId), eq(users.email, emailTokens.email)));
  return and(
    eq(emailTokens.tokenHash, hashToken(token)),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, now),
    or(eq(emailTokens.purpose, "change_email"), exists(hasAddress)),
  );
}
