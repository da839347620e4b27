import { readWords } from "#client/lib/addresses.ts";
import { type CategoryId, categoryIds } from "#shared/projects/categories.ts";
import { type ProjectSort, projectSorts } from "#shared/projects/texts.ts";

/** What the address of /discover says; defaults are left out of it. */
export type DiscoverSearch = {
  search?: string | undefined;
  sort?: ProjectSort | undefined;
  category?: CategoryId | undefined;
  closed?: boolean | undefined;
};

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readDiscoverSearch(input: Record<string, unknown>): DiscoverSearch {
  return {
    search: readWords(input.search),
    sort: projectSorts.find((sort) => sort === input.sort && sort !== "popular"),
    category: categoryIds.find((id) => id === input.category),
    closed: input.closed === true || input.closed === "true" || undefined,
  };
}

/** The same as the server takes it. */
export function toListInput({ search = "", sort = "popular", category, closed = false }: DiscoverSearch) {
  return { search, sort, category: category ?? null, showClosed: closed };
}
