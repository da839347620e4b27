import { adminProcedure, router } from "#server/platform/procedures.ts";
import { accountEntriesInput, closeMonthInput, trialBalanceInput } from "#shared/books/inputs.ts";
import { findTrialBalance, listAccountEntries, listClosings } from "./queries.ts";
import { closeMonth } from "./service.ts";

const closing = adminProcedure("books:close");

export const booksRouter = router({
  trialBalance: closing.input(trialBalanceInput).query(({ ctx, input }) => findTrialBalance(ctx, input)),
  entries: closing.input(accountEntriesInput).query(({ ctx, input }) => listAccountEntries(ctx, input)),
  closings: closing.query(({ ctx }) => listClosings(ctx)),
  close: closing.input(closeMonthInput).mutation(({ ctx, input }) => closeMonth(ctx, input)),
});
