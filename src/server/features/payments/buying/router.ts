import { backerProcedure, router } from "#server/platform/procedures.ts";
import { beginPurchaseInput, paymentIdInput, reduceToArrivedInput } from "#shared/payments/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { listMyPending, listMyPurchases } from "./queries.ts";
import { findReceiptLink } from "./receipts.ts";
import { beginPurchase, openPaymentPage, reduceToArrived } from "./service.ts";

export const buyingRouter = router({
  /** A mutation, because nobody may be shown bank details of an earlier visit. */
  open: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => openPaymentPage(ctx, input)),
  begin: backerProcedure.input(beginPurchaseInput).mutation(({ ctx, input }) => beginPurchase(ctx, input)),
  reduceToArrived: backerProcedure
    .input(reduceToArrivedInput)
    .mutation(({ ctx, input }) => reduceToArrived(ctx, input)),
  listMyPending: backerProcedure.query(({ ctx }) => listMyPending(ctx)),
  listMyPurchases: backerProcedure.input(projectIdInput).query(({ ctx, input }) => listMyPurchases(ctx, input)),
});

export const receiptsRouter = router({
  /** For the payment's own backer, and for administrators who may view payments. */
  link: backerProcedure.input(paymentIdInput).query(({ ctx, input }) => findReceiptLink(ctx, input)),
});
