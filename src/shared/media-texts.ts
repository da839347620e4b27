/** What the screens say of media. No schema stands here: pages that only show media have no need of zod. */

export const mediaLimits = {
  /** Entries of a gallery at a time: fills whole rows of two, three or four. */
  galleryPage: 24,
  livestreams: 20,
  urlLength: 2000,
  embedLength: 5000,
} as const;

export const mediaTexts = {
  galleryEmpty: "Gallery coming soon",
  galleryMoreFailed: "More could not be loaded. Please try again.",
  youtubeRequired: "Please enter a YouTube URL",
  youtubeInvalid: "Invalid YouTube URL",
  livestreamRequired: "Please enter a livestream URL",
  embedInvalid: "Invalid embed code",
  livestreamUrlInvalid: "Invalid livestream URL",
  livestreamFormatInvalid: "Invalid livestream format",
} as const;
