import { backerProcedure, router } from "#server/platform/procedures.ts";
import { listMyTasks } from "./queries.ts";

export const tasksRouter = router({
  mine: backerProcedure.query(({ ctx }) => listMyTasks(ctx)),
});
