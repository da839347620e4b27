import { publicProcedure, router } from "#server/platform/procedures.ts";
import { farmIdInput } from "#shared/farms/inputs.ts";
import { getFarmPage } from "./farm-page.ts";
import { getFarmRecord } from "./queries.ts";

/** The public view of a farm. */
export const farmPagesRouter = router({
  page: publicProcedure.input(farmIdInput).query(({ ctx, input }) => getFarmPage(ctx, input)),
  record: publicProcedure.input(farmIdInput).query(({ ctx, input }) => getFarmRecord(ctx, input)),
});
