import { z } from "zod";
import { shortText } from "#shared/short-text.ts";
import { twoFactorTexts } from "./two-factor-texts.ts";

/** Six digits from the authenticator app, with any spaces. */
export const confirmTwoFactorInput = z.object({
  code: shortText(twoFactorTexts.codeInvalid).min(1, twoFactorTexts.codeMissing).max(20, twoFactorTexts.codeWrong),
});

/** An app code or a recovery code. */
export const verifySecondFactorInput = z.object({
  code: shortText(twoFactorTexts.codeInvalid).min(1, twoFactorTexts.codeMissing).max(40, twoFactorTexts.codeWrong),
});
