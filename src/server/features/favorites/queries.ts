import { and, desc, eq, sql } from "drizzle-orm";
import type { ActorContext } from "#server/core/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/core/keyset.ts";
import { projectFavorites, projects } from "#server/db/schema/projects.ts";
import { projectCardColumns, withDaysLeft } from "#server/features/projects/queries.ts";
import { projectLimits } from "#shared/project-texts.ts";

const idsLimit = 1000;

/** Ids of the caller's favorites, latest first: which hearts are filled, whatever list the cards stand in. */
export async function listMyFavoriteIds(ctx: ActorContext): Promise<number[]> {
  const found = await ctx.db
    .select({ projectId: projectFavorites.projectId })
    .from(projectFavorites)
    .where(eq(projectFavorites.userId, ctx.actor.id))
    .orderBy(desc(projectFavorites.createdAt))
    .limit(idsLimit);
  return found.map(({ projectId }) => projectId);
}

/** The caller's favorites as cards, latest first. */
export async function listMyFavorites(ctx: ActorContext, input: { cursor?: string | null | undefined }) {
  const found = await ctx.db
    .select({ ...projectCardColumns, favoritedAt: projectFavorites.createdAt })
    .from(projectFavorites)
    .innerJoin(projects, eq(projects.id, projectFavorites.projectId))
    .where(and(eq(projectFavorites.userId, ctx.actor.id), input.cursor ? after(input.cursor) : undefined))
    .orderBy(desc(projectFavorites.createdAt), desc(projects.id))
    .limit(projectLimits.pageSize + 1);
  const page = pageOf(found, projectLimits.pageSize, (last) => encodeCursor([last.favoritedAt.getTime(), last.id]));
  return { items: page.items.map(withDaysLeft(ctx)), nextCursor: page.nextCursor };
}

function after(cursor: string) {
  const [time, id] = decodeCursor(cursor, ["moment", "int"]);
  return sql`(${projectFavorites.createdAt}, ${projects.id}) < (${time.toISOString()}::timestamptz, ${id})`;
}
