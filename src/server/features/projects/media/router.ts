import { adminProcedure, backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { listPageInput } from "#shared/projects/inputs.ts";
import { addLivestreamInput, addYoutubeInput, listMediaInput, removeMediaInput } from "#shared/projects/media.ts";
import { listGallery, listLivestreams, listMedia } from "./queries.ts";
import { addLivestream, addYoutube, removeMedia } from "./service.ts";

export const mediaRouter = router({
  gallery: publicProcedure.input(listPageInput).query(({ ctx, input }) => listGallery(ctx, input)),
  livestreams: backerProcedure.input(listPageInput).query(({ ctx, input }) => listLivestreams(ctx, input)),
  ofType: adminProcedure("projects:view")
    .input(listMediaInput)
    .query(({ ctx, input }) => listMedia(ctx, input)),
  addYoutube: adminProcedure("projects:edit")
    .input(addYoutubeInput)
    .mutation(({ ctx, input }) => addYoutube(ctx, input)),
  addLivestream: adminProcedure("projects:edit")
    .input(addLivestreamInput)
    .mutation(({ ctx, input }) => addLivestream(ctx, input)),
  remove: adminProcedure("projects:edit")
    .input(removeMediaInput)
    .mutation(({ ctx, input }) => removeMedia(ctx, input)),
});
