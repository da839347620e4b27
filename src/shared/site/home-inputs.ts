import { z } from "zod";
import { cleanText } from "#shared/free-text.ts";
import { rowId } from "#shared/ids.ts";
import { isPhotoPath } from "#shared/photos.ts";
import { shortText } from "#shared/short-text.ts";
import { testimonialLimits as limits, homeTexts as texts } from "./home-texts.ts";

/** Backers' quotes on the home page. */

const line = (missing: string, tooLong: string, max: number) => shortText(missing).min(1, missing).max(max, tooLong);

export const testimonialForm = z.object({
  name: line(texts.nameMissing, texts.nameTooLong, limits.name),
  backed: line(texts.backedMissing, texts.backedTooLong, limits.backed),
  words: z
    .string(texts.wordsMissing)
    .max(4 * limits.words, texts.wordsTooLong)
    .overwrite(cleanText)
    .min(1, texts.wordsMissing)
    .max(limits.words, texts.wordsTooLong),
  /** How the person agreed to stand here. */
  agreement: line(texts.agreementMissing, texts.agreementTooLong, limits.agreement),
  /** The address of an uploaded photo; null for none. */
  photo: z.string().max(100, texts.photoNotOurs).refine(isPhotoPath, texts.photoNotOurs).nullable(),
});

export const hideTestimonialInput = z.object({
  testimonialId: rowId,
  isHidden: z.boolean(),
});
