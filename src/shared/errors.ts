/** The reason why a call was refused: a stable word for code. The message beside it is for the person. */
export const errorReasons = [
  "invalid",
  "unauthenticated",
  "forbidden",
  "proof_required",
  "not_found",
  "conflict",
  "rate_limited",
  "unavailable",
  "internal",
] as const;
export type ErrorReason = (typeof errorReasons)[number];

export const errorTexts = {
  internal: "Something went wrong. Please try again later.",
  unknown: "An unknown error occurred.",
  network: "Network error. Please check your internet connection.",
  rateLimited: "Too many attempts. Please try again later.",
  overloaded: "Too many people are here right now. Please try again in a few seconds.",
  signInRequired: "Authentication required",
  adminRequired: "Admin privileges required",
  adminUnverified: "Failed to verify admin status",
  invalidInput: "Please check the highlighted fields.",
  unreadable: "The request could not be read.",
  tooLarge: "The request is too large.",
  notFound: "Not found",
  unstorableText: "This text contains characters that can't be used.",
} as const;
