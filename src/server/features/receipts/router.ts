import { backerProcedure, router } from "#server/core/trpc.ts";
import { paymentIdInput } from "#shared/payments.ts";
import { findReceiptLink } from "./queries.ts";

export const receiptsRouter = router({
  /** For the payment's own backer, and for whoever may view payments. */
  link: backerProcedure.input(paymentIdInput).query(({ ctx, input }) => findReceiptLink(ctx, input)),
});
