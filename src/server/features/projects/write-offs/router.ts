import { adminProcedure, router } from "#server/platform/procedures.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { listRoundsToWriteOff } from "./queries.ts";

/** A round is written off by `secondPerson.ask` and `secondPerson.confirm`. */
export const writeOffsRouter = router({
  rounds: adminProcedure("payments:process")
    .input(projectIdInput)
    .query(({ ctx, input }) => listRoundsToWriteOff(ctx, input)),
});
