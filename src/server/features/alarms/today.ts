import { sql } from "drizzle-orm";
import { alarms } from "#server/db/schema/alarms.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isOpen, violation } from "./queries.ts";

/** Findings of one text are one. */
export const alarmLines = {
  alarms: {
    right: "settings:manage",
    items:
      () => sql`select ${violation} as key, min(${alarms.createdAt}) as since, true as is_late, ${violation} as title,
        null::int as project_id
      from ${alarms} where ${isOpen} group by ${violation}`,
  },
} as const satisfies Record<string, TodayLine>;
