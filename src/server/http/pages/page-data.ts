import { z } from "zod";
import { getFarmPage } from "#server/features/farm-pages/farm-page.ts";
import { listFeaturedProjects, listProjects } from "#server/features/projects/lists.ts";
import { getProject } from "#server/features/projects/queries.ts";
import { getHome } from "#server/features/site/home/queries.ts";
import { getFigures, getPage } from "#server/features/site/texts/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { answerKey, type BootAnswer } from "#shared/boot.ts";
import { nigerianStates } from "#shared/farms/texts.ts";
import { categoryIds } from "#shared/projects/categories.ts";
import { listProjectsInput } from "#shared/projects/inputs.ts";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectSorts } from "#shared/projects/texts.ts";
import { type OwnPage, ownPages } from "#shared/site/pages.ts";

/** A page that the server renders, and its data. */
export type RenderedPage = {
  /** The canonical address, as the client's router writes it. Two spellings of one address share it. */
  href: string;
  /** The source of the page's route chunk; null if it is part of the entry. */
  source: string | null;
  /** The same for everybody, until projects or settings change. */
  isShared: boolean;
  answers: (ctx: Context) => Promise<BootAnswer[]>;
};

/**
 * The server-rendered page at a decoded path and query, or null. If the client's router might read the query
 * differently, the page isn't rendered here, because hydration would replace it.
 */
export function findRenderedPage(path: string, query: URLSearchParams): RenderedPage | null {
  if (path === "/") return home;
  if (path === "/discover") return discover(query);
  const own = ownPages.find((page) => path === `/${page}`);
  if (own) return query.has("version") ? null : ownText(own);
  if (pagesWithFigures.includes(path)) return withFigures(path);
  const farmId = readProjectId(/^\/farms\/(\d+)$/.exec(path)?.[1] ?? "");
  if (farmId !== null) return farm(farmId);
  const id = readProjectId(/^\/project\/(\d+)$/.exec(path)?.[1] ?? "");
  return id === null ? null : project(id, query);
}

const home: RenderedPage = {
  href: "/",
  source: null,
  isShared: true,
  answers: async (ctx) => {
    const [featured, shown] = await Promise.all([listFeaturedProjects(ctx), getHome(ctx)]);
    return [
      { key: answerKey("projects.featured", "query"), data: featured },
      { key: answerKey("site.home", "query"), data: shown },
    ];
  },
};

/** A text of the operator, as it is in force. */
const ownText = (page: OwnPage): RenderedPage => ({
  href: `/${page}`,
  source: `src/client/routes/${page}.tsx`,
  isShared: true,
  answers: async (ctx) => [{ key: answerKey("site.page", "query", { page }), data: await getPage(ctx, { page }) }],
});

const pagesWithFigures = ["/how-it-works", "/faq", "/creator-resources"];

/** A text of ours that names the site's fee, hours and days. */
const withFigures = (path: string): RenderedPage => ({
  href: path,
  source: `src/client/routes${path}.tsx`,
  isShared: true,
  answers: async (ctx) => [{ key: answerKey("site.figures", "query"), data: await getFigures(ctx) }],
});

/** One or more words, which the router can only read as text. */
const plainText = /^\p{L}[\p{L}\p{N} ,.'-]{0,99}$/u;
const literals = ["true", "false", "null"];

function discover(query: URLSearchParams): RenderedPage | null {
  const search = only(query, "search", (text) => plainText.test(text) && !literals.includes(text) && !/\s$/.test(text));
  const sort = only(query, "sort", (text) => text !== "popular" && isOneOf(projectSorts, text));
  const category = only(query, "category", (text) => isOneOf(categoryIds, text));
  const closed = isTrue(query, "closed");
  const state = only(query, "state", (text) => isOneOf(nigerianStates, text));
  const price = only(query, "price", (text) => /^[1-9]\d{0,8}$/.test(text));
  const until = only(query, "until", (text) => z.iso.date().safeParse(text).success);
  const [record, insured, free] = [isTrue(query, "record"), isTrue(query, "insured"), isTrue(query, "free")];
  const map = isTrue(query, "map");
  const filters = { search, sort, category, closed, state, price, until, record, insured, free, map };
  if (Object.values(filters).includes(null)) return null;
  const input = listProjectsInput.omit({ cursor: true }).parse({
    search: search ?? "",
    sort: sort ?? "popular",
    category: category ?? null,
    showClosed: closed === "true",
    state: state ?? null,
    maxLotPrice: price ? Number(price) : null,
    firstHarvestUntil: until ?? null,
    hasRecord: record === "true",
    isInsured: insured === "true",
    hasFreeLots: free === "true",
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

/** Refusals for which the page shows a message. */
const shownRefusals = ["not_found", "unauthenticated"] as const;

/** Only the first tab is rendered, because the others load their data when they are opened. */
function project(projectId: number, query: URLSearchParams): RenderedPage | null {
  if (query.has("tab")) return null;
  return {
    href: `/project/${projectId}`,
    source: "src/client/routes/project.$id.tsx",
    isShared: false,
    answers: (ctx) =>
      answerOrRefusal(answerKey("projects.byId", "query", { projectId }), () => getProject(ctx, { projectId })),
  };
}

const farm = (farmId: number): RenderedPage => ({
  href: `/farms/${farmId}`,
  source: "src/client/routes/farms.$id.tsx",
  isShared: false,
  answers: (ctx) =>
    answerOrRefusal(answerKey("farmPages.page", "query", { farmId }), () => getFarmPage(ctx, { farmId })),
});

async function answerOrRefusal(key: BootAnswer["key"], read: () => Promise<unknown>): Promise<BootAnswer[]> {
  try {
    return [{ key, data: await read() }];
  } catch (error) {
    if (!(error instanceof AppError) || !isOneOf(shownRefusals, error.reason)) throw error;
    const { message, reason } = error;
    return [{ key, refusal: { name: "TRPCClientError", message, data: { reason } } }];
  }
}

function isOneOf<Known extends string>(known: readonly Known[], text: string): text is Known {
  return known.some((each) => each === text);
}

const isTrue = (query: URLSearchParams, name: string) => only(query, name, (text) => text === "true");

/** The query's value of that name. Undefined if it is missing; null if there are several or it isn't known. */
function only(query: URLSearchParams, name: string, isKnown: (text: string) => boolean): string | undefined | null {
  const [value, ...others] = query.getAll(name);
  if (!value) return undefined;
  return others.length === 0 && isKnown(value) ? value : null;
}
