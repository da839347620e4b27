import { sql } from "drizzle-orm";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isAsked } from "./queries.ts";

/** The dashboard shows them below the list. */
export const requestLines = {
  requests: {
    right: "payments:process",
    items: ({
      now,
    }) => sql`select ${secondPersonRequests.id}::text as key, ${secondPersonRequests.requestedAt} as since,
        false as is_late, null::text as title, null::int as project_id
      from ${secondPersonRequests} where ${isAsked(now)}`,
  },
} as const satisfies Record<string, TodayLine>;
