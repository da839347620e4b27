import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import { endHoldInput, extendHoldInput, joinWaitingListInput } from "#shared/projects/holds.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { endHoldByHand, extendHold } from "./by-hand.ts";
import { joinWaitingList, leaveWaitingList, releaseHold } from "./own-hold.ts";
import { listHolds } from "./queries.ts";

/** Lots are held by `payments.begin`, together with the tick under the terms. */
export const holdsRouter = router({
  release: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => releaseHold(ctx, input)),
  join: backerProcedure.input(joinWaitingListInput).mutation(({ ctx, input }) => joinWaitingList(ctx, input)),
  leave: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => leaveWaitingList(ctx, input)),
  list: adminProcedure("payments:view")
    .input(projectIdInput)
    .query(({ ctx, input }) => listHolds(ctx, input)),
  end: adminProcedure("payments:process")
    .input(endHoldInput)
    .mutation(({ ctx, input }) => endHoldByHand(ctx, input)),
  extend: adminProcedure("payments:process")
    .input(extendHoldInput)
    .mutation(({ ctx, input }) => extendHold(ctx, input)),
});
