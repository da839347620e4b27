import { and, eq, isNull, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { type Permission, permissionsOf, type Role } from "#shared/permissions.ts";

/** Ids of the administrators who hold the permission now. */
export async function administratorsWith(db: DbOrTx, permission: Permission): Promise<string[]> {
  const administrators = await db
    .select({
      id: users.id,
      isAdmin: users.isAdmin,
      roles: sql<Role[]>`array(select ${userRoles.role} from ${userRoles} where ${userRoles.userId} = ${users.id})`,
    })
    .from(users)
    .where(and(eq(users.isAdmin, true), eq(users.isBlocked, false), isNull(users.closedAt)));
  return administrators.filter((person) => permissionsOf(person).includes(permission)).map(({ id }) => id);
}
