import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import type { FarmContext } from "#server/platform/procedures.ts";
import { farmLimits } from "#shared/farms/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";

/** What a farm's people read of it. No backer, and no amount that one paid, is in it. */

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
  const awaited = await listAwaitedReports(
    db,
    found.map((project) => project.id),
    now,
  );
  return found.map((project) => ({ ...project, report: awaited.get(project.id) ?? null }));
}

const opensBeforeMs = 3 * dayMs;

type AwaitedReport = {
  number: number;
  dueAt: Date;
  /** How many backers asked for it. */
  asks: number;
  /** It may be written from three days before it is due. */
  isOpen: boolean;
  isLate: boolean;
};

/**
 * By project, the report of the current round that comes next: neither sent nor excused, and not missed (7 days after it was
 * due).
 */
async function listAwaitedReports(db: DbOrTx, projectIds: number[], now: Date): Promise<Map<number, AwaitedReport>> {
  if (projectIds.length === 0) return new Map();
  const found = await rows<{ projectId: number; number: number; dueAt: string | Date; asks: number }>(
    db,
    sql`select distinct on (r.project_id) r.project_id as "projectId", r.number, r.due_at as "dueAt",
        (select count(*)::int from report_asks a
          where a.project_id = r.project_id and a.round = r.round and a.number = r.number) as asks
      from farm_reports r join projects p on p.id = r.project_id and p.round = r.round
      where r.project_id in ${projectIds} and r.sent_at is null and r.excused_at is null
        and greatest(r.due_at, r.sent_back_at) > ${now.toISOString()}::timestamptz - interval '7 days'
      order by r.project_id, r.number`,
  );
  return new Map(
    found.map(({ projectId, ...report }) => {
      const dueAt = new Date(report.dueAt);
      const isOpen = dueAt.getTime() - opensBeforeMs <= now.getTime();
      return [projectId, { ...report, dueAt, isOpen, isLate: dueAt <= now }];
    }),
  );
}

/** The money that went to the caller's farms, or is on its way there, newest first. */
export async function listOwnFarmMoney({ db, farms: own }: OwnContext) {
  const { id, projectTitle, round, amountKobo, state, sentAt, paidAt, createdAt } = payouts;
  return db
    .select({ id, projectTitle, round, amountKobo, state, sentAt, paidAt, createdAt, farmId: payouts.farmId })
    .from(payouts)
    .where(and(inArray(payouts.farmId, idsOf(own)), inArray(state, ["waiting", "due", "in_run", "sent", "paid"])))
    .orderBy(desc(id))
    .limit(farmLimits.listed);
}
