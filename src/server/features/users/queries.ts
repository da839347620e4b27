import { eq } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";

export type User = typeof users.$inferSelect;

/** By the address as accounts keep it: trimmed and lower-cased. */
export async function findUserByEmail(db: DbOrTx, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user ?? null;
}
