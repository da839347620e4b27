import { beginGoogleLink } from "#server/accounts/google/google.ts";
import {
  finishGoogle,
  linkGoogleByPassword,
  linkGoogleWithoutPassword,
  unlinkGoogle,
} from "#server/accounts/google/sign-in.ts";
import {
  administratorProcedure,
  adminProcedure,
  backerProcedure,
  publicProcedure,
  router,
} from "#server/platform/procedures.ts";
import { finishGoogleInput, linkGoogleByPasswordInput } from "#shared/accounts/google.ts";
import {
  confirmLinkInput,
  correctSignUpInput,
  mailedLinkInput,
  requestPasswordResetInput,
  resendConfirmationInput,
  resetPasswordInput,
  signInInput,
  signOutInput,
  signUpInput,
} from "#shared/accounts/inputs.ts";
import { ownProofInput } from "#shared/accounts/own-account.ts";
import { confirmTwoFactorInput, verifySecondFactorInput } from "#shared/accounts/two-factor.ts";
import { userIdInput } from "#shared/people/inputs.ts";
import { describeMailedLink } from "./confirm-link.ts";
import { proveSession } from "./own-proof.ts";
import {
  describeIdentities,
  describeViewer,
  findEndReason,
  findSignInState,
  giveFormToken,
  giveHumanCheck,
} from "./queries.ts";
import { requestPasswordReset, resetPassword } from "./reset-password.ts";
import { adminSignIn, signIn, signOut, touch, verifySecondFactor } from "./sign-in.ts";
import { confirmEmail, correctSignUp, resendConfirmation, signUp } from "./sign-up.ts";
import {
  confirmTwoFactor,
  describeTwoFactor,
  listAdminsWithoutFactor,
  renewRecoveryCodes,
  startTwoFactor,
  switchOffTwoFactor,
} from "./two-factor-setup.ts";

export const authRouter = router({
  viewer: publicProcedure.query(({ ctx }) => describeViewer(ctx)),
  endReason: publicProcedure.input(userIdInput).query(({ ctx, input }) => findEndReason(ctx, input)),
  signInState: publicProcedure.query(({ ctx }) => findSignInState(ctx)),
  formToken: publicProcedure.query(({ ctx }) => giveFormToken(ctx)),
  humanCheck: publicProcedure.query(({ ctx }) => giveHumanCheck(ctx)),
  signUp: publicProcedure.input(signUpInput).mutation(({ ctx, input }) => signUp(ctx, input)),
  // It changes nothing, but a query's input is in the URL, and URLs appear in logs.
  mailedLink: publicProcedure.input(mailedLinkInput).mutation(({ ctx, input }) => describeMailedLink(ctx, input)),
  confirmEmail: publicProcedure.input(confirmLinkInput).mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  correctSignUp: publicProcedure.input(correctSignUpInput).mutation(({ ctx, input }) => correctSignUp(ctx, input)),
  resendConfirmation: publicProcedure
    .input(resendConfirmationInput)
    .mutation(({ ctx, input }) => resendConfirmation(ctx, input)),
  requestPasswordReset: publicProcedure
    .input(requestPasswordResetInput)
    .mutation(({ ctx, input }) => requestPasswordReset(ctx, input)),
  resetPassword: publicProcedure.input(resetPasswordInput).mutation(({ ctx, input }) => resetPassword(ctx, input)),
  signIn: publicProcedure.input(signInInput).mutation(({ ctx, input }) => signIn(ctx, input)),
  adminSignIn: publicProcedure.input(signInInput).mutation(({ ctx, input }) => adminSignIn(ctx, input)),
  verifySecondFactor: publicProcedure
    .input(verifySecondFactorInput)
    .mutation(({ ctx, input }) => verifySecondFactor(ctx, input)),
  finishGoogle: publicProcedure.input(finishGoogleInput).mutation(({ ctx, input }) => finishGoogle(ctx, input)),
  linkGoogleByPassword: publicProcedure
    .input(linkGoogleByPasswordInput)
    .mutation(({ ctx, input }) => linkGoogleByPassword(ctx, input)),
  linkGoogleWithoutPassword: publicProcedure.mutation(({ ctx }) => linkGoogleWithoutPassword(ctx)),
  identities: backerProcedure.query(({ ctx }) => describeIdentities(ctx)),
  linkGoogle: backerProcedure.mutation(({ ctx }) => beginGoogleLink(ctx)),
  unlinkGoogle: backerProcedure.mutation(({ ctx }) => unlinkGoogle(ctx)),
  prove: backerProcedure.input(ownProofInput).mutation(({ ctx, input }) => proveSession(ctx, input)),
  signOut: publicProcedure.input(signOutInput).mutation(({ ctx, input }) => signOut(ctx, input)),
  touch: backerProcedure.mutation(({ ctx }) => touch(ctx)),
});

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
