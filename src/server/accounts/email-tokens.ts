import { randomBytes } from "node:crypto";
import { and, eq, exists, gt, isNull, or, type SQL } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { emailTokens } from "#server/db/schema/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { Deps } from "#server/platform/deps.ts";
import { hashToken } from "./sessions.ts";

/**
 * Tokens of mailed links: 32 random bytes, of which the table holds the SHA-256. Each works once, and only while the
 * account has the address the link was sent to. Changing the address is the exception: that link goes to the new one.
 */
export type EmailTokenPurpose = typeof emailTokens.$inferSelect.purpose;

/** Who a link belongs to, and the address it was sent to. */
export type EmailTokenOwner = { userId: string; email: string };

/**
 * Part of a transaction: makes a token (64 hex digits) that works until `lifetimeMinutes` from now. The account's older
 * ones of the same purpose stop working. The caller mails it; it is stored nowhere else.
 */
export async function issueEmailToken(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  input: EmailTokenOwner & { purpose: EmailTokenPurpose; lifetimeMinutes: number },
): Promise<string> {
  const { userId, purpose, email, lifetimeMinutes } = input;
  const token = randomBytes(32).toString("hex");
  const now = clock.now();
  // Two requests at once: the second one waits here, and then finds the first one's token to replace.
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
 * Part of a transaction: uses a token up. Null when it is unknown, of another purpose, used, over, or sent to an
 * address that the account no longer has; the caller then throws, which leaves everything as it was.
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
  // The account first, as in issuing: the other order could deadlock. Its address can't change from here on.
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

/** Who {@link consumeEmailToken} would give now. Uses nothing up. */
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

/** The account whose token {@link consumeEmailToken} would take now, or null: to be asked before costly work. */
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

/** Links that wait somewhere for an account whose password was changed: none of them may outlive it. */
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
