import { findImportProgress, listImports } from "#server/features/bank/importing/imports.ts";
import { listVoids } from "#server/features/bank/importing/list-voids.ts";
import { changeChargeTexts, listCharges, matchCharges } from "#server/features/bank/matching/charges.ts";
import {
  listCounterLines,
  listCreditsForLine,
  listHarvestsForLine,
  listPayoutsForLine,
  listPurchasesForLine,
  listReleasesForLine,
  listSaleCreditsForLine,
  listSalesForLine,
} from "#server/features/bank/matching/choices.ts";
import { confirmSurePayments, listSurePayments } from "#server/features/bank/matching/confirm-sure-payments.ts";
import { matchLine } from "#server/features/bank/matching/match-line.ts";
import { undoMatch } from "#server/features/bank/matching/undo-match.ts";
import { useSurplus } from "#server/features/bank/matching/use-surplus.ts";
import { readOverview } from "#server/features/bank/own-accounts/overview.ts";
import {
  addOwnAccount,
  changeOwnAccount,
  closeOwnAccount,
  listOwnAccounts,
  reopenOwnAccount,
} from "#server/features/bank/own-accounts/own-accounts.ts";
import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import {
  accountIdInput,
  changeChargeTextsInput,
  confirmSurePaymentsInput,
  lineCreditsInput,
  lineHarvestsInput,
  lineIdInput,
  linePayoutsInput,
  linePurchasesInput,
  lineReleasesInput,
  listImportsInput,
  listLinesInput,
  matchChargesInput,
  matchLineInput,
  statementIdInput,
  undoMatchInput,
} from "#shared/bank/inputs.ts";
import { addOwnAccountInput, changeOwnAccountInput, closeOwnAccountInput } from "#shared/bank/own-accounts.ts";
import { listVoidsInput } from "#shared/bank/voids.ts";
import { useSurplusInput } from "#shared/payments/inputs.ts";
import { findLine, listLines } from "./queries.ts";

export const bankRouter = router({
  /** For the backer of the payment: what came beyond its amount pays for another lot. */
  useSurplus: backerProcedure.input(useSurplusInput).mutation(({ ctx, input }) => useSurplus(ctx, input)),
  overview: adminProcedure("bank:view").query(({ ctx }) => readOverview(ctx)),
  lines: adminProcedure("bank:view")
    .input(listLinesInput)
    .query(({ ctx, input }) => listLines(ctx, input)),
  imports: adminProcedure("bank:view")
    .input(listImportsInput)
    .query(({ ctx, input }) => listImports(ctx, input)),
  importProgress: adminProcedure("bank:view")
    .input(statementIdInput)
    .query(({ ctx, input }) => findImportProgress(ctx, input)),
  line: adminProcedure("bank:view")
    .input(lineIdInput)
    .query(({ ctx, input }) => findLine(ctx, input)),
  counterLines: adminProcedure("bank:import")
    .input(lineIdInput)
    .query(({ ctx, input }) => listCounterLines(ctx, input)),
  payouts: adminProcedure("bank:import")
    .input(linePayoutsInput)
    .query(({ ctx, input }) => listPayoutsForLine(ctx, input)),
  purchases: adminProcedure("bank:import")
    .input(linePurchasesInput)
    .query(({ ctx, input }) => listPurchasesForLine(ctx, input)),
  credits: adminProcedure("bank:import")
    .input(lineCreditsInput)
    .query(({ ctx, input }) => listCreditsForLine(ctx, input)),
  sales: adminProcedure("bank:import")
    .input(lineHarvestsInput)
    .query(({ ctx, input }) => listSalesForLine(ctx, input)),
  harvests: adminProcedure("bank:import")
    .input(lineHarvestsInput)
    .query(({ ctx, input }) => listHarvestsForLine(ctx, input)),
  voids: adminProcedure("bank:view")
    .input(listVoidsInput)
    .query(({ ctx, input }) => listVoids(ctx, input)),
  saleCredits: adminProcedure("bank:import")
    .input(lineHarvestsInput)
    .query(({ ctx, input }) => listSaleCreditsForLine(ctx, input)),
  releases: adminProcedure("bank:import")
    .input(lineReleasesInput)
    .query(({ ctx, input }) => listReleasesForLine(ctx, input)),
  accounts: adminProcedure("bank:view").query(({ ctx }) => listOwnAccounts(ctx)),
  addAccount: adminProcedure("settings:manage", { needsProof: true })
    .input(addOwnAccountInput)
    .mutation(({ ctx, input }) => addOwnAccount(ctx, input)),
  changeAccount: adminProcedure("settings:manage", { needsProof: true })
    .input(changeOwnAccountInput)
    .mutation(({ ctx, input }) => changeOwnAccount(ctx, input)),
  closeAccount: adminProcedure("settings:manage", { needsProof: true })
    .input(closeOwnAccountInput)
    .mutation(({ ctx, input }) => closeOwnAccount(ctx, input)),
  reopenAccount: adminProcedure("settings:manage", { needsProof: true })
    .input(closeOwnAccountInput)
    .mutation(({ ctx, input }) => reopenOwnAccount(ctx, input)),
  match: adminProcedure("bank:import")
    .input(matchLineInput)
    .mutation(({ ctx, input }) => matchLine(ctx, input)),
  charges: adminProcedure("bank:view")
    .input(accountIdInput)
    .query(({ ctx, input }) => listCharges(ctx, input)),
  matchCharges: adminProcedure("bank:import")
    .input(matchChargesInput)
    .mutation(({ ctx, input }) => matchCharges(ctx, input)),
  changeChargeTexts: adminProcedure("bank:import")
    .input(changeChargeTextsInput)
    .mutation(({ ctx, input }) => changeChargeTexts(ctx, input)),
  listSurePayments: adminProcedure("bank:view").query(({ ctx }) => listSurePayments(ctx)),
  confirmSurePayments: adminProcedure("payments:process")
    .input(confirmSurePaymentsInput)
    .mutation(({ ctx, input }) => confirmSurePayments(ctx, input)),
  undo: adminProcedure("bank:import")
    .input(undoMatchInput)
    .mutation(({ ctx, input }) => undoMatch(ctx, input)),
});
