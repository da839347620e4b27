import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import { holderChangeInput, previewHolderChangeInput, stopHolderChangeInput } from "#shared/payments/holder-changes.ts";
import { listOwnChanges, listRunningChanges, previewChange } from "./queries.ts";
import { objectToChange, stopChange } from "./service.ts";

export const holderChangesRouter = router({
  mine: backerProcedure.query(({ ctx }) => listOwnChanges(ctx)),
  object: backerProcedure.input(holderChangeInput).mutation(({ ctx, input }) => objectToChange(ctx, input)),
  running: adminProcedure("payments:process").query(({ ctx }) => listRunningChanges(ctx)),
  preview: adminProcedure("payments:process")
    .input(previewHolderChangeInput)
    .query(({ ctx, input }) => previewChange(ctx, input)),
  stop: adminProcedure("payments:process")
    .input(stopHolderChangeInput)
    .mutation(({ ctx, input }) => stopChange(ctx, input)),
});
