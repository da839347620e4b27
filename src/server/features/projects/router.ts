import { adminProcedure, publicProcedure, router } from "#server/core/trpc.ts";
import { listDashboardProjectsInput, listProjectsInput, projectIdInput } from "#shared/projects.ts";
import { getProject, listDashboardProjects, listFeaturedProjects, listProjects } from "./queries.ts";

export const projectsRouter = router({
  featured: publicProcedure.query(({ ctx }) => listFeaturedProjects(ctx)),
  list: publicProcedure.input(listProjectsInput).query(({ ctx, input }) => listProjects(ctx, input)),
  byId: publicProcedure.input(projectIdInput).query(({ ctx, input }) => getProject(ctx, input)),
  dashboard: adminProcedure("projects:view")
    .input(listDashboardProjectsInput)
    .query(({ ctx, input }) => listDashboardProjects(ctx, input)),
});
