import { desc, isNull, min, sql } from "drizzle-orm";
import { alarms } from "#server/db/schema/alarms.ts";
import type { ActorContext } from "#server/platform/context.ts";

/** The finding that raised an alarm, in words. */
export const violation = sql<string>`${alarms.finding}->>'violation'`;

/** Condition of the findings that still hold. */
export const isOpen = isNull(alarms.resolvedAt);

/** The self-check's open findings by text, with their number of rows and their start. */
export async function listOpenAlarms({ db }: ActorContext) {
  return db
    .select({ violation, count: sql<number>`count(*)::int`, since: min(alarms.createdAt) })
    .from(alarms)
    .where(isOpen)
    .groupBy(violation)
    .orderBy(desc(min(alarms.createdAt)), violation);
}
