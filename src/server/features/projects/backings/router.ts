import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import { cursorInput } from "#shared/pagination.ts";
import { grantBackingInput, listBackersInput, revokeGrantInput } from "#shared/projects/backings.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { getBackedProject, listBackers, listMyBackings } from "./queries.ts";
import { grantBacking, revokeGrant } from "./service.ts";

/** A grant's part in harvests is given by `secondPerson.ask` and `secondPerson.confirm`. */
export const backingsRouter = router({
  mine: backerProcedure.input(cursorInput).query(({ ctx, input }) => listMyBackings(ctx, input)),
  project: backerProcedure.input(projectIdInput).query(({ ctx, input }) => getBackedProject(ctx, input)),
  listForProject: adminProcedure("projects:edit")
    .input(listBackersInput)
    .query(({ ctx, input }) => listBackers(ctx, input)),
  grant: adminProcedure("projects:edit")
    .input(grantBackingInput)
    .mutation(({ ctx, input }) => grantBacking(ctx, input)),
  revokeGrant: adminProcedure("projects:edit")
    .input(revokeGrantInput)
    .mutation(({ ctx, input }) => revokeGrant(ctx, input)),
});
