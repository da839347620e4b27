import { publicProcedure, router } from "#server/core/trpc.ts";
import { describeSite } from "./queries.ts";

export const settingsRouter = router({
  site: publicProcedure.query(({ ctx }) => describeSite(ctx)),
});
