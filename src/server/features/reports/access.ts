import { eq } from "drizzle-orm";
import { hashToken } from "#server/accounts/sessions.ts";
import type { Tx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { reportLinks } from "#server/db/schema/reports.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { reportingRound } from "#server/features/projects/reporting/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findFarmWithRight, holdFarmRight, requireFarmRight } from "#server/platform/farm-rights.ts";
import { networkOf } from "#server/platform/network.ts";
import { requireActor } from "#server/platform/procedures.ts";
import { hitsLeft, limitRate } from "#server/platform/rate-limit.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import type { ReportBy } from "#shared/reports/inputs.ts";
import { reportLimits, reportTexts as texts } from "#shared/reports/texts.ts";

/** The reporter and the round they report for: a link's holder, one of the farm's people, or an administrator. */
export type Reporter = {
  projectId: number;
  projectTitle: string;
  round: number;
  farm: { id: number; name: string } | null;
  /** Null where a link says who reports. */
  userId: string | null;
  linkId: number | null;
  /** True where it is their work for the farm that lets them. */
  isOfFarm: boolean;
};

const wrongLinks = { hits: reportLimits.wrongLinks, windowSeconds: 3600 };

/**
 * Says for whom the caller reports. Throws "not_found" for a link that doesn't exist, ended, or whose maker lost the
 * right to make it, "rate_limited" after 60 wrong links in an hour from one network, and "forbidden" for a project that
 * the caller may not report for, or whose farm is closed.
 */
export async function requireReporter(ctx: Context, by: ReportBy): Promise<Reporter> {
  if ("token" in by) {
    const link = await findLink(ctx, by.token);
    return { ...(await findProject(ctx, link.projectId)), userId: null, linkId: link.id, isOfFarm: false };
  }
  const actor = requireActor(ctx);
  const isOfFarm = !actor.permissions.includes("projects:edit");
  if (isOfFarm) await requireFarmRight({ db: ctx.db, actor }, by.projectId, "report");
  return { ...(await findProject(ctx, by.projectId)), userId: actor.id, linkId: null, isOfFarm };
}

/** Part of a transaction that has its report: the right of a farm's person is asked for again, see {@link holdFarmRight}. */
export async function holdReportersRight(tx: Tx, { farm, userId, isOfFarm }: Reporter): Promise<void> {
  if (isOfFarm && farm && userId) await holdFarmRight(tx, { farmId: farm.id, userId, right: "report" });
}

async function findLink(ctx: Context, token: string): Promise<{ id: number; projectId: number }> {
  const key = `report-link:${networkOf(ctx.ipAddress)}`;
  if ((await hitsLeft(ctx, key, wrongLinks)) === 0) await limitRate(ctx, key, wrongLinks);
  const [link] = await ctx.db
    .select()
    .from(reportLinks)
    .where(eq(reportLinks.tokenHash, hashToken(token)));
  if (!link) {
    await limitRate(ctx, key, wrongLinks);
    throw new AppError("not_found", texts.linkUnknown);
  }
  const isOver = link.revokedAt !== null || link.expiresAt <= ctx.clock.now();
  if (isOver || !(await isVouchedFor(ctx, link))) throw new AppError("not_found", texts.linkExpired);
  return link;
}

/** A link counts only while its maker could make it: a manager, or a keeper of the farm that runs the project. */
export async function isVouchedFor(
  { db }: Pick<Context, "db">,
  { projectId, madeBy }: Pick<typeof reportLinks.$inferSelect, "projectId" | "madeBy">,
): Promise<boolean> {
  if (madeBy === null) return false;
  if ((await administratorsWith(db, "projects:edit")).includes(madeBy)) return true;
  return (await findFarmWithRight({ db, actor: { id: madeBy } }, projectId, "keep")) !== undefined;
}

async function findProject({ db }: Context, projectId: number) {
  const [found] = await db
    .select({
      projectTitle: projects.title,
      currentRound: projects.round,
      round: reportingRound(projects.id),
      farmId: farms.id,
      farmName: farms.name,
      closedAt: farms.closedAt,
    })
    .from(projects)
    .leftJoin(farms, eq(farms.id, projects.farmId))
    .where(eq(projects.id, projectId));
  if (!found) throw new AppError("not_found", projectTexts.notFound);
  const { projectTitle, currentRound, round, farmId, farmName, closedAt } = found;
  if (closedAt !== null) throw new AppError("forbidden", texts.farmClosed);
  return {
    projectId,
    projectTitle,
    round: round ?? currentRound,
    farm: farmId === null || farmName === null ? null : { id: farmId, name: farmName },
  };
}
