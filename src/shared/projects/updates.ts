import { z } from "zod";
import { cleanLines } from "#shared/free-text.ts";
import { projectId } from "./inputs.ts";
import { altText } from "./media.ts";
import { countCharacters, isBlank } from "./messages-texts.ts";
import { updateLimits as limits, updateTexts as texts } from "./updates-texts.ts";

const textOf = (longest: number, tooLong: string) =>
  z
    .string(texts.required)
    .transform(cleanLines)
    .refine((text) => !isBlank(text), texts.required)
    .refine((text) => countCharacters(text) <= longest, tooLong);

/** The fields beside an uploaded photo. The key is generated once per photo, and kept for a retry after a lost response. */
export const updatePhotoFields = z.object({ photoKey: z.uuid() });

/** The key is generated once per content, and kept for a retry after a lost response. `photos` were uploaded before. */
export const publishUpdateInput = z.object({
  projectId,
  title: textOf(limits.title, texts.titleLong).transform((title) => title.replace(/\s+/g, " ")),
  content: textOf(limits.content, texts.contentLong),
  photos: z
    .array(z.object({ photoKey: z.uuid(), altText }))
    .max(limits.photos, texts.photosMany)
    .default([]),
  idempotencyKey: z.uuid(),
});
