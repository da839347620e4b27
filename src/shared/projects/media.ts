import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { isPhotoPath } from "#shared/photos.ts";
import { shortText } from "#shared/short-text.ts";
import { listPageInput, projectId, projectIdField } from "./inputs.ts";
import { cleanAltText, isAltTextLong, mediaLimits, mediaTexts, mediaTypes } from "./media-texts.ts";

export const listMediaInput = listPageInput.extend({ type: z.enum(mediaTypes) });

/** A picture's description for people who can't see it. */
export const altText = z
  .string()
  .transform(cleanAltText)
  .refine((text) => !isAltTextLong(text), mediaTexts.altTextLong)
  .default("");

export const addYoutubeInput = z.object({
  projectId,
  url: shortText().max(mediaLimits.urlLength, mediaTexts.youtubeInvalid),
  altText,
});

/** The url has a prefix: "[url]https://…" or "[embed]<iframe …>". */
export const addLivestreamInput = z.object({
  projectId,
  url: shortText().max(mediaLimits.embedLength + "[embed]".length, mediaTexts.embedInvalid),
  altText,
});

export const removeMediaInput = z.object({
  projectId,
  mediaId: rowId,
});

/** The fields beside an uploaded file. A form's fields are texts. */
export const uploadPhotoFields = z.object({ projectId: projectIdField, altText });
/** `posterUrl` is a photo uploaded just before, as the video's poster. */
export const uploadVideoFields = z.object({
  projectId: projectIdField,
  altText,
  posterUrl: z.string().refine(isPhotoPath).optional(),
});
