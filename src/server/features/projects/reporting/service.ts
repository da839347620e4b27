import type { z } from "zod";
import type { Tx } from "#server/db/open.ts";
import { reportPlans } from "#server/db/schema/reports.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { reportPlanForm } from "#shared/reports/inputs.ts";

type SavedPlan = { projectId: number; round: number; version: number; plan: z.output<typeof reportPlanForm> };

/** Part of a transaction: writes a version of what a round's farm promises to report. Earlier ones stay. */
export async function writeReportPlan(
  tx: Tx,
  { actor, clock }: ActorContext,
  { plan, ...key }: SavedPlan,
): Promise<void> {
  await tx.insert(reportPlans).values({ ...plan, ...key, writtenBy: actor.id, createdAt: clock.now() });
}
