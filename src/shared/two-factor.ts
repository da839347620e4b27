import { z } from "zod";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";

/** Six digits from the authenticator app, with any spaces. */
export const confirmTwoFactorInput = z.object({
  code: z
    .string(twoFactorTexts.codeInvalid)
    .trim()
    .min(1, twoFactorTexts.codeMissing)
    .max(20, twoFactorTexts.codeWrong),
});

/** An app code or a recovery code. */
export const verifySecondFactorInput = z.object({
  code: z
    .string(twoFactorTexts.codeInvalid)
    .trim()
    .min(1, twoFactorTexts.codeMissing)
    .max(40, twoFactorTexts.codeWrong),
});
