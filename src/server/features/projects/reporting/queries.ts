import { and, asc, type Column, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { farmReports, reportAsks } from "#server/db/schema/reports.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { dayMs, daysBetween } from "#shared/lagos-time.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";
import { lateAt, opensFrom, reportState, reportTiming } from "#shared/reports/schedule.ts";
import type { ReportSummary } from "#shared/reports/summary-texts.ts";

/** The round of a project that its farm reports on: the last that was funded. Null before one is. */
export const reportingRound = (projectId: SQL | Column): SQL<number | null> =>
  sql<number | null>`(select max(funded.round) from project_rounds funded
    where funded.project_id = ${projectId} and funded.outcome = 'funded')`;

/** The round that a project's farm reports on, or will once the current one is funded. */
export async function findReportingRound(db: DbOrTx, project: { id: number; round: number }): Promise<number> {
  const [found] = await rows<{ round: number | null }>(db, sql`select ${reportingRound(sql`${project.id}`)} as round`);
  return found?.round ?? project.round;
}

/** The number of backers who asked for a report. Names are in full: Drizzle omits the table of a selected column. */
const asksOf = sql<number>`(select count(*)::int from ${reportAsks} asked where asked.project_id = farm_reports.project_id
  and asked.round = farm_reports.round and asked.number = farm_reports.number)`;

/** Condition that a report was asked for later than so many days ago: when it was due, or was sent back since. */
export const wasAskedWithin = (days: number, now: Date): SQL =>
  sql`greatest(${farmReports.dueAt}, ${farmReports.sentBackAt}) > ${new Date(now.getTime() - days * dayMs).toISOString()}::timestamptz`;

export type Awaited = {
  report: typeof farmReports.$inferSelect;
  asks: number;
  opensAt: Date;
  isOpen: boolean;
  isLate: boolean;
};

/** Finds each project's next report: the first that is neither sent, excused nor missed. By project id. */
export async function listAwaited(db: DbOrTx, projectIds: number[], now: Date): Promise<Map<number, Awaited>> {
  const found = await db
    .selectDistinctOn([farmReports.projectId], { report: farmReports, asks: asksOf })
    .from(farmReports)
    .where(
      and(
        inArray(farmReports.projectId, projectIds),
        eq(farmReports.round, reportingRound(farmReports.projectId)),
        isNull(farmReports.sentAt),
        isNull(farmReports.excusedAt),
        wasAskedWithin(reportTiming.missedDays, now),
      ),
    )
    .orderBy(asc(farmReports.projectId), asc(farmReports.number));
  return new Map(
    found.map(({ report, asks }) => {
      const opensAt = opensFrom(report.dueAt);
      const isLate = reportState(report, now) === "late";
      return [report.projectId, { report, asks, opensAt, isOpen: opensAt <= now, isLate }];
    }),
  );
}

const lateAfter = sql`make_interval(hours => ${reportTiming.lateHours})`;

/** A subselect of how the farm of the round `r` reports, for {@link summaryRows} and the rounds of a farm's page. */
export const reportedOf = (now: SQL): SQL => sql`(
  select count(*)::int as reports,
    count(*) filter (where f.sent_at <= f.late_at and f.first_sent_at <= f.due_at + ${lateAfter})::int as "onTime",
    count(*) filter (where f.sent_at is not null
      or (f.excused_at is null and f.late_at < ${now}::timestamptz))::int as counted,
    max(f.sent_at) as "lastAt",
    min(greatest(f.due_at, f.sent_back_at)) filter (where f.sent_at is null and f.excused_at is null and f.number > f.last)
      as "nextDueAt"
  from (
    select *, greatest(due_at, sent_back_at) + ${lateAfter} as late_at,
      coalesce(max(number) filter (where sent_at is not null) over (), 0) as last
    from farm_reports where project_id = r.project_id and round = r.round
  ) f
)`;

/** A row of {@link summaryRows}, as JSON. */
export type SummaryRow = {
  projectId: number;
  fundedAt: string;
  onTime: number;
  counted: number;
  lastAt: string | null;
  nextDueAt: string | null;
};

/**
 * A select of how farms report on rounds `r`. "11 of 12 on time" counts the reports that came, are late or were missed,
 * and none that is excused; on time is as `isOnTime` has it. The next is the first that is awaited after the last that
 * came; a round that is over awaits none.
 */
export const summaryRows = (which: SQL, now: SQL): SQL => sql`
  select r.project_id as "projectId", r.decided_at as "fundedAt", reported."onTime", reported.counted, reported."lastAt",
    case when ${isOver} then null else reported."nextDueAt" end as "nextDueAt"
  from project_rounds r cross join lateral ${reportedOf(now)} reported
  where ${which} and r.round = ${reportingRound(sql`r.project_id`)} and reported.reports > 0`;

/** The summary that a row says, counted to `now`. */
export function summaryFrom({ fundedAt, onTime, counted, ...row }: SummaryRow, now: Date): ReportSummary {
  const lastAt = row.lastAt === null ? null : new Date(row.lastAt);
  const nextDueAt = row.nextDueAt === null ? null : new Date(row.nextDueAt);
  return {
    onTime,
    counted,
    lastAt,
    nextDueAt,
    isLate: nextDueAt !== null && lateAt({ dueAt: nextDueAt, sentBackAt: null }) < now,
    daysSince: daysBetween(lastAt ?? new Date(fundedAt), now),
  };
}

const summariesOf = perDatabase((db) =>
  db
    .select({ summary: sql<SummaryRow>`row_to_json(summary)` })
    .from(
      sql`(${summaryRows(sql`r.project_id = any(${sql.placeholder("ids")}::int[])`, sql`${sql.placeholder("now")}`)}) summary`,
    )
    .prepare("report_summaries"),
);

/** Returns by project how its farm reports; see {@link summaryRows}. */
export async function readReportSummaries(db: DbOrTx, ids: number[], now: Date): Promise<Map<number, ReportSummary>> {
  if (ids.length === 0) return new Map();
  const found = await summariesOf(db).execute({ ids: `{${ids.join(",")}}`, now: now.toISOString() });
  return new Map(found.map(({ summary }) => [summary.projectId, summaryFrom(summary, now)]));
}

type Reader = Pick<Context, "db" | "clock">;

type Sold = { id: number; round: number; outcome: RoundOutcome };

/**
 * Gives each card how its farm reports; null before a round was funded. One query a page, none where no round can have
 * been.
 */
export async function withReports<Card extends Sold>({ db, clock }: Reader, cards: Card[]) {
  const ids = cards.filter(({ round, outcome }) => round > 1 || outcome === "funded").map(({ id }) => id);
  const summaries = await readReportSummaries(db, ids, clock.now());
  return cards.map((card) => ({ ...card, reports: summaries.get(card.id) ?? null }));
}

/** Reads the summary of one project's reports; null before a round was funded. */
export async function findReportSummary(reader: Reader, { id, round, outcome }: Sold): Promise<ReportSummary | null> {
  const [found] = await withReports(reader, [{ id, round, outcome }]);
  return found?.reports ?? null;
}
