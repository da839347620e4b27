import { listFeaturedProjects, listProjects } from "#server/features/projects/lists.ts";
import { getProject } from "#server/features/projects/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { answerKey, type BootAnswer } from "#shared/boot.ts";
import { categoryIds } from "#shared/categories.ts";
import { readProjectId } from "#shared/project-id.ts";
import { projectSorts } from "#shared/project-texts.ts";
import { listProjectsInput } from "#shared/projects.ts";

/** A page that the server renders, and what it shows. */
export type RenderedPage = {
  /** As the client's router writes the address: two addresses of one page have the same. */
  href: string;
  /** The source of the page's own code; null where that comes with the start. */
  source: string | null;
  /** The same for everybody, as long as projects and settings stay as they are. */
  isShared: boolean;
  answers: (ctx: Context) => Promise<BootAnswer[]>;
};

/**
 * The server-rendered page at a decoded path with its query, or null. Where the query isn't read with certainty as the client's
 * router would, the page is not rendered here: the browser would take the picture down again.
 */
export function findRenderedPage(path: string, query: URLSearchParams): RenderedPage | null {
  if (path === "/") return home;
  if (path === "/discover") return discover(query);
  const id = readProjectId(/^\/project\/(\d+)$/.exec(path)?.[1] ?? "");
  return id === null ? null : project(id, query);
}

const home: RenderedPage = {
  href: "/",
  source: null,
  isShared: true,
  answers: async (ctx) => [{ key: answerKey("projects.featured", "query"), data: await listFeaturedProjects(ctx) }],
};

/** A single word or several, which the router takes for nothing but text. */
const plainText = /^\p{L}[\p{L}\p{N} ,.'-]{0,99}$/u;
const literals = ["true", "false", "null"];

function discover(query: URLSearchParams): RenderedPage | null {
  const search = only(query, "search", (text) => plainText.test(text) && !literals.includes(text) && !/\s$/.test(text));
  const sort = only(query, "sort", (text) => text !== "popular" && isOneOf(projectSorts, text));
  const category = only(query, "category", (text) => isOneOf(categoryIds, text));
  const closed = only(query, "closed", (text) => text === "true");
  const filters = { search, sort, category, closed };
  if (Object.values(filters).includes(null)) return null;
  const input = listProjectsInput.omit({ cursor: true }).parse({
    search: search ?? "",
    sort: sort ?? "popular",
    category: category ?? null,
    showClosed: closed === "true",
  });
  const shown = Object.entries(filters).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return {
    href: `/discover${shown.length > 0 ? `?${new URLSearchParams(shown)}` : ""}`,
    source: "src/client/routes/discover.tsx",
    isShared: true,
    answers: async (ctx) => {
      const page = await listProjects(ctx, { ...input, cursor: null });
      return [{ key: answerKey("projects.list", "infinite", input), data: { pages: [page], pageParams: [null] } }];
    },
  };
}

/** Refusals that have a page of their own. */
const shownRefusals = ["not_found", "unauthenticated"] as const;

/** On other tabs than the first one stands what is asked for when they are looked at. */
function project(projectId: number, query: URLSearchParams): RenderedPage | null {
  if (query.has("tab")) return null;
  return {
    href: `/project/${projectId}`,
    source: "src/client/routes/project.$id.tsx",
    isShared: false,
    answers: async (ctx) => {
      const key = answerKey("projects.byId", "query", { projectId });
      try {
        return [{ key, data: await getProject(ctx, { projectId }) }];
      } catch (error) {
        if (!(error instanceof AppError) || !isOneOf(shownRefusals, error.reason)) throw error;
        const { message, reason } = error;
        return [{ key, refusal: { name: "TRPCClientError", message, data: { reason } } }];
      }
    },
  };
}

function isOneOf<Known extends string>(known: readonly Known[], text: string): text is Known {
  return known.some((each) => each === text);
}

/** The query's value of that name; undefined where it has none, null where it has several or one that isn't known. */
function only(query: URLSearchParams, name: string, isKnown: (text: string) => boolean): string | undefined | null {
  const [value, ...others] = query.getAll(name);
  if (!value) return undefined;
  return others.length === 0 && isKnown(value) ? value : null;
}
