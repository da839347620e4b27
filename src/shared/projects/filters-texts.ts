import { formatDay } from "#shared/dates.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import { type CategoryId, categoryName } from "./categories.ts";
import { type DiscoverFilter, discoverFilters } from "./texts.ts";

/** The filters of a list of projects, as the server takes them. A filter that isn't set is "", null or false. */
export type ProjectFilters = {
  search: string;
  category: CategoryId | null;
  state: string | null;
  maxLotPrice: number | null;
  firstHarvestUntil: string | null;
  hasRecord: boolean;
  isInsured: boolean;
  hasFreeLots: boolean;
};

/** How each filter that is set is called. */
export const filterNames: Record<DiscoverFilter, (filters: ProjectFilters) => string> = {
  search: ({ search }) => search,
  category: ({ category }) => categoryName(category),
  state: ({ state }) => state ?? "",
  maxLotPrice: ({ maxLotPrice }) => `up to ${formatNaira(nairaToKobo(maxLotPrice ?? 0))} a lot`,
  firstHarvestUntil: ({ firstHarvestUntil }) => `harvest by ${formatDay(firstHarvestUntil ?? "")}`,
  hasRecord: () => "a finished round",
  isInsured: () => "insurance",
  hasFreeLots: () => "lots free now",
};

const filtersSet = (filters: ProjectFilters): DiscoverFilter[] => discoverFilters.filter((name) => filters[name]);

export const hasFilters = (filters: ProjectFilters): boolean => filtersSet(filters).length > 0;

/** "layers · Kwara · up to ₦100,000 a lot". */
export const describeFilters = (filters: ProjectFilters): string =>
  filtersSet(filters)
    .map((name) => filterNames[name](filters))
    .join(" · ");
