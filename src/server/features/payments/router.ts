import { adminProcedure, backerProcedure, router } from "#server/core/trpc.ts";
import { listPaymentProjectsInput, listPaymentsInput, setPaymentStatusInput } from "#shared/payments.ts";
import { projectIdInput } from "#shared/projects.ts";
import { listMyPending, listPaymentProjects, listPayments } from "./queries.ts";
import { openPaymentPage, setPaymentStatus } from "./service.ts";

export const paymentsRouter = router({
  /** A mutation: the first visit reserves the reference. */
  open: backerProcedure.input(projectIdInput).mutation(({ ctx, input }) => openPaymentPage(ctx, input)),
  listMyPending: backerProcedure.query(({ ctx }) => listMyPending(ctx)),
  list: adminProcedure("payments:view")
    .input(listPaymentsInput)
    .query(({ ctx, input }) => listPayments(ctx, input)),
  projects: adminProcedure("payments:view")
    .input(listPaymentProjectsInput)
    .query(({ ctx, input }) => listPaymentProjects(ctx, input)),
  setStatus: adminProcedure("payments:process")
    .input(setPaymentStatusInput)
    .mutation(({ ctx, input }) => setPaymentStatus(ctx, input)),
});
