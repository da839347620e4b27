import { desc, isNull, min, sql } from "drizzle-orm";
import { alarms } from "#server/db/schema/alarms.ts";
import type { ActorContext } from "#server/platform/context.ts";

const violation = sql<string>`${alarms.finding}->>'violation'`;

/** The self-check's open findings by text, with their number of rows and their start. */
export async function listOpenAlarms({ db }: ActorContext) {
  return db
    .select({ violation, count: sql<number>`count(*)::int`, since: min(alarms.createdAt) })
    .from(alarms)
    .where(isNull(alarms.resolvedAt))
    .groupBy(violation)
    .orderBy(desc(min(alarms.createdAt)), violation);
}
