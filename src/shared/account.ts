import { z } from "zod";
import { accountTexts, closePhrase } from "#shared/account-texts.ts";
import { emailField, fullNameField, newPasswordField } from "#shared/auth.ts";
import { passwordLimits } from "#shared/password.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";

/** The password that the account has now; not given for an account without one. */
const currentPassword = z
  .string(accountTexts.passwordMissing)
  .max(passwordLimits.max, accountTexts.passwordWrong)
  .optional();

/** From the app or a recovery code; asked for where the account has a second factor. */
const code = z.string(twoFactorTexts.codeInvalid).trim().max(40, twoFactorTexts.codeWrong).optional();

/** What shows that who is signed in is still the account's person. */
export const ownProof = { currentPassword, code };
export const ownProofInput = z.object(ownProof);

export const changeNameInput = z.object({ fullName: fullNameField });
export const requestEmailChangeInput = z.object({ email: emailField, ...ownProof });
export const changePasswordInput = z.object({ ...ownProof, password: newPasswordField });
/** The id is the one that the list of sessions gives. */
export const endSessionInput = z.object({ id: z.string().max(100), ...ownProof });
export const closeAccountInput = z.object({
  ...ownProof,
  confirmation: z.literal(closePhrase, accountTexts.closeUnconfirmed),
});
