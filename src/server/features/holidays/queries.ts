import { and, asc, eq, gte, isNull } from "drizzle-orm";
import { holidays } from "#server/db/schema/holidays.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { dayInLagos } from "#shared/dates.ts";

/** The holidays from this year on, in their order. Nobody added the fixed ones. */
export async function listHolidays({ db, clock }: ActorContext) {
  const today = dayInLagos(clock.now());
  const found = await db
    .select({ id: holidays.id, day: holidays.day, name: holidays.name, addedByName: users.fullName })
    .from(holidays)
    .leftJoin(users, eq(users.id, holidays.addedBy))
    .where(and(isNull(holidays.removedAt), gte(holidays.day, `${today.slice(0, 4)}-01-01`)))
    .orderBy(asc(holidays.day));
  return { today, holidays: found.map((holiday) => ({ ...holiday, isOver: holiday.day < today })) };
}
