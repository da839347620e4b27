import { backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { renameSearchInput, saveSearchInput, searchIdInput, searchLinkInput } from "#shared/saved-searches/inputs.ts";
import { getLinkedSearch, listSavedSearches } from "./queries.ts";
import { renameSearch, saveSearch, stopSearch, stopSearchByLink, undoStopByLink, undoStopOfSearch } from "./service.ts";

export const savedSearchesRouter = router({
  mine: backerProcedure.query(({ ctx }) => listSavedSearches(ctx)),
  save: backerProcedure.input(saveSearchInput).mutation(({ ctx, input }) => saveSearch(ctx, input)),
  rename: backerProcedure.input(renameSearchInput).mutation(({ ctx, input }) => renameSearch(ctx, input)),
  stop: backerProcedure.input(searchIdInput).mutation(({ ctx, input }) => stopSearch(ctx, input)),
  undoStop: backerProcedure.input(searchIdInput).mutation(({ ctx, input }) => undoStopOfSearch(ctx, input)),
  /** The mail's link names the search, whoever is signed in. */
  byLink: publicProcedure.input(searchLinkInput).query(({ ctx, input }) => getLinkedSearch(ctx, input)),
  stopByLink: publicProcedure.input(searchLinkInput).mutation(({ ctx, input }) => stopSearchByLink(ctx, input)),
  undoStopByLink: publicProcedure.input(searchLinkInput).mutation(({ ctx, input }) => undoStopByLink(ctx, input)),
});
