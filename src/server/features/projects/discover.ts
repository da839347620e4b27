import { eq, type SQL, sql } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { conditionOf, type Filters, narrowedBy } from "#server/features/projects/filters/queries.ts";
import { termsOfRound } from "#server/features/projects/rounds/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { type DiscoverFilter, discoverFilters, projectLimits } from "#shared/projects/texts.ts";
import { currentRound } from "./queries.ts";

/** The numbers of projects that the filters of /discover leave, and the filter that leaves too few. */

/** Counts up to `projectLimits.counted`, which is shown as "1,000 or more". */
async function countOf(db: DbOrTx, condition: SQL | undefined): Promise<number> {
  const some = db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .innerJoin(roundTerms, termsOfRound)
    .where(condition)
    .limit(projectLimits.counted)
    .as("some");
  const [found] = await db.select({ total: sql<number>`count(*)::int` }).from(some);
  return found?.total ?? 0;
}

/** Counts the projects that the filters leave, up to `projectLimits.counted`. */
export const countProjects = async ({ db }: Pick<Context, "db">, filters: Filters) => ({
  total: await countOf(db, narrowedBy(filters)),
});

/** Counts the open projects of each state, for the map. States without any are left out. */
export async function countByState({ db }: Pick<Context, "db">) {
  const states = await db
    .select({ state: farms.state, total: sql<number>`count(*)::int` })
    .from(projects)
    .innerJoin(farms, eq(farms.id, projects.farmId))
    .where(sql`not ${projects.isClosed}`)
    .groupBy(farms.state)
    .orderBy(farms.state);
  return { states };
}

/** Finds the filter without which the most projects are found, and their number; null if no single one helps. */
export async function findMostRestrictiveFilter({ db }: Pick<Context, "db">, filters: Filters) {
  let best: { filter: DiscoverFilter; total: number } | null = null;
  for (const filter of discoverFilters) {
    if (conditionOf[filter](filters) === undefined) continue;
    const total = await countOf(db, narrowedBy(filters, { except: filter }));
    if (total > (best?.total ?? 0)) best = { filter, total };
  }
  return { best };
}
