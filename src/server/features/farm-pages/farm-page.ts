import { and, desc, eq, exists, isNotNull, or, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects, projectUpdates } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { listConfirmedPast } from "#server/features/farm-past/queries.ts";
import {
  currentRound,
  lotColumns,
  projectCardColumns,
  requireProjectAccess,
  toCard,
} from "#server/features/projects/queries.ts";
import { withReports } from "#server/features/projects/reporting/queries.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import { requiresSignInForProjects } from "#server/features/settings/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { recordTexts } from "#shared/farms/record.ts";
import { farmLimits } from "#shared/farms/texts.ts";
import { countDecided, readFarmRecord } from "./queries.ts";

/** The public page of a farm. A farm has one once it runs a project. */

const runsSomething = (db: DbOrTx) =>
  exists(db.select({ farmId: projectRounds.farmId }).from(projectRounds).where(eq(projectRounds.farmId, farms.id)));

/** The public columns of a farm. Its registration, its visitor and the visitor's note stay with the office. */
const publicColumns = {
  id: farms.id,
  name: farms.name,
  state: farms.state,
  place: farms.place,
  sinceYear: farms.sinceYear,
  story: farms.story,
  visitedOn: farms.visitedOn,
  isClosed: sql<boolean>`${farms.closedAt} is not null`,
};

async function findFarm(db: DbOrTx, farmId: number) {
  const [farm] = await db
    .select(publicColumns)
    .from(farms)
    .where(and(eq(farms.id, farmId), runsSomething(db)));
  return farm;
}

/** Throws "unauthenticated" where only signed-in people see projects, "not_found" otherwise. */
export async function getFarmPage(ctx: Context, { farmId }: { farmId: number }) {
  await requireProjectAccess(ctx);
  const farm = await findFarm(ctx.db, farmId);
  if (!farm) throw new AppError("not_found", recordTexts.notFound);
  return {
    ...farm,
    running: await listRunning(ctx, farmId),
    record: await readFarmRecord(ctx.db, farmId, ctx.clock.now()),
    decidedRounds: await countDecided(ctx.db, farmId),
    past: await listConfirmedPast(ctx.db, farmId),
    reports: await listNewestReports(ctx.db, farmId),
  };
}

/** True if the round of a project was funded and has harvests to come. */
const runs = sql`exists (select from project_rounds r where r.project_id = ${projects.id} and r.round = ${projects.round}
  and r.outcome = 'funded' and not ${isOver})`;

/** The farm's projects that are sold now or whose round isn't over, the newest first. */
async function listRunning(ctx: Context, farmId: number) {
  const found = await ctx.db
    .select({ ...projectCardColumns, ...lotColumns })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .where(and(eq(projects.farmId, farmId), or(eq(projects.isClosed, false), runs)))
    .orderBy(desc(projects.id))
    .limit(farmLimits.running);
  return withReports(
    ctx,
    found.map((row) => toCard(ctx, row)),
  );
}

async function listNewestReports(db: DbOrTx, farmId: number) {
  return db
    .select({
      id: projectUpdates.id,
      title: projectUpdates.title,
      projectId: projects.id,
      projectTitle: projects.title,
      number: farmReports.number,
      createdAt: projectUpdates.createdAt,
    })
    .from(farmReports)
    .innerJoin(projectUpdates, eq(projectUpdates.id, farmReports.updateId))
    .innerJoin(projects, eq(projects.id, farmReports.projectId))
    .where(and(eq(projects.farmId, farmId), isNotNull(farmReports.publishedAt)))
    .orderBy(desc(projectUpdates.createdAt), desc(projectUpdates.id))
    .limit(farmLimits.newestReports);
}

/** A farm for link previews and search engines. "hidden" if only signed-in people see projects; null if it has no page. */
export async function findPublicFarm(db: DbOrTx, farmId: number) {
  if (await requiresSignInForProjects(db)) return "hidden";
  const farm = await findFarm(db, farmId);
  if (!farm) return null;
  const [newest] = await db
    .select({ imageUrl: projects.imageUrl })
    .from(projects)
    .where(eq(projects.farmId, farmId))
    .orderBy(desc(projects.id))
    .limit(1);
  return { ...farm, imageUrl: newest?.imageUrl ?? "", decided: await countDecided(db, farmId) };
}

/** Each farm that has a page, for the site map. Search engines accept 50,000 addresses. */
export async function listSitemapFarms(db: DbOrTx, most = 50_000) {
  return db
    .select({ id: farms.id, updatedAt: farms.updatedAt })
    .from(farms)
    .where(runsSomething(db))
    .orderBy(farms.id)
    .limit(most);
}
