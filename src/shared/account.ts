import { z } from "zod";
import { accountTexts, closePhrase } from "#shared/account-texts.ts";
import { emailField, fullNameField, newPasswordField } from "#shared/auth.ts";
import { passwordLimits } from "#shared/password.ts";

/** The password that the account has now; not given for an account without one. */
export const currentPassword = z
  .string(accountTexts.passwordMissing)
  .max(passwordLimits.max, accountTexts.passwordWrong)
  .optional();

export const changeNameInput = z.object({ fullName: fullNameField });
export const requestEmailChangeInput = z.object({ email: emailField, currentPassword });
export const changePasswordInput = z.object({ currentPassword, password: newPasswordField });
/** The id is the one that the list of sessions gives. */
export const endSessionInput = z.object({ id: z.string().max(100) });
export const closeAccountInput = z.object({
  currentPassword,
  confirmation: z.literal(closePhrase, accountTexts.closeUnconfirmed),
});
