import { adminProcedure, publicProcedure, router } from "#server/core/trpc.ts";
import { listContentInput } from "#shared/projects.ts";
import { publishUpdateInput } from "#shared/updates.ts";
import { listUpdates } from "./queries.ts";
import { publishUpdate } from "./service.ts";

export const updatesRouter = router({
  list: publicProcedure.input(listContentInput).query(({ ctx, input }) => listUpdates(ctx, input)),
  publish: adminProcedure("projects:edit")
    .input(publishUpdateInput)
    .mutation(({ ctx, input }) => publishUpdate(ctx, input)),
});
