import { router } from "#server/core/trpc.ts";
import { settingsRouter } from "#server/features/settings/router.ts";

/** The list of features. */
export const appRouter = router({
  settings: settingsRouter,
});

export type AppRouter = typeof appRouter;
