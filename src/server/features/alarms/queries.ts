import { desc, isNull, sql } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { alarms } from "#server/db/schema/alarms.ts";

const shown = 20;

/** What the self-check found and still finds, latest first, with the number of all. */
export async function listOpenAlarms({ db }: ActorContext) {
  const items = await db
    .select({ id: alarms.id, violation: sql<string>`${alarms.finding}->>'violation'`, since: alarms.createdAt })
    .from(alarms)
    .where(isNull(alarms.resolvedAt))
    .orderBy(desc(alarms.id))
    .limit(shown);
  return { items, total: await db.$count(alarms, isNull(alarms.resolvedAt)) };
}
