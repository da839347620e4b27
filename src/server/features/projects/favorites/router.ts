import { backerProcedure, router } from "#server/platform/procedures.ts";
import { cursorInput } from "#shared/pagination.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { listMyFavoriteIds, listMyFavorites } from "./queries.ts";
import { addFavorite, removeFavorite } from "./service.ts";

export const favoritesRouter = router({
  mine: backerProcedure.input(cursorInput).query(({ ctx, input }) => listMyFavorites(ctx, input)),
  ids: backerProcedure.query(({ ctx }) => listMyFavoriteIds(ctx)),
  add: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => addFavorite(ctx, input)),
  remove: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => removeFavorite(ctx, input)),
});
