import { and, ne, or, sql } from "drizzle-orm";
import { areTwoOwnersAt } from "#server/accounts/owners/who-may-confirm.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isAsked } from "./queries.ts";

/** The dashboard shows them below the list. Whoever asked waits for somebody else, unless they are alone. */
export const requestLines = {
  requests: {
    right: "payments:process",
    items: ({ now, userId }) => {
      const isForThem = or(
        ne(secondPersonRequests.requestedBy, userId),
        sql`not ${areTwoOwnersAt(sql`${now.toISOString()}::timestamptz`)}`,
      );
      return sql`select ${secondPersonRequests.id}::text as key, ${secondPersonRequests.requestedAt} as since,
        false as is_late, null::text as title, null::int as project_id
      from ${secondPersonRequests} where ${and(isAsked(now), isForThem)}`;
    },
  },
} as const satisfies Record<string, TodayLine>;
