import { backerProcedure, router } from "#server/core/trpc.ts";
import { cursorInput } from "#shared/pagination.ts";
import { projectIdInput } from "#shared/projects.ts";
import { getBackedProject, listMyBackings } from "./queries.ts";

export const backingsRouter = router({
  mine: backerProcedure.input(cursorInput).query(({ ctx, input }) => listMyBackings(ctx, input)),
  project: backerProcedure.input(projectIdInput).query(({ ctx, input }) => getBackedProject(ctx, input)),
});
