import { sql } from "drizzle-orm";
import { jobApplications } from "#server/db/schema/team.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { hasStatus } from "./queries.ts";

/** The list of applicants shows the new ones. */
export const careerLines = {
  applicants: {
    right: "users:manage",
    items: () => sql`select ${jobApplications.id}::text as key, ${jobApplications.createdAt} as since, false as is_late,
        ${jobApplications.fullName} as title, null::int as project_id
      from ${jobApplications} where ${hasStatus("new")}`,
  },
} as const satisfies Record<string, TodayLine>;
