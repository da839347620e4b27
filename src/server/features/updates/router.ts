import { publicProcedure, router } from "#server/core/trpc.ts";
import { listContentInput } from "#shared/projects.ts";
import { listUpdates } from "./queries.ts";

export const updatesRouter = router({
  list: publicProcedure.input(listContentInput).query(({ ctx, input }) => listUpdates(ctx, input)),
});
