import { and, eq, isNull, sql } from "drizzle-orm";
import { heldRoles } from "#server/core/held-roles.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { twoFactors, users } from "#server/db/schema/users.ts";
import { sessionTimeoutKey } from "#shared/sessions.ts";
import { requireTwoFactorKey } from "#shared/settings.ts";

/** A setting's value, or null, within a statement. */
export const settingValue = (key: string) =>
  sql<string | null>`(select ${settings.value} from ${settings} where ${settings.key} = ${key})`;

/** Asked with every call of somebody who is signed in. */
export const sessionOf = perDatabase((db) =>
  db
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
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.idHash, sql.placeholder("idHash")), isNull(users.closedAt)))
    .prepare("session"),
);
