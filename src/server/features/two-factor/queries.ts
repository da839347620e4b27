import { and, asc, eq, isNotNull, notExists, sql } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { countRecoveryCodes, findConfirmedFactor } from "#server/core/second-factor.ts";
import { twoFactors, users } from "#server/db/schema/users.ts";
import { requiresTwoFactor } from "#server/features/settings/queries.ts";

/** The caller's second factor: since when (null: off), how many recovery codes still work, whether it is mandatory. */
export async function describeTwoFactor({ db, actor }: ActorContext) {
  const factor = await findConfirmedFactor(db, actor.id);
  return {
    enabledAt: factor?.confirmedAt ?? null,
    recoveryCodesLeft: factor ? await countRecoveryCodes(db, actor.id) : 0,
    isMandatory: await requiresTwoFactor(db),
  };
}

const namedAdmins = 20;

/** Active administrators without a second factor, by name: whom making it mandatory stops until they set it up. */
export async function listAdminsWithoutFactor({ db, actor }: ActorContext) {
  const hasFactor = db
    .select({ userId: twoFactors.userId })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, users.id), isNotNull(twoFactors.confirmedAt)));
  const isStopped = and(eq(users.isAdmin, true), eq(users.isBlocked, false), notExists(hasFactor));
  const found = await db
    .select({ id: users.id, fullName: users.fullName })
    .from(users)
    .where(isStopped)
    .orderBy(asc(sql`lower(${users.fullName})`), asc(users.id))
    .limit(namedAdmins);
  const count = found.length < namedAdmins ? found.length : await db.$count(users, isStopped);
  return { count, admins: found.map(({ id, fullName }) => ({ id, fullName, isSelf: id === actor.id })) };
}
