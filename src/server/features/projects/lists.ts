import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { perDatabase, perVariant } from "#server/db/prepared.ts";
import { projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { roundTerms } from "#server/db/schema/terms.ts";
import { isNarrowed, narrowedBy } from "#server/features/projects/filters/queries.ts";
import { withReports } from "#server/features/projects/reporting/queries.ts";
import { termsOfRound } from "#server/features/projects/rounds/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import type { listProjectsInput } from "#shared/projects/inputs.ts";
import { type ProjectSort, projectLimits } from "#shared/projects/texts.ts";
import { currentRound, lotColumns, projectCardColumns, toCard } from "./queries.ts";

const isOpen = sql`not ${projects.isClosed}`;

/** For the home page: open projects, most backed first. */
export async function listFeaturedProjects(ctx: Context) {
  const found = await featuredOf(ctx.db).execute();
  return withReports(
    ctx,
    found.map((row) => toCard(ctx, row)),
  );
}

const featuredOf = perDatabase((db) =>
  db
    .select({ ...projectCardColumns, ...lotColumns })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .where(isOpen)
    .orderBy(desc(projects.backersCount), desc(projects.id))
    .limit(projectLimits.featured)
    .prepare("projects_featured"),
);

type Card = { id: number; backersCount: number; currentFundingKobo: bigint; endsAt: Date };
type Order = {
  by: SQL[];
  /** The condition for the rows after a cursor, on the values that `read` takes from it. */
  after: SQL;
  read: (cursor: string) => Record<string, string | number>;
  cursorOf: (last: Card) => string;
};

const lastId = sql`${sql.placeholder("lastId")}::int`;

const orders: Record<ProjectSort, Order> = {
  popular: {
    by: [desc(projects.backersCount), desc(projects.id)],
    after: sql`(${projects.backersCount}, ${projects.id}) < (${sql.placeholder("lastBackers")}::int, ${lastId})`,
    read(cursor) {
      const [lastBackers, lastId] = decodeCursor(cursor, ["int", "int"]);
      return { lastBackers, lastId };
    },
    cursorOf: (card) => encodeCursor([card.backersCount, card.id]),
  },
  funded: {
    by: [desc(projects.currentFundingKobo), desc(projects.id)],
    after: sql`(${projects.currentFundingKobo}, ${projects.id}) < (${sql.placeholder("lastKobo")}::bigint, ${lastId})`,
    read(cursor) {
      const [lastKobo, lastId] = decodeCursor(cursor, ["bigint", "int"]);
      return { lastKobo, lastId };
    },
    cursorOf: (card) => encodeCursor([Number(card.currentFundingKobo), card.id]),
  },
  newest: {
    by: [desc(projects.id)],
    after: sql`${projects.id} < ${lastId}`,
    read(cursor) {
      const [lastId] = decodeCursor(cursor, ["int"]);
      return { lastId };
    },
    cursorOf: (card) => encodeCursor([card.id]),
  },
  ending: {
    by: [sql`${projects.endsAt} asc`, sql`${projects.id} asc`],
    after: sql`(${projects.endsAt}, ${projects.id}) > (${sql.placeholder("lastEnd")}::timestamptz, ${lastId})`,
    read(cursor) {
      const [endsAt, lastId] = decodeCursor(cursor, ["moment", "int"]);
      return { lastEnd: endsAt.toISOString(), lastId };
    },
    cursorOf: (card) => encodeCursor([card.endsAt.getTime(), card.id]),
  },
};

type ListVariant = {
  sort: ProjectSort;
  showClosed: boolean;
  hasCategory: boolean;
  hasCursor: boolean;
};

const prepareList = (db: DbOrTx, { sort, showClosed, hasCategory, hasCursor }: ListVariant) =>
  db
    .select({ ...projectCardColumns, ...lotColumns })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .where(
      and(
        showClosed ? undefined : isOpen,
        hasCategory ? eq(projects.category, sql.placeholder("category")) : undefined,
        hasCursor ? orders[sort].after : undefined,
      ),
    )
    .orderBy(...orders[sort].by)
    .limit(projectLimits.pageSize + 1)
    .prepare("projects_list");

const listOf = perVariant(prepareList);

/** For /discover: a page of open projects, and closed ones on request, searched, filtered and sorted. */
export async function listProjects(ctx: Context, input: z.output<typeof listProjectsInput>) {
  if (isNarrowed(input)) return listNarrowed(ctx, input);
  const { sort, category, showClosed, cursor } = input;
  const { read, cursorOf } = orders[sort];
  const found = await listOf(ctx.db, {
    sort,
    showClosed,
    hasCategory: Boolean(category),
    hasCursor: Boolean(cursor),
  }).execute({ category, ...(cursor ? read(cursor) : {}) });
  const { items, nextCursor } = pageOf(found, projectLimits.pageSize, cursorOf);
  const cards = items.map((row) => toCard(ctx, row));
  return { items: await withReports(ctx, cards), nextCursor };
}

/** The same with words and filters, which are too many to prepare a statement for each of their combinations. */
async function listNarrowed(ctx: Context, { cursor, ...input }: z.output<typeof listProjectsInput>) {
  const { by, after, read, cursorOf } = orders[input.sort];
  const found = await ctx.db
    .select({ ...projectCardColumns, ...lotColumns })
    .from(projects)
    .innerJoin(projectRounds, currentRound)
    .innerJoin(roundTerms, termsOfRound)
    .where(and(narrowedBy(input), cursor ? after : undefined))
    .orderBy(...by)
    .limit(projectLimits.pageSize + 1)
    .prepare("projects_narrowed")
    .execute(cursor ? read(cursor) : {});
  const { items, nextCursor } = pageOf(found, projectLimits.pageSize, cursorOf);
  const cards = items.map((row) => toCard(ctx, row));
  return { items: await withReports(ctx, cards), nextCursor };
}
