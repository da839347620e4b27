import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { termsOfRound } from "#server/features/projects/rounds/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { matches, wordsPattern } from "#server/platform/search.ts";
import type { countProjectsInput } from "#shared/projects/inputs.ts";
import { type DiscoverFilter, discoverFilters, projectLimits } from "#shared/projects/texts.ts";
import { currentRound } from "./queries.ts";

/** What narrows the list of /discover, how many projects it leaves, and which of it leaves too few. */

type Filters = z.output<typeof countProjectsInput>;

/** The farms of which a round's planned harvests are done or lost. It names no row of the list, so it is read once. */
const farmsWithRecord = sql`(select r.farm_id from project_rounds r
    join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
    join harvests h on h.project_id = r.project_id and h.round = r.round and h.state in ('done', 'lost') and not h.is_insurance
  where r.farm_id is not null and r.outcome = 'funded'
  group by r.project_id, r.round, r.farm_id, t.planned_harvests having count(*) >= coalesce(t.planned_harvests, 1))`;

const conditionOf: Record<DiscoverFilter, (filters: Filters) => SQL | undefined> = {
  search: ({ search }) => (search ? matches(projects.searchText, wordsPattern(search)) : undefined),
  category: ({ category }) => (category ? eq(projects.category, category) : undefined),
  state: ({ state }) =>
    state ? sql`${projects.farmId} in (select f.id from farms f where f.state = ${state})` : undefined,
  maxLotPrice: ({ maxLotPrice }) =>
    maxLotPrice ? sql`${projectRounds.lotPriceKobo} <= ${BigInt(maxLotPrice) * 100n}` : undefined,
  firstHarvestUntil: ({ firstHarvestUntil }) =>
    firstHarvestUntil ? sql`${roundTerms.firstHarvestOn} <= ${firstHarvestUntil}` : undefined,
  hasRecord: ({ hasRecord }) => (hasRecord ? sql`${projects.farmId} in ${farmsWithRecord}` : undefined),
  isInsured: ({ isInsured }) => (isInsured ? sql`jsonb_typeof(${roundTerms.insurance}) = 'object'` : undefined),
  hasFreeLots: ({ hasFreeLots }) =>
    hasFreeLots
      ? sql`(not ${projects.isClosed} and ${projectRounds.outcome} is null
          and ${projectRounds.approvedLots} + ${projectRounds.heldLots} < ${projectRounds.lots})`
      : undefined,
};

/** Whether a list is narrowed by more than words and category, for which its statement is prepared. */
export const isNarrowed = (filters: Filters): boolean =>
  discoverFilters.some((name) => name !== "search" && name !== "category" && conditionOf[name](filters) !== undefined);

/** All that the filters ask for, on projects with their rounds and terms; `except` one. */
export const narrowedBy = (filters: Filters, except?: DiscoverFilter): SQL | undefined =>
  and(
    filters.showClosed ? undefined : sql`not ${projects.isClosed}`,
    ...discoverFilters.map((name) => (name === except ? undefined : conditionOf[name](filters))),
  );

/** At most one more than is told: "1,000 or more". */
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

/** How many projects the filters leave, counted up to `projectLimits.counted`. */
export const countProjects = async ({ db }: Pick<Context, "db">, filters: Filters) => ({
  total: await countOf(db, narrowedBy(filters)),
});

/** How many projects run in each state, for the map. A state without any isn't there. */
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

/** Where nothing is found: the one filter without which most is, and how many; null where no single one helps. */
export async function findLooseFilter({ db }: Pick<Context, "db">, filters: Filters) {
  let best: { filter: DiscoverFilter; total: number } | null = null;
  for (const filter of discoverFilters) {
    if (conditionOf[filter](filters) === undefined) continue;
    const total = await countOf(db, narrowedBy(filters, filter));
    if (total > (best?.total ?? 0)) best = { filter, total };
  }
  return { best };
}
