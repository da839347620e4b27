import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { forQuickReads } from "#server/db/open.ts";
import { perDatabase } from "#server/db/prepared.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { Context } from "#server/platform/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { contains } from "#server/platform/search.ts";
import type { listProjectsInput } from "#shared/projects.ts";
import { type ProjectSort, projectLimits } from "#shared/projects-texts.ts";
import { projectCardColumns, toCard } from "./queries.ts";

const isOpen = sql`not ${projects.isClosed}`;

/** For the home page: open projects, most backed first. */
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
    .limit(projectLimits.featured)
    .prepare("projects_featured"),
);

type Card = { id: number; backersCount: number; currentFundingKobo: bigint; endsAt: Date };
type Order = {
  by: SQL[];
  /** The condition for the rows after a cursor. */
  after: (cursor: string) => SQL;
  cursorOf: (last: Card) => string;
};

const orders: Record<ProjectSort, Order> = {
  popular: {
    by: [desc(projects.backersCount), desc(projects.id)],
    after(cursor) {
      const [backers, id] = decodeCursor(cursor, ["int", "int"]);
      return sql`(${projects.backersCount}, ${projects.id}) < (${backers}::int, ${id}::int)`;
    },
    cursorOf: (card) => encodeCursor([card.backersCount, card.id]),
  },
  funded: {
    by: [desc(projects.currentFundingKobo), desc(projects.id)],
    after(cursor) {
      const [kobo, id] = decodeCursor(cursor, ["bigint", "int"]);
      return sql`(${projects.currentFundingKobo}, ${projects.id}) < (${kobo}::bigint, ${id}::int)`;
    },
    cursorOf: (card) => encodeCursor([Number(card.currentFundingKobo), card.id]),
  },
  newest: {
    by: [desc(projects.id)],
    after(cursor) {
      const [id] = decodeCursor(cursor, ["int"]);
      return sql`${projects.id} < ${id}::int`;
    },
    cursorOf: (card) => encodeCursor([card.id]),
  },
  ending: {
    by: [sql`${projects.endsAt} asc`, sql`${projects.id} asc`],
    after(cursor) {
      const [endsAt, id] = decodeCursor(cursor, ["moment", "int"]);
      return sql`(${projects.endsAt}, ${projects.id}) > (${endsAt.toISOString()}::timestamptz, ${id}::int)`;
    },
    cursorOf: (card) => encodeCursor([card.endsAt.getTime(), card.id]),
  },
};

/** For /discover: a page of open projects, and closed ones on request, searched, filtered and sorted. */
export async function listProjects(ctx: Context, input: z.output<typeof listProjectsInput>) {
  const { sort, category, showClosed, search, cursor } = input;
  const { by, after, cursorOf } = orders[sort];
  const found = await forQuickReads(ctx.db)
    .select(projectCardColumns)
    .from(projects)
    .where(
      and(
        showClosed ? undefined : isOpen,
        category ? eq(projects.category, category) : undefined,
        search === "" ? undefined : contains(projects.title, search),
        cursor ? after(cursor) : undefined,
      ),
    )
    .orderBy(...by)
    .limit(projectLimits.pageSize + 1)
    .prepare("projects_list")
    .execute();
  const { items, nextCursor } = pageOf(found, projectLimits.pageSize, cursorOf);
  return { items: items.map((row) => toCard(ctx, row)), nextCursor };
}
