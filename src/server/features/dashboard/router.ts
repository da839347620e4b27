import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listDashboardProjectsInput } from "#shared/projects/inputs.ts";
import { todayItemsInput } from "#shared/today/inputs.ts";
import { countProjects, listDashboardProjects, summarizeMoney } from "./queries.ts";
import { listToday, listTodayItems } from "./today.ts";
import { findWaitingMoney } from "./waiting-money.ts";

export const dashboardRouter = router({
  projects: adminProcedure("projects:view")
    .input(listDashboardProjectsInput)
    .query(({ ctx, input }) => listDashboardProjects(ctx, input)),
  today: adminProcedure("projects:view").query(({ ctx }) => listToday(ctx)),
  todayItems: adminProcedure("projects:view")
    .input(todayItemsInput)
    .query(({ ctx, input }) => listTodayItems(ctx, input)),
  counts: adminProcedure("projects:view").query(({ ctx }) => countProjects(ctx)),
  waiting: adminProcedure("payments:process").query(({ ctx }) => findWaitingMoney(ctx.db)),
  money: adminProcedure("payments:view").query(({ ctx }) => summarizeMoney(ctx)),
});
