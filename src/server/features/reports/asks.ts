import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { reportAsks } from "#server/db/schema/reports.ts";
import { listAwaited, readReportSummaries } from "#server/features/projects/reporting/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import type { reportRecordInput } from "#shared/reports/inputs.ts";
import { reportTiming } from "#shared/reports/schedule.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";
import { silentSince } from "./service.ts";

/** A backer may ask for a report that is long in coming. The farm reads how many did. */

type ByProject = z.output<typeof reportRecordInput>;

/**
 * Returns whether the caller may ask for the next report now, has asked already, or how long they have to wait. Null if
 * none is awaited. Throws "not_found" for anybody who doesn't back the project.
 */
export async function findAsk(ctx: ActorContext, { projectId }: ByProject) {
  const state = await readState(ctx.db, ctx, projectId);
  return state && { number: state.number, from: state.from, canAsk: state.canAsk, hasAsked: state.hasAsked };
}

/**
 * Asks for the next report. Asked again it stays one. Throws "conflict" before the tenth day or while none is due, and
 * "not_found" as {@link findAsk} does.
 */
export async function askForReport(ctx: ActorContext, { projectId }: ByProject): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const state = await readState(tx, ctx, projectId);
    if (!state) throw new AppError("conflict", texts.nothingAwaited);
    if (state.hasAsked) return;
    if (state.refusal) throw new AppError("conflict", state.refusal);
    const { round, number } = state;
    await tx
      .insert(reportAsks)
      .values({ projectId, round, number, userId: ctx.actor.id, createdAt: ctx.clock.now() })
      .onConflictDoNothing();
  });
}

async function readState(db: DbOrTx, { actor, clock }: ActorContext, projectId: number) {
  const isTheirs = and(eq(projectBackings.projectId, projectId), eq(projectBackings.userId, actor.id));
  if ((await db.$count(projectBackings, isTheirs)) === 0) throw new AppError("not_found", projectTexts.backedNotFound);
  const now = clock.now();
  const awaited = (await listAwaited(db, [projectId], now)).get(projectId);
  if (!awaited) return null;
  const { round, number } = awaited.report;
  const tenthDay = new Date((await silentSince(db, awaited.report)).getTime() + reportTiming.askDays * dayMs);
  // One that was missed is due still, though the awaited one is the next.
  const dueAt = (await readReportSummaries(db, [projectId], now)).get(projectId)?.nextDueAt ?? awaited.report.dueAt;
  const from = tenthDay > dueAt ? tenthDay : dueAt;
  const refusal = now < tenthDay ? texts.tooEarlyToAsk : now < dueAt ? texts.notDueYet : null;
  const isMine = and(
    eq(reportAsks.projectId, projectId),
    eq(reportAsks.round, round),
    eq(reportAsks.number, number),
    eq(reportAsks.userId, actor.id),
  );
  const hasAsked = (await db.$count(reportAsks, isMine)) > 0;
  return { round, number, from, refusal, canAsk: !hasAsked && refusal === null, hasAsked };
}
