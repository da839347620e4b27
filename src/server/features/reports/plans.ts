import { and, desc, eq, lte } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { reportPlans } from "#server/db/schema/reports.ts";
import { findReportingRound } from "#server/features/projects/reporting/queries.ts";
import { writeReportPlan } from "#server/features/projects/reporting/service.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { saveReportPlanInput } from "#shared/reports/inputs.ts";
import type { ReportInterval, ReportPlan } from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";

/** A report has the plan that was the last when its row was written. */
type Planned = { projectId: number; round: number; createdAt?: Date };

/**
 * The plan of a report, or the one that a round's next reports follow: the last that was saved for the round, or for
 * one before it, or else the plain weekly one. Version 0 is none of the round's own.
 */
export async function readPlan(db: DbOrTx, { projectId, round, createdAt }: Planned) {
  const [plan] = await db
    .select()
    .from(reportPlans)
    .where(
      and(
        eq(reportPlans.projectId, projectId),
        lte(reportPlans.round, round),
        createdAt && lte(reportPlans.createdAt, createdAt),
      ),
    )
    .orderBy(desc(reportPlans.round), desc(reportPlans.version))
    .limit(1);
  if (!plan) return { ...planOfTemplate("none"), version: 0 };
  const { template, everyDays, weekday, figures } = plan;
  const isOwn = plan.round === round;
  return {
    template,
    everyDays: everyDays as ReportInterval,
    weekday,
    // The day on which an earlier round ended says nothing about this one.
    endsOn: isOwn ? plan.endsOn : null,
    figures,
    version: isOwn ? plan.version : 0,
  } satisfies ReportPlan & { version: number };
}

/** Saves another version of the plan of the round that a project's farm reports on, or will. Throws "not_found". */
export async function savePlan(ctx: ActorContext, { projectId, plan }: z.output<typeof saveReportPlanInput>) {
  return inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const { title } = project;
    const round = await findReportingRound(tx, project);
    const version = (await readPlan(tx, { projectId, round })).version + 1;
    await writeReportPlan(tx, ctx, { projectId, round, version, plan });
    await recordAudit(tx, ctx, "save_report_plan", { projectId, title, round, version, everyDays: plan.everyDays });
    return { version };
  });
}
