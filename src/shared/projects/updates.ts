import { z } from "zod";
import { cleanLines } from "#shared/free-text.ts";
import { projectId } from "./inputs.ts";
import { countCharacters, isBlank } from "./messages-texts.ts";
import { updateLimits as limits, updateTexts as texts } from "./updates-texts.ts";

const textOf = (longest: number, tooLong: string) =>
  z
    .string(texts.required)
    .transform(cleanLines)
    .refine((text) => !isBlank(text), texts.required)
    .refine((text) => countCharacters(text) <= longest, tooLong);

/** The key is generated once per text, and kept for a retry after a lost response. */
export const publishUpdateInput = z.object({
  projectId,
  title: textOf(limits.title, texts.titleLong).transform((title) => title.replace(/\s+/g, " ")),
  content: textOf(limits.content, texts.contentLong),
  idempotencyKey: z.uuid(),
});
