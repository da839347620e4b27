import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listDashboardProjectsInput } from "#shared/projects/inputs.ts";
import { countProjects, listDashboardProjects, summarizeMoney } from "./queries.ts";

export const dashboardRouter = router({
  projects: adminProcedure("projects:view")
    .input(listDashboardProjectsInput)
    .query(({ ctx, input }) => listDashboardProjects(ctx, input)),
  counts: adminProcedure("projects:view").query(({ ctx }) => countProjects(ctx)),
  money: adminProcedure("payments:view").query(({ ctx }) => summarizeMoney(ctx)),
});
