import { adminProcedure, router } from "#server/platform/procedures.ts";
import { returnToBackersDetails } from "#shared/payouts/returns.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { listReturns, previewReturn } from "./queries.ts";

export const roundReturnsRouter = router({
  ofProject: adminProcedure("payouts:view")
    .input(projectIdInput)
    .query(({ ctx, input }) => listReturns(ctx, input)),
  preview: adminProcedure("payouts:process")
    .input(returnToBackersDetails)
    .query(({ ctx, input }) => previewReturn(ctx, input)),
});
