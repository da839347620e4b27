import { backerProcedure, router } from "#server/platform/procedures.ts";
import { checkPayeeAccountInput, setPayeeAccountInput } from "#shared/payouts/payee-accounts.ts";
import { checkAccount, findMyMoney } from "./queries.ts";
import { setMyAccount } from "./service.ts";

export const payeeAccountsRouter = router({
  mine: backerProcedure.query(({ ctx }) => findMyMoney(ctx)),
  check: backerProcedure.input(checkPayeeAccountInput).query(({ ctx, input }) => checkAccount(ctx, input)),
  set: backerProcedure.input(setPayeeAccountInput).mutation(({ ctx, input }) => setMyAccount(ctx, input)),
});
