import { approveRun, voidRun } from "#server/features/payouts/runs/decide.ts";
import { addRunLayout, exportRun } from "#server/features/payouts/runs/export.ts";
import { giveRun } from "#server/features/payouts/runs/give.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { adminProcedure, router } from "#server/platform/procedures.ts";
import {
  approveRunInput,
  exportRunInput,
  listPayoutsInput,
  listRunsInput,
  makeRunInput,
  markPaidInput,
  runIdInput,
  voidRunInput,
  withholdPayoutInput,
} from "#shared/payouts/inputs.ts";
import { payByHand } from "./by-hand.ts";
import { readOverview } from "./overview.ts";
import { findRun, listDue, listPayouts, listRuns } from "./queries.ts";
import { withholdPayout } from "./withhold.ts";

export const payoutsRouter = router({
  overview: adminProcedure("payouts:view").query(({ ctx }) => readOverview(ctx)),
  due: adminProcedure("payouts:view").query(({ ctx }) => listDue(ctx)),
  list: adminProcedure("payouts:view")
    .input(listPayoutsInput)
    .query(({ ctx, input }) => listPayouts(ctx, input)),
  runs: adminProcedure("payouts:view")
    .input(listRunsInput)
    .query(({ ctx, input }) => listRuns(ctx, input)),
  run: adminProcedure("payouts:view")
    .input(runIdInput)
    .query(({ ctx, input }) => findRun(ctx, input)),
  makeRun: adminProcedure("payouts:process")
    .input(makeRunInput)
    .mutation(({ ctx, input }) => makeRun(ctx, input)),
  approveRun: adminProcedure("payouts:process")
    .input(approveRunInput)
    .mutation(({ ctx, input }) => approveRun(ctx, input)),
  voidRun: adminProcedure("payouts:process")
    .input(voidRunInput)
    .mutation(({ ctx, input }) => voidRun(ctx, input)),
  exportRun: adminProcedure("payouts:process", { needsProof: true })
    .input(exportRunInput)
    .mutation(({ ctx, input }) => exportRun(ctx, input)),
  giveRun: adminProcedure("payouts:process")
    .input(runIdInput)
    .mutation(({ ctx, input }) => giveRun(ctx, input)),
  addRunLayout: adminProcedure("payouts:process", { needsProof: true })
    .input(exportRunInput)
    .mutation(({ ctx, input }) => addRunLayout(ctx, input)),
  withhold: adminProcedure("payouts:process")
    .input(withholdPayoutInput)
    .mutation(({ ctx, input }) => withholdPayout(ctx, input)),
  markPaid: adminProcedure("payouts:process", { needsProof: true })
    .input(markPaidInput)
    .mutation(({ ctx, input }) => payByHand(ctx, input)),
});
