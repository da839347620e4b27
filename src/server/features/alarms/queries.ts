import { desc, isNull, min, sql } from "drizzle-orm";
import { alarms } from "#server/db/schema/alarms.ts";
import type { ActorContext } from "#server/platform/context.ts";

const violation = sql<string>`${alarms.finding}->>'violation'`;

/** What the self-check found and still finds, by its words: how many rows, and since when. */
export async function listOpenAlarms({ db }: ActorContext) {
  return db
    .select({ violation, count: sql<number>`count(*)::int`, since: min(alarms.createdAt) })
    .from(alarms)
    .where(isNull(alarms.resolvedAt))
    .groupBy(violation)
    .orderBy(desc(min(alarms.createdAt)), violation);
}
