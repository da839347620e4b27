import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Context } from "#server/core/context.ts";
import { containsPattern, decodeCursor, encodeCursor, pageOf } from "#server/core/keyset.ts";
import { limitOf, perDatabase, perDatabaseAndShape } from "#server/db/prepared.ts";
import { projects } from "#server/db/schema/projects.ts";
import { type ProjectSort, projectLimits } from "#shared/project-texts.ts";
import type { listProjectsInput } from "#shared/projects.ts";
import { projectCardColumns, toCard } from "./queries.ts";

const isOpen = sql`not ${projects.isClosed}`;

/** Home: open projects, most backed first. */
export async function listFeaturedProjects(ctx: Context) {
  const found = await featuredOf(ctx.db).execute();
  return found.map((row) => toCard(ctx, row));
}

const featuredOf = perDatabase((db) =>
  db
    .select(projectCardColumns)
    .from(projects)
    .where(isOpen)
    .orderBy(desc(projects.backersCount), desc(projects.id))
    .limit(limitOf(projectLimits.featured))
    .prepare("projects_featured"),
);

type Card = { id: number; backersCount: number; currentFundingKobo: bigint; endsAt: Date };
/** Where a page ended, as the statement takes it: the value that orders, and the id. */
type Last = { last: string | number; id: number };
type Order = { by: SQL[]; after: SQL; read: (cursor: string) => Last; cursorOf: (last: Card) => string };

const last = sql.placeholder("last");
const id = sql.placeholder("id");

const orders: Record<ProjectSort, Order> = {
  popular: {
    by: [desc(projects.backersCount), desc(projects.id)],
    after: sql`(${projects.backersCount}, ${projects.id}) < (${last}::int, ${id}::int)`,
    read: (cursor) => named(decodeCursor(cursor, ["int", "int"])),
    cursorOf: (card) => encodeCursor([card.backersCount, card.id]),
  },
  funded: {
    by: [desc(projects.currentFundingKobo), desc(projects.id)],
    after: sql`(${projects.currentFundingKobo}, ${projects.id}) < (${last}::bigint, ${id}::int)`,
    read: (cursor) => named(decodeCursor(cursor, ["bigint", "int"])),
    cursorOf: (card) => encodeCursor([Number(card.currentFundingKobo), card.id]),
  },
  newest: {
    by: [desc(projects.id)],
    after: sql`${projects.id} < ${id}::int`,
    read: (cursor) => named([0, ...decodeCursor(cursor, ["int"])]),
    cursorOf: (card) => encodeCursor([card.id]),
  },
  ending: {
    by: [sql`${projects.endsAt} asc`, sql`${projects.id} asc`],
    after: sql`(${projects.endsAt}, ${projects.id}) > (${last}::timestamptz, ${id}::int)`,
    read: (cursor) => {
      const [endsAt, lastId] = decodeCursor(cursor, ["moment", "int"]);
      return named([endsAt.toISOString(), lastId]);
    },
    cursorOf: (card) => encodeCursor([card.endsAt.getTime(), card.id]),
  },
};

const named = ([value, lastId]: [string | number, number]): Last => ({ last: value, id: lastId });

/** Which conditions a list has: their values come with each call, so that few statements serve all lists. */
type Shape = { sort: ProjectSort; hasCategory: boolean; showsClosed: boolean; hasCursor: boolean; hasSearch: boolean };

const listOf = perDatabaseAndShape(
  "projects",
  (db, name, { sort, hasCategory, showsClosed, hasCursor, hasSearch }: Shape) =>
    db
      .select(projectCardColumns)
      .from(projects)
      .where(
        and(
          showsClosed ? undefined : isOpen,
          hasCategory ? eq(projects.category, sql.placeholder("category")) : undefined,
          hasSearch ? sql`${projects.title} ilike ${sql.placeholder("pattern")}` : undefined,
          hasCursor ? orders[sort].after : undefined,
        ),
      )
      .orderBy(...orders[sort].by)
      .limit(limitOf(projectLimits.pageSize + 1))
      .prepare(name),
);

/** Discover: open projects, closed ones too where asked for, filtered and sorted, a page at a time. */
export async function listProjects(ctx: Context, input: z.output<typeof listProjectsInput>) {
  const { sort, category, showClosed, search, cursor } = input;
  const order = orders[sort];
  const statement = listOf(ctx.db, {
    sort,
    hasCategory: category !== null,
    showsClosed: showClosed,
    hasCursor: Boolean(cursor),
    hasSearch: search !== "",
  });
  const found = await statement.execute({
    category,
    pattern: containsPattern(search),
    ...(cursor && order.read(cursor)),
  });
  const { items, nextCursor } = pageOf(found, projectLimits.pageSize, order.cursorOf);
  return { items: items.map((row) => toCard(ctx, row)), nextCursor };
}
