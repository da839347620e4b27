import { and, asc, isNull, sql } from "drizzle-orm";
import { heldGrants, heldRoles } from "#server/accounts/sessions.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { grants, roles } from "#shared/permissions.ts";

const listLimit = 500;

/** A deactivated administrator keeps the roles, and can be reactivated. */
const isOrWasAdmin = sql`${users.id} in (
  select a.id from users a where a.is_admin union select r.user_id from user_roles r)`;

/** All administrators by name, including deactivated ones. */
export async function listAdmins({ db, actor }: ActorContext) {
  const { id, email, fullName, isAdmin, isBlocked, createdAt, lastActivityAt } = users;
  const found = await db
    .select({
      id,
      email,
      fullName,
      isAdmin,
      isBlocked,
      createdAt,
      lastActivityAt,
      roles: heldRoles,
      grants: heldGrants,
    })
    .from(users)
    .where(and(isNull(users.closedAt), isOrWasAdmin))
    .orderBy(asc(sql`lower(${users.fullName})`), asc(users.id))
    .limit(listLimit);
  return found.map(({ isAdmin: isActive, ...admin }) => ({
    ...admin,
    // Most powerful first.
    roles: roles.filter((role) => admin.roles.includes(role)).reverse(),
    grants: grants.filter((grant) => admin.grants.includes(grant)),
    status: admin.isBlocked ? ("blocked" as const) : isActive ? ("active" as const) : ("deactivated" as const),
    isSelf: admin.id === actor.id,
  }));
}
