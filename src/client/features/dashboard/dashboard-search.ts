import { type DashboardSort, dashboardSorts } from "#shared/projects/texts.ts";

/** What the address of /admin/dashboard says; defaults are left out of it. */
export type DashboardSearch = { search?: string | undefined; sort?: DashboardSort | undefined };

const SEARCH_LENGTH = 100;

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readDashboardSearch(input: Record<string, unknown>): DashboardSearch {
  const text = typeof input.search === "string" || typeof input.search === "number" ? String(input.search) : "";
  return {
    search: text.trim().slice(0, SEARCH_LENGTH) || undefined,
    sort: dashboardSorts.find((sort) => sort === input.sort && sort !== "title"),
  };
}
