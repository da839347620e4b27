import { eq, sql } from "drizzle-orm";
import { farmPast } from "#server/db/schema/farm-past.ts";
import { farms } from "#server/db/schema/farms.ts";
import type { TodayLine } from "#server/platform/today.ts";

/** Entries of farms' pasts that no owner has confirmed or refused. The key is the farm's. */
export const farmPastLines = {
  told_pasts: {
    right: "payments:process",
    items:
      () => sql`select ${farms.id} || ':' || ${farmPast.id} as key, ${farmPast.createdAt} as since, false as is_late,
        ${farms.name} as title, null::int as project_id
      from ${farmPast} join ${farms} on ${farms.id} = ${farmPast.farmId} where ${eq(farmPast.state, "waiting")}`,
  },
} as const satisfies Record<string, TodayLine>;
