import { and, eq, sql } from "drizzle-orm";
import { activeOwners, keepOwnerTerms } from "#server/accounts/owners/owner-terms.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { adminTexts } from "#shared/people/texts.ts";
import { createAdminInput } from "#shared/people/users.ts";
import type { Role } from "#shared/permissions.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";

export type User = typeof users.$inferSelect;

/** Finds an account by its stored address: trimmed and lower-cased. */
export async function findUserByEmail(db: DbOrTx, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user ?? null;
}

type NewUser = Pick<User, "email" | "fullName"> & Partial<Pick<User, "passwordHash" | "emailVerifiedAt" | "isAdmin">>;

/** Adds an account. Throws "An account with this email already exists." */
export async function insertUser(tx: Tx, clock: Deps["clock"], values: NewUser): Promise<User> {
  const now = clock.now();
  try {
    const [user] = await tx
      .insert(users)
      .values({ ...values, createdAt: now, updatedAt: now })
      .returning();
    if (!user) throw new Error("the account was not inserted");
    return user;
  } catch (error) {
    if (!isUniqueViolation(error, "users_email_key")) throw error;
    throw new AppError("conflict", authTexts.emailTaken, { fields: { email: [authTexts.emailTaken] } });
  }
}

/**
 * Creates an administrator on the command line, with a verified address, because the server's operator vouches for it.
 * Throws AppError "invalid" with every fault of the input, or "An account with this email already exists."
 */
export async function createAdmin(
  deps: Pick<Deps, "db" | "clock" | "site">,
  input: { email: string; fullName: string; role: Role; password: string },
): Promise<{ id: string }> {
  const { email, fullName, role, password } = checked(input);
  await refuseGuessable(password, { email, fullName, site: deps.site.current() });
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, async (tx) => {
    const values = { email, fullName, passwordHash, isAdmin: true, emailVerifiedAt: deps.clock.now() };
    const { id } = await insertUser(tx, deps.clock, values);
    await tx.insert(userRoles).values({ userId: id, role, createdAt: deps.clock.now() });
    await keepOwnerTerms(tx, deps.clock.now());
    const by = { actor: null, clock: deps.clock, ipAddress: null };
    await recordAudit(tx, by, "create_admin", { userId: id, email, role, via: "command line" });
    return { id };
  });
}

function checked(input: { email: string; fullName: string; role: Role; password: string }) {
  const parsed = createAdminInput.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid", parsed.error.issues.map((issue) => issue.message).join("\n"));
}

/** Part of a transaction: locks somebody else's account. Throws "User not found" if it doesn't exist any more. */
export async function lockPerson(tx: Tx, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
  if (!user || user.closedAt !== null) throw new AppError("not_found", adminTexts.userNotFound);
  return user;
}

/** Part of a transaction: the account with that id, locked. */
export async function lockUser(tx: Tx, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
  if (!user) throw new Error("the account is gone");
  return user;
}

/**
 * Part of a transaction, before any other lock: locks all active owners, so that none of them loses their rights before
 * the commit. Returns their ids.
 */
export async function lockActiveOwners(tx: Tx, lock: "share" | "no key update"): Promise<string[]> {
  await tx.execute(sql`${activeOwners} order by u.id for ${sql.raw(lock)} of u`);
  return (await rows<{ id: string }>(tx, activeOwners)).map(({ id }) => id);
}

/**
 * Part of a transaction that takes an owner's rights away, before any other lock: locks all active owners and counts
 * them, so that two can't leave at once. Does nothing for other people. Throws "You are the last active owner. …".
 */
export async function requireOtherOwner(tx: Tx, userId: string): Promise<void> {
  const owners = await lockActiveOwners(tx, "no key update");
  if (owners.length === 1 && owners[0] === userId) throw new AppError("conflict", accountTexts.lastOwner);
}

/** The recipients of mails that concern all owners. */
export async function listActiveOwners(db: DbOrTx): Promise<{ id: string; email: string; fullName: string }[]> {
  return rows(
    db,
    sql`select id, email, full_name as "fullName" from users where id in (${activeOwners}) order by email`,
  );
}

/** Returns true if a person has the role of an owner, also while they are deactivated or blocked. */
export async function holdsOwnerRole(db: DbOrTx, userId: string): Promise<boolean> {
  return (await db.$count(userRoles, and(eq(userRoles.userId, userId), eq(userRoles.role, "owner")))) > 0;
}
