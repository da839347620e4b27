import { and, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { dayMs, lastSecondOfDay } from "#shared/lagos-time.ts";

const draftDays = 7;

const itemsWhere = (since: SQL, isLate: boolean, condition: SQL | undefined): SQL => sql`
  select ${harvests.id}::text as key, ${since} as since, ${isLate}::boolean as is_late,
    ${projects.title} || ', harvest ' || ${harvests.number} as title, ${projects.id} as project_id
  from ${harvests} join ${projects} on ${projects.id} = ${harvests.projectId} where ${condition}`;

/** Harvests of projects that still exist, at which somebody has to do something. */
export const harvestLines = {
  old_drafts: {
    right: "harvests:manage",
    items: ({ now }) => {
      const isOld = lte(harvests.createdAt, new Date(now.getTime() - draftDays * dayMs));
      return itemsWhere(
        sql`${harvests.createdAt}`,
        true,
        and(eq(harvests.state, "draft"), eq(harvests.isInsurance, false), isOld),
      );
    },
  },
  choosing_ends: {
    right: "harvests:manage",
    items: ({ now }) => {
      const tomorrow = new Date(lastSecondOfDay(now, 1).getTime() + 999);
      const isSoon = lte(harvests.choosesUntil, tomorrow);
      return itemsWhere(sql`${harvests.openedAt}`, false, and(eq(harvests.state, "choosing"), isSoon));
    },
  },
  produce_waiting: {
    right: "harvests:manage",
    items: ({ now }) => {
      const isWaiting = sql`exists (select from ${harvestParts} where ${harvestParts.harvestId} = ${harvests.id}
        and ${harvestParts.code} is not null and ${harvestParts.collectedAt} is null and ${harvestParts.uncollectedAt} is null)`;
      const isAllotted = inArray(harvests.state, ["allotted", "settled"]);
      const isOpen = gte(harvests.collectsUntil, now);
      return itemsWhere(sql`${harvests.allottedAt}`, false, and(isAllotted, isOpen, isWaiting));
    },
  },
} as const satisfies Record<string, TodayLine>;
