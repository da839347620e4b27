import { adminProcedure, publicProcedure, router, sharedProcedure } from "#server/platform/procedures.ts";
import { createProjectInput } from "#shared/projects/create-project.ts";
import {
  cloneProjectInput,
  countProjectsInput,
  listProjectsInput,
  projectIdInput,
  updateProjectInput,
} from "#shared/projects/inputs.ts";
import { updateTermsInput } from "#shared/projects/terms.ts";
import { countByState, countProjects, findMostRestrictiveFilter } from "./discover.ts";
import { listFeaturedProjects, listProjects } from "./lists.ts";
import { getDefaultTerms, getProject, getProjectForEdit } from "./queries.ts";
import {
  cloneProject,
  closeByHand,
  createProject,
  deleteProject,
  getDeletion,
  reopenProject,
  updateProject,
} from "./service.ts";
import { updateTerms } from "./update-terms.ts";

/** Room for a description of 60,000 characters, most of three bytes, and twenty rewards. */
const projectForms = { maxBodyBytes: 256 * 1024 };

export const projectsRouter = router({
  featured: sharedProcedure.query(({ ctx }) => listFeaturedProjects(ctx)),
  list: sharedProcedure.input(listProjectsInput).query(({ ctx, input }) => listProjects(ctx, input)),
  count: sharedProcedure.input(countProjectsInput).query(({ ctx, input }) => countProjects(ctx, input)),
  countByState: sharedProcedure.query(({ ctx }) => countByState(ctx)),
  looseFilter: sharedProcedure
    .input(countProjectsInput)
    .query(({ ctx, input }) => findMostRestrictiveFilter(ctx, input)),
  byId: publicProcedure.input(projectIdInput).query(({ ctx, input }) => getProject(ctx, input)),
  forEdit: adminProcedure("projects:edit")
    .input(projectIdInput)
    .query(({ ctx, input }) => getProjectForEdit(ctx, input)),
  defaultTerms: adminProcedure("projects:create").query(({ ctx }) => getDefaultTerms(ctx)),
  create: adminProcedure("projects:create", projectForms)
    .input(createProjectInput)
    .mutation(({ ctx, input }) => createProject(ctx, input)),
  update: adminProcedure("projects:edit", projectForms)
    .input(updateProjectInput)
    .mutation(({ ctx, input }) => updateProject(ctx, input)),
  updateTerms: adminProcedure("projects:edit")
    .input(updateTermsInput)
    .mutation(({ ctx, input }) => updateTerms(ctx, input)),
  close: adminProcedure("projects:close")
    .input(projectIdInput)
    .mutation(({ ctx, input }) => closeByHand(ctx, input)),
  reopen: adminProcedure("projects:close")
    .input(projectIdInput)
    .mutation(({ ctx, input }) => reopenProject(ctx, input)),
  clone: adminProcedure("projects:create")
    .input(cloneProjectInput)
    .mutation(({ ctx, input }) => cloneProject(ctx, input)),
  deletion: adminProcedure("projects:delete")
    .input(projectIdInput)
    .query(({ ctx, input }) => getDeletion(ctx, input)),
  delete: adminProcedure("projects:delete")
    .input(projectIdInput)
    .mutation(({ ctx, input }) => deleteProject(ctx, input)),
});
