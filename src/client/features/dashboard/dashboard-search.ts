import { readWords } from "#client/lib/addresses.ts";
import { type DashboardSort, dashboardSorts } from "#shared/projects/texts.ts";

/** The search parameters of /admin/dashboard; defaults are left out. */
export type DashboardSearch = { search?: string | undefined; sort?: DashboardSort | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readDashboardSearch(input: Record<string, unknown>): DashboardSearch {
  return {
    search: readWords(input.search),
    sort: dashboardSorts.find((sort) => sort === input.sort && sort !== "title"),
  };
}
