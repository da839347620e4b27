import { z } from "zod";
import { cleanLines } from "#shared/free-text.ts";
import { secondPersonLimits as limits, secondPersonTexts as texts } from "./texts.ts";

/** The reason for an act that takes two people or an only owner, or that other owners read of. */
export const reason = z
  .string(texts.reasonTooShort)
  .transform(cleanLines)
  .pipe(z.string().min(limits.reasonMin, texts.reasonTooShort).max(limits.reasonMax, texts.reasonTooLong));

/** The form that asks. Its file is small, because screens need no more of what takes two. */
export const reasonInput = z.object({ reason });
