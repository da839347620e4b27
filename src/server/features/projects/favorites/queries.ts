import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { projectFavorites, projects } from "#server/db/schema/projects.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { currentRound, lotColumns, projectCardColumns, toCard } from "#server/features/projects/queries.ts";
import { withReports } from "#server/features/projects/reporting/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { latestFirst, pageOf } from "#server/platform/keyset.ts";
import type { cursorInput } from "#shared/pagination.ts";
import { projectLimits } from "#shared/projects/texts.ts";

const idsLimit = 1000;

/** The ids of the caller's favorites, latest first, so that any list can fill the right hearts. */
export async function listMyFavoriteIds(ctx: ActorContext): Promise<number[]> {
  const found = await ctx.db
    .select({ projectId: projectFavorites.projectId })
    .from(projectFavorites)
    .where(eq(projectFavorites.userId, ctx.actor.id))
    .orderBy(desc(projectFavorites.createdAt))
    .limit(idsLimit);
  return found.map(({ projectId }) => projectId);
}

const order = latestFirst(projectFavorites.createdAt, projects.id, "int");

/** The caller's favorites as cards, latest first. */
export async function listMyFavorites(ctx: ActorContext, input: z.output<typeof cursorInput>) {
  const found = await ctx.db
    .select({ ...projectCardColumns, ...lotColumns, favoritedAt: projectFavorites.createdAt })
    .from(projectFavorites)
    .innerJoin(projects, eq(projects.id, projectFavorites.projectId))
    .innerJoin(projectRounds, currentRound)
    .where(and(eq(projectFavorites.userId, ctx.actor.id), order.after(input.cursor)))
    .orderBy(...order.by)
    .limit(projectLimits.pageSize + 1);
  const page = pageOf(found, projectLimits.pageSize, (last) => order.cursorOf(last.favoritedAt, last.id));
  const cards = page.items.map((row) => toCard(ctx, row));
  return { items: await withReports(ctx, cards), nextCursor: page.nextCursor };
}
