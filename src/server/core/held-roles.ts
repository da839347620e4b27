import { sql } from "drizzle-orm";
import { userRoles, users } from "#server/db/schema/users.ts";
import type { Role } from "#shared/permissions.ts";

/** What a statement on `users` selects for the roles of each. As JSON, which both drivers read without asking for types. */
export const heldRoles = sql<
  Role[]
>`to_json(array(select ${userRoles.role} from ${userRoles} where ${userRoles.userId} = ${users.id}))`;
