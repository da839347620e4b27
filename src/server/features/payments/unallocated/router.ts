import { adminProcedure, router } from "#server/platform/procedures.ts";
import { giveUnallocatedBackInput, listSaidPaidInput, takeRefundBackInput } from "#shared/payments/inputs.ts";
import { listSaidPaid } from "./queries.ts";
import { giveUnallocatedBack, takeRefundBack } from "./service.ts";

export const unallocatedRouter = router({
  /** Payments whose receipt was sent, and of which nothing has arrived. */
  saidPaid: adminProcedure("payouts:view")
    .input(listSaidPaidInput)
    .query(({ ctx, input }) => listSaidPaid(ctx, input)),
  giveUnallocatedBack: adminProcedure("payments:process")
    .input(giveUnallocatedBackInput)
    .mutation(({ ctx, input }) => giveUnallocatedBack(ctx, input)),
  takeRefundBack: adminProcedure("payments:process")
    .input(takeRefundBackInput)
    .mutation(({ ctx, input }) => takeRefundBack(ctx, input)),
});
