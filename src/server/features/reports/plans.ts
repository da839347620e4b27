import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { reportPlans } from "#server/db/schema/reports.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { saveReportPlanInput } from "#shared/reports/inputs.ts";
import type { ReportInterval, ReportPlan } from "#shared/reports/plans-texts.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";

type RoundKey = { projectId: number; round: number };

/** The plan that a round's next reports follow: the last that was saved, or the plain weekly one. */
export async function readPlan(db: DbOrTx, { projectId, round }: RoundKey): Promise<ReportPlan & { version: number }> {
  const [plan] = await db
    .select()
    .from(reportPlans)
    .where(and(eq(reportPlans.projectId, projectId), eq(reportPlans.round, round)))
    .orderBy(desc(reportPlans.version))
    .limit(1);
  if (!plan) return { ...planOfTemplate("none"), version: 0 };
  const { template, everyDays, weekday, endsOn, figures, version } = plan;
  return { template, everyDays: everyDays as ReportInterval, weekday, endsOn, figures, version };
}

/** Saves another version of the plan of a project's current round. Throws "not_found". */
export async function savePlan(ctx: ActorContext, { projectId, plan }: z.output<typeof saveReportPlanInput>) {
  return inTransaction(ctx.db, async (tx) => {
    const { title, round } = await lockProject(tx, projectId);
    const version = (await readPlan(tx, { projectId, round })).version + 1;
    const writtenBy = ctx.actor.id;
    await tx.insert(reportPlans).values({ ...plan, projectId, round, version, writtenBy, createdAt: ctx.clock.now() });
    await recordAudit(tx, ctx, "save_report_plan", { projectId, title, round, version, everyDays: plan.everyDays });
    return { version };
  });
}
