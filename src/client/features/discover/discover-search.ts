import { type CategoryId, categoryIds } from "#shared/projects/categories.ts";
import { type ProjectSort, projectSorts } from "#shared/projects/texts.ts";

/** What the address of /discover says; defaults are left out of it. */
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
};

const SEARCH_LENGTH = 100;
const isOn = (value: unknown) => value === true || value === "true" || undefined;
const textOf = (value: unknown, length: number) =>
  (typeof value === "string" || typeof value === "number" ? String(value) : "").trim().slice(0, length) || undefined;

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readDiscoverSearch(input: Record<string, unknown>): DiscoverSearch {
  const price = Number(input.price);
  const until = textOf(input.until, 10);
  return {
    search: textOf(input.search, SEARCH_LENGTH),
    sort: projectSorts.find((sort) => sort === input.sort && sort !== "popular"),
    category: categoryIds.find((id) => id === input.category),
    closed: isOn(input.closed),
    state: textOf(input.state, 20),
    price: price > 0 && price <= 1e9 && price % 1 === 0 ? price : undefined,
    until: until && /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]|30|31)$/.test(until) ? until : undefined,
    record: isOn(input.record),
    insured: isOn(input.insured),
    free: isOn(input.free),
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
