import { and, desc, eq, sql } from "drizzle-orm";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import { lockProjectIfThere } from "#server/features/projects/rounds/service.ts";
import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { newLetterCode } from "#server/platform/references.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { firstDue, nextDue } from "#shared/reports/schedule.ts";
import { readPlan } from "./plans.ts";

/**
 * The reports that a farm owes. Each funded round has one whose time is still to come, and all before it, whenever the job
 * ran: a code is told a week before it is needed, so no photo with it is older.
 */

type Round = { projectId: number; round: number };

/** Writes the numbers that funded rounds lack, each round in a transaction of its own. */
export async function writeReportNumbers(deps: Deps): Promise<void> {
  const lacking = await rows<Round>(
    deps.db,
    sql`select p.id as "projectId", p.round from projects p
      join project_rounds r on r.project_id = p.id and r.round = p.round
      where r.outcome = 'funded' and not exists (
        select from farm_reports f where f.project_id = p.id and f.round = p.round and f.due_at > ${deps.clock.now().toISOString()}::timestamptz)`,
  );
  await forEachOnItsOwn(deps.log, lacking, (round) =>
    inTransaction(deps.db, (tx) => writeNumbers(tx, round, deps.clock.now())),
  );
}

/** Writes the numbers up to the first whose time is still to come, unless the round is over or its plan has ended. */
async function writeNumbers(tx: Tx, { projectId, round }: Round, now: Date): Promise<void> {
  const project = await lockProjectIfThere(tx, projectId, "no key update");
  if (project?.round !== round) return;
  const [funded] = await tx
    .select({ decidedAt: projectRounds.decidedAt, outcome: projectRounds.outcome })
    .from(projectRounds)
    .where(and(eq(projectRounds.projectId, projectId), eq(projectRounds.round, round)));
  if (funded?.outcome !== "funded" || !funded.decidedAt) return;
  if ((await listSettledRounds(tx, projectId)).has(round)) return;
  const plan = await readPlan(tx, { projectId, round });
  const [last] = await tx
    .select({ number: farmReports.number, dueAt: farmReports.dueAt })
    .from(farmReports)
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, round)))
    .orderBy(desc(farmReports.number))
    .limit(1);
  const ends = plan.endsOn === null ? null : startOfDay(plan.endsOn).getTime() + dayMs;
  let { number, dueAt } = last ?? { number: 0, dueAt: null };
  while (dueAt === null || dueAt <= now) {
    dueAt = dueAt === null ? firstDue(plan, funded.decidedAt) : nextDue(plan, dueAt);
    if (ends !== null && dueAt.getTime() >= ends) return;
    number += 1;
    const code = newLetterCode().slice(0, 4);
    await tx.insert(farmReports).values({ projectId, round, number, dueAt, code, createdAt: now });
  }
}
