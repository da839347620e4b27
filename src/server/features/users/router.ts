import { backerProcedure, publicProcedure, router } from "#server/core/trpc.ts";
import {
  changeNameInput,
  changePasswordInput,
  closeAccountInput,
  endSessionInput,
  requestEmailChangeInput,
} from "#shared/account.ts";
import { linkTokenInput } from "#shared/auth.ts";
import { describeAccount, describeClosing, describeSessions } from "./queries.ts";
import {
  changeName,
  changePassword,
  closeAccount,
  confirmEmailChange,
  endOneSession,
  requestEmailChange,
  signOutEverywhere,
} from "./service.ts";

export const usersRouter = router({
  account: backerProcedure.query(({ ctx }) => describeAccount(ctx)),
  changeName: backerProcedure.input(changeNameInput).mutation(({ ctx, input }) => changeName(ctx, input)),
  requestEmailChange: backerProcedure
    .input(requestEmailChangeInput)
    .mutation(({ ctx, input }) => requestEmailChange(ctx, input)),
  confirmEmailChange: publicProcedure
    .input(linkTokenInput)
    .mutation(({ ctx, input }) => confirmEmailChange(ctx, input)),
  changePassword: backerProcedure.input(changePasswordInput).mutation(({ ctx, input }) => changePassword(ctx, input)),
  sessions: backerProcedure.query(({ ctx }) => describeSessions(ctx)),
  endSession: backerProcedure.input(endSessionInput).mutation(({ ctx, input }) => endOneSession(ctx, input)),
  signOutEverywhere: backerProcedure.mutation(({ ctx }) => signOutEverywhere(ctx)),
  closing: backerProcedure.query(({ ctx }) => describeClosing(ctx)),
  close: backerProcedure.input(closeAccountInput).mutation(({ ctx, input }) => closeAccount(ctx, input)),
});
