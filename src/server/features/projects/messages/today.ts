import { sql } from "drizzle-orm";
import { projectMessages, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { findMessageDays } from "#server/features/settings/queries.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { isMessageLate, isUnanswered } from "./queries.ts";

/** Backers' messages that nobody has answered. */
export const messageLines = {
  messages: {
    right: "projects:edit",
    items: async ({ db, now }) => sql`select ${projectMessages.id}::text as key, ${projectMessages.createdAt} as since,
        ${isMessageLate(now, await findMessageDays(db))} as is_late, ${projects.title} || ': ' || ${users.fullName} as title,
        ${projects.id} as project_id
      from ${projectMessages} join ${projects} on ${projects.id} = ${projectMessages.projectId}
        join ${users} on ${users.id} = ${projectMessages.userId}
      where ${isUnanswered}`,
  },
} as const satisfies Record<string, TodayLine>;
