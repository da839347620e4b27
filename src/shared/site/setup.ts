import { z } from "zod";
import { emailField, fullNameField, newPasswordField } from "#shared/accounts/inputs.ts";
import { shortText } from "#shared/short-text.ts";
import { setupTexts } from "./setup-texts.ts";

const codeField = (missing: string) => shortText(missing).min(1, missing).max(50, setupTexts.codeWrong);

export const setupCodeInput = z.object({ code: codeField(setupTexts.codeMissing) });

/** The first owner, as the form asks for them. */
export const firstOwnerForm = z.object({ fullName: fullNameField, email: emailField, password: newPasswordField });

export const beginSiteInput = firstOwnerForm.extend(setupCodeInput.shape);

/** The code of the mail that proves that mails leave. */
export const proveMailInput = z.object({ code: codeField(setupTexts.mailCodeMissing) });
