/** Farm reports: limits and texts. No schema is here. */

export const updateLimits = { title: 200, content: 20_000 } as const;

export const updateTexts = {
  added: "Update added successfully",
  failed: "Failed to add update",
  required: "Title and content are required",
  titleLong: "Title must be at most 200 characters",
  contentLong: "Content must be at most 20,000 characters",
  keyUsedElsewhere: "Another update was already published from this form. Please publish this one again.",
} as const;
