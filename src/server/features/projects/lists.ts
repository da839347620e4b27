import { and, desc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Context } from "#server/core/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/core/keyset.ts";
import { contains, searchTable, wantGrams } from "#server/core/search.ts";
import type { Db } from "#server/db/open.ts";
import { limitOf, perDatabase, perDatabaseAndShape } from "#server/db/prepared.ts";
import { gramsOfProject, projects } from "#server/db/schema/projects.ts";
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
type Value = string | number | Placeholder;
type Order = {
  by: SQL[];
  after: (last: Value, id: Value) => SQL;
  read: (cursor: string) => Last;
  cursorOf: (last: Card) => string;
};

const orders: Record<ProjectSort, Order> = {
  popular: {
    by: [desc(projects.backersCount), desc(projects.id)],
    after: (last, id) => sql`(${projects.backersCount}, ${projects.id}) < (${last}::int, ${id}::int)`,
    read: (cursor) => named(decodeCursor(cursor, ["int", "int"])),
    cursorOf: (card) => encodeCursor([card.backersCount, card.id]),
  },
  funded: {
    by: [desc(projects.currentFundingKobo), desc(projects.id)],
    after: (last, id) => sql`(${projects.currentFundingKobo}, ${projects.id}) < (${last}::bigint, ${id}::int)`,
    read: (cursor) => named(decodeCursor(cursor, ["bigint", "int"])),
    cursorOf: (card) => encodeCursor([Number(card.currentFundingKobo), card.id]),
  },
  newest: {
    by: [desc(projects.id)],
    after: (_, id) => sql`${projects.id} < ${id}::int`,
    read: (cursor) => named([0, ...decodeCursor(cursor, ["int"])]),
    cursorOf: (card) => encodeCursor([card.id]),
  },
  ending: {
    by: [sql`${projects.endsAt} asc`, sql`${projects.id} asc`],
    after: (last, id) => sql`(${projects.endsAt}, ${projects.id}) > (${last}::timestamptz, ${id}::int)`,
    read: (cursor) => {
      const [endsAt, lastId] = decodeCursor(cursor, ["moment", "int"]);
      return named([endsAt.toISOString(), lastId]);
    },
    cursorOf: (card) => encodeCursor([card.endsAt.getTime(), card.id]),
  },
};

const named = ([value, lastId]: [string | number, number]): Last => ({ last: value, id: lastId });

/** Which conditions a list has: their values come with each call, so that few statements serve all lists. */
type Shape = { sort: ProjectSort; hasCategory: boolean; showsClosed: boolean; hasCursor: boolean };

const listOf = perDatabaseAndShape("projects", (db, name, { sort, hasCategory, showsClosed, hasCursor }: Shape) =>
  db
    .select(projectCardColumns)
    .from(projects)
    .where(
      and(
        showsClosed ? undefined : isOpen,
        hasCategory ? eq(projects.category, sql.placeholder("category")) : undefined,
        hasCursor ? orders[sort].after(sql.placeholder("last"), sql.placeholder("id")) : undefined,
      ),
    )
    .orderBy(...orders[sort].by)
    .limit(limitOf(projectLimits.pageSize + 1))
    .prepare(name),
);

/** Discover: open projects, closed ones too where asked for, filtered and sorted, a page at a time. */
export async function listProjects(ctx: Context, input: z.output<typeof listProjectsInput>) {
  const order = orders[input.sort];
  const found = await (input.search === "" ? listAll(ctx.db, input) : listFound(ctx.db, input));
  const { items, nextCursor } = pageOf(found, projectLimits.pageSize, order.cursorOf);
  return { items: items.map((row) => toCard(ctx, row)), nextCursor };
}

type Listed = z.output<typeof listProjectsInput>;

function listAll(db: Db, { sort, category, showClosed, cursor }: Listed) {
  const shape = { sort, hasCategory: category !== null, showsClosed: showClosed, hasCursor: Boolean(cursor) };
  return listOf(db, shape).execute({ category, ...(cursor && orders[sort].read(cursor)) });
}

/** Not prepared: what is looked for decides how. */
function listFound(db: Db, { sort, category, showClosed, search, cursor }: Listed) {
  const { by, after, read } = orders[sort];
  const behind = cursor ? read(cursor) : null;
  return searchTable(db, {
    table: projects,
    columns: projectCardColumns,
    by,
    wanted: projectLimits.pageSize + 1,
    inList: and(
      showClosed ? undefined : isOpen,
      category ? eq(projects.category, category) : undefined,
      behind ? after(behind.last, behind.id) : undefined,
    ),
    search: {
      isMatch: contains(projects.title, search),
      hasGrams: wantGrams(gramsOfProject(projects), search, [
        ...(category ? [`in ${category}`] : []),
        ...(showClosed ? [] : ["open"]),
      ]),
    },
  });
}
