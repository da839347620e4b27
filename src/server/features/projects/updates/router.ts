import { adminProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { listContentInput } from "#shared/projects/inputs.ts";
import { publishUpdateInput } from "#shared/projects/updates.ts";
import { listUpdates } from "./queries.ts";
import { publishUpdate } from "./service.ts";

export const updatesRouter = router({
  list: publicProcedure.input(listContentInput).query(({ ctx, input }) => listUpdates(ctx, input)),
  // Room for 20,000 characters of up to four bytes.
  publish: adminProcedure("projects:edit", { maxBodyBytes: 128 * 1024 })
    .input(publishUpdateInput)
    .mutation(({ ctx, input }) => publishUpdate(ctx, input)),
});
