import { and, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { projects } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { photoFindings, updatePhotos } from "#server/db/schema/update-photos.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import { findAutoPublishHours } from "#server/features/settings/queries.ts";
import type { TodayLine } from "#server/platform/today.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { reportTiming } from "#shared/reports/schedule.ts";

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * hourMs);

/** The time when the farm was last asked for a report: when it was due, or was sent back. */
const askedAt = sql`greatest(${farmReports.dueAt}, ${farmReports.sentBackAt})`;

const itemsWhere = (since: SQL, isLate: boolean, condition: SQL | undefined): SQL => sql`
  select ${farmReports.id}::text as key, ${since} as since, ${isLate}::boolean as is_late,
    ${projects.title} || ', report ' || ${farmReports.number} as title, ${projects.id} as project_id
  from ${farmReports} join ${projects} on ${projects.id} = ${farmReports.projectId} where ${condition}`;

/** A finding on a report's photos that nobody has dismissed keeps it from being published by the clock. */
const hasFinding = sql`exists (select from ${updatePhotos} join ${photoFindings} on ${photoFindings.fileId} = ${updatePhotos.fileId}
  where ${updatePhotos.reportId} = ${farmReports.id} and ${or(isNull(photoFindings.verdict), ne(photoFindings.verdict, "dismissed"))})`;

export const reportLines = {
  // A missed one stands until the farm reports again, or the round is over.
  late_reports: {
    right: "projects:edit",
    items: ({ now }) =>
      itemsWhere(
        askedAt,
        true,
        and(
          isNull(farmReports.sentAt),
          isNull(farmReports.excusedAt),
          // An index has it.
          lt(farmReports.dueAt, hoursBefore(now, reportTiming.lateHours)),
          sql`${askedAt} < ${hoursBefore(now, reportTiming.lateHours).toISOString()}::timestamptz`,
          sql`exists (select from project_rounds r where r.project_id = ${farmReports.projectId} and r.round = ${farmReports.round}
            and not ${isOver})`,
          sql`not exists (select from farm_reports later where later.project_id = ${farmReports.projectId}
            and (later.round, later.number) > (${farmReports.round}, ${farmReports.number}) and later.sent_at is not null)`,
        ),
      ),
  },
  doubtful_reports: {
    right: "projects:edit",
    items: async ({ db, now }) => {
      const isOverlooked = lte(farmReports.sentAt, hoursBefore(now, await findAutoPublishHours(db)));
      const isWaiting = and(isNotNull(farmReports.sentAt), isNull(farmReports.publishedAt));
      return itemsWhere(sql`${farmReports.sentAt}`, false, and(isWaiting, or(hasFinding, isOverlooked)));
    },
  },
} as const satisfies Record<string, TodayLine>;
