import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { heldRoles } from "#server/core/held-roles.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { twoFactors, users } from "#server/db/schema/users.ts";
import { sessionTimeoutKey } from "#shared/sessions.ts";
import { requireTwoFactorKey } from "#shared/settings.ts";

/** The statement that reads a session with its person, and what it may read along. */

/** Something of a person's that can be read in the session's own statement: one round trip instead of two. */
export type ReadAlong = ReturnType<typeof readAlong>;

/** `select` is JSON, of the person whose id is `users.id` in the statement around it; the name is unique. */
export const readAlong = (name: string, select: SQL) => ({
  withSession: perDatabase((db) => sessionStatement(db, `session_${name}`, select)),
  byItself: perDatabase((db) =>
    db
      .select({ along: select })
      .from(users)
      .where(eq(users.id, sql.placeholder("userId")))
      .prepare(name),
  ),
});

type Reader = { id: string; along?: { read: ReadAlong; json: unknown } };

/** What the person's call reads: along with the session where it was asked for with it, else now. */
export async function alongOf({ db, actor }: { db: DbOrTx; actor: Reader }, read: ReadAlong): Promise<unknown> {
  if (actor.along?.read === read) return actor.along.json;
  const [row] = await read.byItself(db).execute({ userId: actor.id });
  return row?.along;
}

/** A setting's value, or null, within a statement. */
export const settingValue = (key: string) =>
  sql<string | null>`(select ${settings.value} from ${settings} where ${settings.key} = ${key})`;

export const sessionByItself = perDatabase((db) => sessionStatement(db, "session", sql`null`));

/** Asked with every call of somebody who is signed in. */
function sessionStatement(db: DbOrTx, name: string, along: SQL) {
  return db
    .select({
      session: sessions,
      user: {
        id: users.id,
        email: users.email,
        fullName: users.fullName,
        isAdmin: users.isAdmin,
        isBlocked: users.isBlocked,
      },
      roles: heldRoles,
      timeout: settingValue(sessionTimeoutKey),
      twoFactorRule: settingValue(requireTwoFactorKey),
      hasTwoFactor: sql<boolean>`exists(select 1 from ${twoFactors} where ${twoFactors.userId} = ${users.id} and ${twoFactors.confirmedAt} is not null)`,
      along: sql<unknown>`${along}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.idHash, sql.placeholder("idHash")), isNull(users.closedAt)))
    .prepare(name);
}
