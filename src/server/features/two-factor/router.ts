import { administratorProcedure, adminProcedure, router } from "#server/core/trpc.ts";
import { ownProofInput } from "#shared/account.ts";
import { confirmTwoFactorInput } from "#shared/two-factor.ts";
import { describeTwoFactor, listAdminsWithoutFactor } from "./queries.ts";
import { confirmTwoFactor, renewRecoveryCodes, startTwoFactor, switchOffTwoFactor } from "./service.ts";

export const twoFactorRouter = router({
  status: administratorProcedure.query(({ ctx }) => describeTwoFactor(ctx)),
  adminsWithout: adminProcedure("settings:manage").query(({ ctx }) => listAdminsWithoutFactor(ctx)),
  start: administratorProcedure.input(ownProofInput).mutation(({ ctx, input }) => startTwoFactor(ctx, input)),
  confirm: administratorProcedure
    .input(confirmTwoFactorInput)
    .mutation(({ ctx, input }) => confirmTwoFactor(ctx, input)),
  renewRecoveryCodes: administratorProcedure
    .input(ownProofInput)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx, input)),
  switchOff: administratorProcedure.input(ownProofInput).mutation(({ ctx, input }) => switchOffTwoFactor(ctx, input)),
});
