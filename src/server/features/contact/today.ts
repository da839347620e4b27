import { sql } from "drizzle-orm";
import { contactMessages } from "#server/db/schema/team.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isUnread } from "./queries.ts";

/** The inbox shows the unread ones. */
export const contactLines = {
  contact: {
    right: "users:manage",
    items: () => sql`select ${contactMessages.id}::text as key, ${contactMessages.createdAt} as since, false as is_late,
        ${contactMessages.name} as title, null::int as project_id
      from ${contactMessages} where ${isUnread}`,
  },
} as const satisfies Record<string, TodayLine>;
