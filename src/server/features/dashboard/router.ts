import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listDashboardProjectsInput } from "#shared/projects/inputs.ts";
import { countProjects, listDashboardProjects, summarizeMoney } from "./queries.ts";
import { findWaitingMoney } from "./waiting-money.ts";

export const dashboardRouter = router({
  projects: adminProcedure("projects:view")
    .input(listDashboardProjectsInput)
    .query(({ ctx, input }) => listDashboardProjects(ctx, input)),
  counts: adminProcedure("projects:view").query(({ ctx }) => countProjects(ctx)),
  waiting: adminProcedure("payments:process").query(({ ctx }) => findWaitingMoney(ctx.db)),
  money: adminProcedure("payments:view").query(({ ctx }) => summarizeMoney(ctx)),
});
