import { backerProcedure, publicProcedure, router } from "#server/core/trpc.ts";
import { linkTokenInput, resendConfirmationInput, signInInput, signUpInput } from "#shared/auth.ts";
import { describeViewer, findSignInState, giveFormToken } from "./queries.ts";
import { adminSignIn, confirmEmail, resendConfirmation, signIn, signOut, signUp, touch } from "./service.ts";

export const authRouter = router({
  viewer: publicProcedure.query(({ ctx }) => describeViewer(ctx)),
  signInState: publicProcedure.query(({ ctx }) => findSignInState(ctx)),
  formToken: publicProcedure.query(({ ctx }) => giveFormToken(ctx)),
  signUp: publicProcedure.input(signUpInput).mutation(({ ctx, input }) => signUp(ctx, input)),
  confirmEmail: publicProcedure.input(linkTokenInput).mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  resendConfirmation: publicProcedure
    .input(resendConfirmationInput)
    .mutation(({ ctx, input }) => resendConfirmation(ctx, input)),
  signIn: publicProcedure.input(signInInput).mutation(({ ctx, input }) => signIn(ctx, input)),
  adminSignIn: publicProcedure.input(signInInput).mutation(({ ctx, input }) => adminSignIn(ctx, input)),
  signOut: publicProcedure.mutation(({ ctx }) => signOut(ctx)),
  touch: backerProcedure.mutation(({ ctx }) => touch(ctx)),
});
