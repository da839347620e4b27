import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import {
  beginPurchaseInput,
  countPaymentsInput,
  decideRoundInput,
  giveHeldBackInput,
  listPaymentProjectsInput,
  listPaymentsInput,
  listSaidPaidInput,
  paymentIdInput,
  reduceToArrivedInput,
  setPaymentStatusInput,
  takeRefundBackInput,
} from "#shared/payments/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { reduceToArrived } from "./arrivals.ts";
import { decideOnRound, findRoundToDecide } from "./give-back.ts";
import { listMyPending, listMyPurchases, listPaymentProjects, listPayments } from "./queries.ts";
import { findReceiptLink } from "./receipts.ts";
import { listSaidPaid } from "./said-paid.ts";
import { beginPurchase, openPaymentPage, setPaymentStatus } from "./service.ts";
import { countPaymentsByStatus } from "./status-counts.ts";
import { giveHeldBack, takeRefundBack } from "./unallocated.ts";

export const paymentsRouter = router({
  /** A mutation, because nobody may be shown bank details of an earlier visit. */
  open: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => openPaymentPage(ctx, input)),
  begin: backerProcedure.input(beginPurchaseInput).mutation(({ ctx, input }) => beginPurchase(ctx, input)),
  reduceToArrived: backerProcedure
    .input(reduceToArrivedInput)
    .mutation(({ ctx, input }) => reduceToArrived(ctx, input)),
  listMyPending: backerProcedure.query(({ ctx }) => listMyPending(ctx)),
  listMyPurchases: backerProcedure.input(projectIdInput).query(({ ctx, input }) => listMyPurchases(ctx, input)),
  list: adminProcedure("payments:view")
    .input(listPaymentsInput)
    .query(({ ctx, input }) => listPayments(ctx, input)),
  statusCounts: adminProcedure("payments:view")
    .input(countPaymentsInput)
    .query(({ ctx, input }) => countPaymentsByStatus(ctx, input)),
  /** Who sent a receipt for nothing that has arrived. */
  saidPaid: adminProcedure("payouts:process")
    .input(listSaidPaidInput)
    .query(({ ctx, input }) => listSaidPaid(ctx, input)),
  projects: adminProcedure("payments:view")
    .input(listPaymentProjectsInput)
    .query(({ ctx, input }) => listPaymentProjects(ctx, input)),
  setStatus: adminProcedure("payments:process")
    .input(setPaymentStatusInput)
    .mutation(({ ctx, input }) => setPaymentStatus(ctx, input)),
  giveHeldBack: adminProcedure("payments:process")
    .input(giveHeldBackInput)
    .mutation(({ ctx, input }) => giveHeldBack(ctx, input)),
  takeRefundBack: adminProcedure("payments:process")
    .input(takeRefundBackInput)
    .mutation(({ ctx, input }) => takeRefundBack(ctx, input)),
  roundToDecide: adminProcedure("payments:process")
    .input(projectIdInput)
    .query(({ ctx, input }) => findRoundToDecide(ctx, input)),
  decideRound: adminProcedure("payments:process")
    .input(decideRoundInput)
    .mutation(({ ctx, input }) => decideOnRound(ctx, input)),
});

export const receiptsRouter = router({
  /** For the payment's own backer, and for administrators who may view payments. */
  link: backerProcedure.input(paymentIdInput).query(({ ctx, input }) => findReceiptLink(ctx, input)),
});
