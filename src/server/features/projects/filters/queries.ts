import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { contains, searchWords } from "#server/platform/search.ts";
import type { countProjectsInput } from "#shared/projects/inputs.ts";
import { type DiscoverFilter, discoverFilters } from "#shared/projects/texts.ts";

/** The filters of /discover on projects with their round and terms: for the list, its counts and saved searches. */

export type Filters = z.output<typeof countProjectsInput>;

/**
 * The farms of which a round's planned harvests are done or lost. It names no row of the list, so it is read once for a
 * list.
 */
export const farmsWithRecord = sql`(select r.farm_id from project_rounds r
    join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
    join harvests h on h.project_id = r.project_id and h.round = r.round and h.state in ('done', 'lost') and not h.is_insurance
  where r.farm_id is not null and r.outcome = 'funded'
  group by r.project_id, r.round, r.farm_id, t.planned_harvests having count(*) >= coalesce(t.planned_harvests, 1))`;

/** `recorded` gives {@link farmsWithRecord}. */
export const conditionOf: Record<DiscoverFilter, (filters: Filters, recorded?: SQL) => SQL | undefined> = {
  /** Each word stands in the title, the farm or the place. */
  search: ({ search }) => and(...searchWords(search).map((word) => contains(projects.searchText, word))),
  category: ({ category }) => (category ? eq(projects.category, category) : undefined),
  state: ({ state }) =>
    state ? sql`${projects.farmId} in (select f.id from farms f where f.state = ${state})` : undefined,
  maxLotPrice: ({ maxLotPrice }) =>
    maxLotPrice ? sql`${projectRounds.lotPriceKobo} <= ${BigInt(maxLotPrice) * 100n}` : undefined,
  firstHarvestUntil: ({ firstHarvestUntil }) =>
    firstHarvestUntil ? sql`${roundTerms.firstHarvestOn} <= ${firstHarvestUntil}` : undefined,
  hasRecord: ({ hasRecord }, recorded = farmsWithRecord) =>
    hasRecord ? sql`${projects.farmId} in ${recorded}` : undefined,
  isInsured: ({ isInsured }) => (isInsured ? sql`jsonb_typeof(${roundTerms.insurance}) = 'object'` : undefined),
  hasFreeLots: ({ hasFreeLots }) =>
    hasFreeLots
      ? sql`(not ${projects.isClosed} and ${projectRounds.outcome} is null
          and ${projectRounds.approvedLots} + ${projectRounds.heldLots} < ${projectRounds.lots})`
      : undefined,
};

/** True if a list is narrowed by more than a category; only the others have a prepared statement. */
export const isNarrowed = (filters: Filters): boolean =>
  discoverFilters.some((name) => name !== "category" && conditionOf[name](filters) !== undefined);

/** Condition of all filters, on projects with their rounds and terms; `except` leaves one out. */
export const narrowedBy = (
  filters: Filters,
  { except, recorded }: { except?: DiscoverFilter; recorded?: SQL } = {},
): SQL | undefined =>
  and(
    filters.showClosed ? undefined : sql`not ${projects.isClosed}`,
    ...discoverFilters.map((name) => (name === except ? undefined : conditionOf[name](filters, recorded))),
  );
