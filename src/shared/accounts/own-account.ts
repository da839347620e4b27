import { z } from "zod";
import { shortText } from "#shared/short-text.ts";
import { emailField, fullNameField, newPasswordField } from "./inputs.ts";
import { passwordLimits } from "./password.ts";
import { accountTexts, closePhrase } from "./texts.ts";
import { twoFactorTexts } from "./two-factor-texts.ts";

/** The account's current password; absent for an account without one. */
const currentPassword = z
  .string(accountTexts.passwordMissing)
  .max(passwordLimits.max, accountTexts.passwordWrong)
  .optional();

/** An app code or a recovery code, required if the account has a second factor. */
const code = shortText(twoFactorTexts.codeInvalid).max(40, twoFactorTexts.codeWrong).optional();

/** The proof that the signed-in person owns the account. */
export const ownProof = { currentPassword, code };
export const ownProofInput = z.object(ownProof);

export const changeNameInput = z.object({ fullName: fullNameField });
export const requestEmailChangeInput = z.object({ email: emailField, ...ownProof });
export const changePasswordInput = z.object({ ...ownProof, password: newPasswordField });
/** The id is from the list of sessions. */
export const endSessionInput = z.object({ id: z.string().max(100), ...ownProof });
export const closeAccountInput = z.object({
  ...ownProof,
  confirmation: z.literal(closePhrase, accountTexts.closeUnconfirmed),
});
