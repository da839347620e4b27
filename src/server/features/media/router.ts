import { publicProcedure, router } from "#server/core/trpc.ts";
import { projectIdInput } from "#shared/projects.ts";
import { listGallery } from "./queries.ts";

export const mediaRouter = router({
  gallery: publicProcedure.input(projectIdInput).query(({ ctx, input }) => listGallery(ctx, input)),
});
