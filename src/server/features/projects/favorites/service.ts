import { and, eq } from "drizzle-orm";
import { isForeignKeyViolation, isUniqueViolation } from "#server/db/errors.ts";
import { projectFavorites } from "#server/db/schema/projects.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { favoriteTexts, projectTexts } from "#shared/projects/texts.ts";

type Favorite = { projectId: number };

/** Throws "conflict" ("Already favorited") if it is already a favorite, "not_found" if the project doesn't exist. */
export async function addFavorite(ctx: ActorContext, { projectId }: Favorite): Promise<void> {
  try {
    await ctx.db.insert(projectFavorites).values({ projectId, userId: ctx.actor.id, createdAt: ctx.clock.now() });
  } catch (error) {
    if (isUniqueViolation(error, "project_favorites_pkey")) throw new AppError("conflict", favoriteTexts.already);
    if (isForeignKeyViolation(error)) throw new AppError("not_found", projectTexts.notFound);
    throw error;
  }
}

/** Removing a project that isn't a favorite is no error. */
export async function removeFavorite(ctx: ActorContext, { projectId }: Favorite): Promise<void> {
  await ctx.db
    .delete(projectFavorites)
    .where(and(eq(projectFavorites.projectId, projectId), eq(projectFavorites.userId, ctx.actor.id)));
}
