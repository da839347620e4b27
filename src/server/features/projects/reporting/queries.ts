import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { Context } from "#server/platform/context.ts";
import { daysBetween } from "#shared/lagos-time.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";
import { lateAt } from "#shared/reports/schedule.ts";
import type { ReportSummary } from "#shared/reports/summary-texts.ts";

type SummaryRow = {
  projectId: number;
  fundedAt: string;
  onTime: number;
  counted: number;
  lastAt: string | null;
  nextDueAt: string | null;
};

/**
 * How the farm reports in the current round of each project. "11 of 12 on time" counts those that came, are late or were missed, and none that is excused; the next is the first
 * that is awaited after the last that came.
 */
async function readReportSummaries(db: DbOrTx, ids: number[], now: Date): Promise<Map<number, ReportSummary>> {
  if (ids.length === 0) return new Map();
  const found = await rows<SummaryRow>(
    db,
    sql`select p.id as "projectId", r.decided_at::text as "fundedAt", reported."onTime", reported.counted,
      reported."lastAt"::text, reported."nextDueAt"::text
    from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
      cross join lateral (
        select count(*)::int as reports,
          count(*) filter (where f.sent_at <= greatest(f.due_at, f.sent_back_at) + interval '48 hours')::int as "onTime",
          count(*) filter (where f.sent_at is not null
            or (f.excused_at is null and greatest(f.due_at, f.sent_back_at) + interval '48 hours' < ${now.toISOString()}::timestamptz))::int as counted,
          max(f.sent_at) as "lastAt",
          min(greatest(f.due_at, f.sent_back_at)) filter (where f.sent_at is null and f.excused_at is null and f.number > f.last)
            as "nextDueAt"
        from (
          select *, coalesce(max(number) filter (where sent_at is not null) over (), 0) as last
          from farm_reports where project_id = p.id and round = p.round
        ) f
      ) reported
    where p.id in ${ids} and r.outcome = 'funded' and reported.reports > 0`,
  );
  return new Map(
    found.map(({ projectId, fundedAt, onTime, counted, ...row }) => {
      const lastAt = row.lastAt === null ? null : new Date(row.lastAt);
      const nextDueAt = row.nextDueAt === null ? null : new Date(row.nextDueAt);
      return [
        projectId,
        {
          onTime,
          counted,
          lastAt,
          nextDueAt,
          isLate: nextDueAt !== null && lateAt({ dueAt: nextDueAt, sentBackAt: null }) < now,
          daysSince: daysBetween(lastAt ?? new Date(fundedAt), now),
        },
      ];
    }),
  );
}

type Sold = { id: number; outcome: RoundOutcome };
type Reader = Pick<Context, "db" | "clock">;

/** Gives each card how its farm reports; null before the round is funded. One query a page, none where no round is funded. */
export async function withReports<Card extends Sold>({ db, clock }: Reader, cards: Card[]) {
  const funded = cards.filter(({ outcome }) => outcome === "funded").map(({ id }) => id);
  const summaries = await readReportSummaries(db, funded, clock.now());
  return cards.map((card) => ({ ...card, reports: summaries.get(card.id) ?? null }));
}

/** How the farm of one project reports; null before its round is funded. */
export async function findReportSummary(reader: Reader, { id, outcome }: Sold): Promise<ReportSummary | null> {
  const [found] = await withReports(reader, [{ id, outcome }]);
  return found?.reports ?? null;
}
