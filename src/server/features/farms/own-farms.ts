import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { listAwaited } from "#server/features/projects/reporting/queries.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { farmLimits } from "#shared/farms/texts.ts";

/** The view of a farm for its own people. It contains no backer and no single backer's amount. */

type OwnContext = Pick<FarmContext, "db" | "clock" | "farms">;

const idsOf = (own: OwnContext["farms"]) => own.map(({ farmId }) => farmId);

/** The farms that the caller works for, by name, each with its projects, newest first, and the report that is awaited. */
export async function listOwnFarms({ db, clock, farms: own }: OwnContext) {
  const { id, name, state, place } = farms;
  const found = await db
    .select({ id, name, state, place })
    .from(farms)
    .where(inArray(id, idsOf(own)))
    .orderBy(asc(sql`lower(${name})`), asc(id));
  const roleOf = new Map(own.map(({ farmId, role }) => [farmId, role]));
  const run = await listOwnProjects(db, idsOf(own), clock.now());
  return found.map((farm) => ({
    ...farm,
    role: roleOf.get(farm.id) ?? ("reporter" as const),
    projects: run.filter(({ farmId }) => farmId === farm.id).map(({ farmId: _, ...project }) => project),
  }));
}

async function listOwnProjects(db: DbOrTx, farmIds: number[], now: Date) {
  const { id, farmId, title, isClosed } = projects;
  const found = await db
    .select({ id, farmId, title, isClosed, round: projects.round, outcome: projectRounds.outcome })
    .from(projects)
    .innerJoin(projectRounds, and(eq(projectRounds.projectId, id), eq(projectRounds.round, projects.round)))
    .where(inArray(farmId, farmIds))
    .orderBy(desc(id))
    .limit(farmLimits.listed);
  const ids = found.map((project) => project.id);
  const awaited = await listAwaited(db, ids, now);
  return found.map((project) => {
    const next = awaited.get(project.id);
    if (!next) return { ...project, report: null };
    const { report, asks, isOpen, isLate } = next;
    return { ...project, report: { number: report.number, dueAt: report.dueAt, asks, isOpen, isLate } };
  });
}

/**
 * The money that went to the caller's farms, or is on its way there, newest first. `harvestNumber` is null where it is a part
 * of what a round raised.
 */
export async function listOwnFarmMoney({ db, farms: own }: OwnContext) {
  const { id, projectTitle, round, amountKobo, state, sentAt, paidAt, createdAt } = payouts;
  return db
    .select({
      id,
      projectTitle,
      round,
      amountKobo,
      state,
      sentAt,
      paidAt,
      createdAt,
      farmId: payouts.farmId,
      harvestNumber: harvests.number,
    })
    .from(payouts)
    .leftJoin(settlements, eq(settlements.id, payouts.settlementId))
    .leftJoin(harvests, eq(harvests.id, settlements.harvestId))
    .where(and(inArray(payouts.farmId, idsOf(own)), inArray(state, ["waiting", "due", "in_run", "sent", "paid"])))
    .orderBy(desc(id))
    .limit(farmLimits.listed);
}
