import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { farmReports, reportAsks } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import type { reportRecordInput } from "#shared/reports/inputs.ts";
import { reportTiming } from "#shared/reports/schedule.ts";
import { reportTexts as texts } from "#shared/reports/texts.ts";
import { findAwaited } from "./service.ts";

/** A backer may ask for a report that is long in coming. The farm reads how many did. */

type ByProject = z.output<typeof reportRecordInput>;

/**
 * Whether the caller may ask for the next report now, has asked already, or how long they have to wait. Null where nothing is
 * awaited. Throws "not_found" for whoever doesn't back the project.
 */
export async function findAsk(ctx: ActorContext, { projectId }: ByProject) {
  const state = await readState(ctx.db, ctx, projectId);
  return state && { number: state.number, from: state.from, canAsk: state.canAsk, hasAsked: state.hasAsked };
}

/** Asks for the next report. Asked again it stays one. Throws "conflict" before the tenth day, and "not_found" as {@link findAsk} does. */
export async function askForReport(ctx: ActorContext, { projectId }: ByProject): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const state = await readState(tx, ctx, projectId);
    if (!state) throw new AppError("conflict", texts.nothingAwaited);
    if (state.hasAsked) return;
    if (!state.canAsk) throw new AppError("conflict", texts.tooEarlyToAsk);
    const { round, number } = state;
    await tx
      .insert(reportAsks)
      .values({ projectId, round, number, userId: ctx.actor.id, createdAt: ctx.clock.now() })
      .onConflictDoNothing();
  });
}

async function readState(db: DbOrTx, { actor, clock }: ActorContext, projectId: number) {
  const [backed] = await db
    .select({ round: projects.round, fundedAt: projectRounds.decidedAt })
    .from(projects)
    .innerJoin(projectBackings, and(eq(projectBackings.projectId, projects.id), eq(projectBackings.userId, actor.id)))
    .innerJoin(projectRounds, and(eq(projectRounds.projectId, projects.id), eq(projectRounds.round, projects.round)))
    .where(eq(projects.id, projectId));
  if (!backed) throw new AppError("not_found", projectTexts.backedNotFound);
  const key = { projectId, round: backed.round };
  const now = clock.now();
  const awaited = await findAwaited(db, key, now);
  if (!awaited || !backed.fundedAt) return null;
  const [last] = await db
    .select({ sentAt: farmReports.sentAt })
    .from(farmReports)
    .where(and(eq(farmReports.projectId, projectId), eq(farmReports.round, key.round), isNotNull(farmReports.sentAt)))
    .orderBy(desc(farmReports.sentAt))
    .limit(1);
  const from = new Date((last?.sentAt ?? backed.fundedAt).getTime() + reportTiming.askDays * dayMs);
  const isMine = and(
    eq(reportAsks.projectId, projectId),
    eq(reportAsks.round, key.round),
    eq(reportAsks.number, awaited.number),
    eq(reportAsks.userId, actor.id),
  );
  const hasAsked = (await db.$count(reportAsks, isMine)) > 0;
  return { ...key, number: awaited.number, from, canAsk: !hasAsked && now >= from, hasAsked };
}
