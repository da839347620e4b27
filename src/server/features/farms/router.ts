import { farmProcedure, router } from "#server/platform/procedures.ts";
import { listOwnFarms } from "./queries.ts";

export const farmsRouter = router({
  mine: farmProcedure("report").query(({ ctx }) => listOwnFarms(ctx)),
});
