import { adminProcedure, router } from "#server/platform/procedures.ts";
import {
  countPaymentsInput,
  decideRoundInput,
  listPaymentProjectsInput,
  listPaymentsInput,
  paymentIdInput,
  setPaymentStatusInput,
} from "#shared/payments/inputs.ts";
import { projectIdInput } from "#shared/projects/inputs.ts";
import { readDetails } from "./details.ts";
import { countPaymentsByStatus, listPaymentProjects, listPayments } from "./queries.ts";
import { decideOnRound, findRoundToDecide } from "./round-decision.ts";
import { setPaymentStatus } from "./service.ts";

export const reviewRouter = router({
  list: adminProcedure("payments:view")
    .input(listPaymentsInput)
    .query(({ ctx, input }) => listPayments(ctx, input)),
  statusCounts: adminProcedure("payments:view")
    .input(countPaymentsInput)
    .query(({ ctx, input }) => countPaymentsByStatus(ctx, input)),
  projects: adminProcedure("payments:view")
    .input(listPaymentProjectsInput)
    .query(({ ctx, input }) => listPaymentProjects(ctx, input)),
  details: adminProcedure("payments:view")
    .input(paymentIdInput)
    .query(({ ctx, input }) => readDetails(ctx, input)),
  setStatus: adminProcedure("payments:process")
    .input(setPaymentStatusInput)
    .mutation(({ ctx, input }) => setPaymentStatus(ctx, input)),
  roundToDecide: adminProcedure("payments:process")
    .input(projectIdInput)
    .query(({ ctx, input }) => findRoundToDecide(ctx, input)),
  decideRound: adminProcedure("payments:process")
    .input(decideRoundInput)
    .mutation(({ ctx, input }) => decideOnRound(ctx, input)),
});
