import { cleanLines } from "#shared/free-text.ts";
import { countCharacters } from "./messages-texts.ts";

/** Texts of media. No schema is here, because pages that only show media don't need zod. */

export const mediaTypes = ["photo", "video", "youtube", "livestream"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** The tabs of the administrators' gallery. */
export const mediaTypeLabels: Record<MediaType, string> = {
  photo: "Photos",
  video: "Videos",
  youtube: "YouTube",
  livestream: "Livestreams",
};

export const mediaLimits = {
  /** The maximum of a project's livestreams that are read. */
  livestreams: 200,
  urlLength: 2000,
  embedLength: 5000,
  altText: 200,
  /** The maximum of photos chosen at once. */
  photosAtOnce: 50,
} as const;

export const mediaTexts = {
  galleryEmpty: "Gallery coming soon",
  youtubeRequired: "Please enter a YouTube URL",
  youtubeInvalid: "Invalid YouTube URL",
  livestreamRequired: "Please enter a livestream URL",
  embedInvalid: "Invalid embed code",
  livestreamUrlInvalid: "Invalid livestream URL",
  livestreamFormatInvalid: "Invalid livestream format",
  photosAdded: "Photos uploaded successfully",
  photosFailed: "Failed to upload photos",
  videoAdded: "Video uploaded successfully",
  videoFailed: "Failed to upload video",
  youtubeAdded: "YouTube URL added successfully",
  youtubeFailed: "Failed to add YouTube URL",
  livestreamAdded: "Livestream added successfully",
  livestreamFailed: "Failed to add livestream URL",
  alreadyThere: "This is already in the gallery.",
  altTextLong: "The description must be at most 200 characters",
  removed: "Removed from the gallery",
  removeFailed: "Failed to remove it from the gallery",
  alreadyGone: "This was already removed from the gallery.",
} as const;

/** A media entry's alternative text, as one line. */
export const cleanAltText = (text: string) => cleanLines(text).replace(/\s+/g, " ");
export const isAltTextLong = (text: string) => countCharacters(cleanAltText(text)) > mediaLimits.altText;
