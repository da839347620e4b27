import { and, desc, eq, sql } from "drizzle-orm";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { findReportingRound, reportingRound } from "#server/features/projects/reporting/queries.ts";
import { isOver, listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import { lockProjectIfThere } from "#server/features/projects/rounds/service.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { newLetterCode } from "#server/platform/references.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { firstDue, missedSince, nextDue } from "#shared/reports/schedule.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";
import { readPlan } from "./plans.ts";

/**
 * The reports that a farm owes. Each funded round has one whose time is still to come, and all before it, whenever the job
 * ran: a code is told a week before it is needed, so no photo with it is older.
 */

type Round = { projectId: number; round: number };

/**
 * Writes the numbers that rounds lack, each round in a transaction of its own. Of a project the last funded round
 * reports.
 */
export async function writeReportNumbers(deps: Deps): Promise<void> {
  const now = deps.clock.now().toISOString();
  const lacking = await rows<Round>(
    deps.db,
    sql`select r.project_id as "projectId", r.round from project_rounds r join projects p on p.id = r.project_id
      where r.round = ${reportingRound(sql`p.id`)} and not ${isOver} and not exists (select from farm_reports f
        where f.project_id = r.project_id and f.round = r.round and f.due_at > ${now}::timestamptz)`,
  );
  await forEachOnItsOwn(deps.log, lacking, (round) => inTransaction(deps.db, (tx) => writeNumbers(tx, deps, round)));
}

/**
 * Excuses what a round still owes that is over, isn't funded any more, or after which the project's next round is
 * reported on: nothing can be sent for it now. What was missed before stays missed.
 */
export async function endReportNumbers({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db.execute(sql`update farm_reports f set excused_at = ${now.toISOString()}::timestamptz, excuse = ${texts.roundOver}
    from project_rounds r where r.project_id = f.project_id and r.round = f.round
      and f.sent_at is null and f.excused_at is null
      and greatest(f.due_at, f.sent_back_at) > ${missedSince(now).toISOString()}::timestamptz
      and (r.round is distinct from ${reportingRound(sql`r.project_id`)} or ${isOver})`);
}

/**
 * Writes the numbers up to the first whose time is still to come, unless the round is over or its plan has ended. While
 * a round was over it owed none: if another harvest begins then, only the next is written.
 */
async function writeNumbers(tx: Tx, { clock }: Deps, { projectId, round }: Round): Promise<void> {
  const project = await lockProjectIfThere(tx, projectId, "no key update");
  if (!project || (await findReportingRound(tx, project)) !== round) return;
  const [funded] = await tx
    .select({ decidedAt: projectRounds.decidedAt, outcome: projectRounds.outcome })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round)));
  if (funded?.outcome !== "funded" || !funded.decidedAt) return;
  if ((await listSettledRounds(tx, projectId)).has(round)) return;
  // Only now: a plan may have been saved while the project was waited for.
  const now = clock.now();
  const plan = await readPlan(tx, { projectId, round });
  const { number: lastNumber, dueAt: lastDueAt, excusedAt, excusedBy } = farmReports;
  const [last] = await tx
    .select({
      number: lastNumber,
      dueAt: lastDueAt,
      wasOver: sql<boolean>`${excusedAt} is not null and ${excusedBy} is null`,
    })
    .from(farmReports)
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, round)))
    .orderBy(desc(farmReports.number))
    .limit(1);
  const ends = plan.endsOn === null ? null : startOfDay(plan.endsOn).getTime() + dayMs;
  let { number, dueAt } = last ?? { number: 0, dueAt: null };
  while (dueAt === null || dueAt <= now) {
    dueAt = dueAt === null ? firstDue(plan, funded.decidedAt) : nextDue(plan, dueAt);
    if (ends !== null && dueAt.getTime() >= ends) return;
    if (last?.wasOver && dueAt <= now) continue;
    number += 1;
    const code = newLetterCode().slice(0, 4);
    await tx.insert(farmReports).values({ projectId, round, number, dueAt, code, createdAt: now });
  }
}
