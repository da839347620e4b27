import { administratorProcedure, adminProcedure, router } from "#server/core/trpc.ts";
import { confirmTwoFactorInput, twoFactorProofInput } from "#shared/two-factor.ts";
import { describeTwoFactor, listAdminsWithoutFactor } from "./queries.ts";
import { confirmTwoFactor, renewRecoveryCodes, startTwoFactor, switchOffTwoFactor } from "./service.ts";

export const twoFactorRouter = router({
  status: administratorProcedure.query(({ ctx }) => describeTwoFactor(ctx)),
  adminsWithout: adminProcedure("settings:manage").query(({ ctx }) => listAdminsWithoutFactor(ctx)),
  start: administratorProcedure.mutation(({ ctx }) => startTwoFactor(ctx)),
  confirm: administratorProcedure
    .input(confirmTwoFactorInput)
    .mutation(({ ctx, input }) => confirmTwoFactor(ctx, input)),
  renewRecoveryCodes: administratorProcedure
    .input(twoFactorProofInput)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx, input)),
  switchOff: administratorProcedure
    .input(twoFactorProofInput)
    .mutation(({ ctx, input }) => switchOffTwoFactor(ctx, input)),
});
