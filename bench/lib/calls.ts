import superjson from "superjson";
import { categoryIds } from "#shared/categories.ts";
import { projectSorts } from "#shared/project-texts.ts";

/** The address of a query as the browser sends it: a batch of one. */
export function queryPath(procedure: string, input?: unknown): string {
  const inputs = input === undefined ? {} : { 0: superjson.serialize(input) };
  return `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
}

/** Discover's first page in every category (and in none) and every order: 32 lists. */
const lists = [null, ...categoryIds].flatMap((category) => projectSorts.map((sort) => ({ category, sort })));

export const listPaths = lists.map((input) => queryPath("projects.list", input));

export const handWrittenListPaths = lists.map(
  ({ category, sort }) => `/list?sort=${sort}${category ? `&category=${category}` : ""}`,
);
