import { recordAudit } from "#server/core/audit.ts";
import type { Deps } from "#server/core/deps.ts";
import { AppError } from "#server/core/errors.ts";
import { hashPassword } from "#server/core/passwords.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { authTexts } from "#shared/auth.ts";
import type { Role } from "#shared/permissions.ts";
import { createAdminInput } from "#shared/users.ts";
import type { User } from "./queries.ts";

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
 * An administrator made at the command line, with a verified address: whoever runs the server vouches for it.
 * Throws AppError "invalid" with every fault of the input, or "An account with this email already exists."
 */
export async function createAdmin(
  deps: Pick<Deps, "db" | "clock">,
  input: { email: string; fullName: string; role: Role; password: string },
): Promise<{ id: string }> {
  const { email, fullName, role, password } = checked(input);
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, async (tx) => {
    const values = { email, fullName, passwordHash, isAdmin: true, emailVerifiedAt: deps.clock.now() };
    const { id } = await insertUser(tx, deps.clock, values);
    await tx.insert(userRoles).values({ userId: id, role, createdAt: deps.clock.now() });
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
