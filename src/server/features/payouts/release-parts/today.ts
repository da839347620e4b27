import { isNull, sql } from "drizzle-orm";
import { projects } from "#server/db/schema/projects.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import type { TodayLine } from "#server/platform/today.ts";

/** Parts that farms asked for and nobody has checked or refused. */
export const releasePartLines = {
  parts_asked: {
    right: "harvests:manage",
    items: () => sql`select ${releaseAsks.id}::text as key, ${releaseAsks.createdAt} as since, false as is_late,
        ${projects.title} as title, ${projects.id} as project_id
      from ${releaseAsks} join ${projects} on ${projects.id} = ${releaseAsks.projectId}
      where ${isNull(releaseAsks.verdict)}`,
  },
} as const satisfies Record<string, TodayLine>;
