import { backerProcedure, publicProcedure, router } from "#server/core/trpc.ts";
import { listGalleryInput } from "#shared/media.ts";
import { projectIdInput } from "#shared/projects.ts";
import { listGallery, listLivestreams } from "./queries.ts";

export const mediaRouter = router({
  gallery: publicProcedure.input(listGalleryInput).query(({ ctx, input }) => listGallery(ctx, input)),
  livestreams: backerProcedure.input(projectIdInput).query(({ ctx, input }) => listLivestreams(ctx, input)),
});
