import { readDay, readPositiveInt, readWords } from "#client/lib/addresses.ts";
import { type CategoryId, categoryIds } from "#shared/projects/categories.ts";
import { type ProjectSort, projectSorts } from "#shared/projects/texts.ts";

/** The search parameters of /discover; defaults are left out. */
export type DiscoverSearch = {
  search?: string | undefined;
  sort?: ProjectSort | undefined;
  category?: CategoryId | undefined;
  closed?: boolean | undefined;
  state?: string | undefined;
  /** The most that a lot costs, in naira. */
  price?: number | undefined;
  /** The last day of the first harvest, as "2027-07-31". */
  until?: string | undefined;
  record?: boolean | undefined;
  insured?: boolean | undefined;
  free?: boolean | undefined;
  /** True if the map is open. */
  map?: boolean | undefined;
};

const isOn = (value: unknown) => value === true || value === "true" || undefined;

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readDiscoverSearch(input: Record<string, unknown>): DiscoverSearch {
  return {
    search: readWords(input.search),
    sort: projectSorts.find((sort) => sort === input.sort && sort !== "popular"),
    category: categoryIds.find((id) => id === input.category),
    closed: isOn(input.closed),
    state: readWords(input.state)?.slice(0, 20),
    price: readPositiveInt(input.price),
    until: readDay(input.until),
    record: isOn(input.record),
    insured: isOn(input.insured),
    free: isOn(input.free),
    map: isOn(input.map),
  };
}

/** The same as the server takes it. */
export const toListInput = (shown: DiscoverSearch) => ({
  search: shown.search ?? "",
  sort: shown.sort ?? "popular",
  category: shown.category ?? null,
  showClosed: shown.closed ?? false,
  state: shown.state ?? null,
  maxLotPrice: shown.price ?? null,
  firstHarvestUntil: shown.until ?? null,
  hasRecord: shown.record ?? false,
  isInsured: shown.insured ?? false,
  hasFreeLots: shown.free ?? false,
});
