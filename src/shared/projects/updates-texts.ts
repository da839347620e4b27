/** Updates: limits and texts. No schema is here. */

export const updateLimits = { title: 200, content: 20_000, photos: 6 } as const;

export const updateTexts = {
  added: "Update added successfully",
  failed: "Failed to add update",
  required: "Title and content are required",
  titleLong: "Title must be at most 200 characters",
  contentLong: "Content must be at most 20,000 characters",
  photoFailed: "A photo isn't uploaded. Please try it again or remove it.",
  photoForgotten: "This photo waited too long here. Please choose it again.",
  photosMany: "An update has at most 6 photos",
  photoGone: "A photo hasn't arrived, or waited too long here. Please send it again.",
  photoUsed: "A photo is already in another update. If that isn't this one, remove the photo and choose it again.",
  photoKeyUsed: "This photo couldn't be kept. Please choose it again.",
  keyUsedElsewhere: "Another update was already published from this form. Please publish this one again.",
} as const;
