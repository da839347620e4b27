import { router } from "#server/core/trpc.ts";
import { favoritesRouter } from "#server/features/favorites/router.ts";
import { mediaRouter } from "#server/features/media/router.ts";
import { projectsRouter } from "#server/features/projects/router.ts";
import { settingsRouter } from "#server/features/settings/router.ts";
import { updatesRouter } from "#server/features/updates/router.ts";

/** The list of features. */
export const appRouter = router({
  settings: settingsRouter,
  projects: projectsRouter,
  favorites: favoritesRouter,
  updates: updatesRouter,
  media: mediaRouter,
});

export type AppRouter = typeof appRouter;
