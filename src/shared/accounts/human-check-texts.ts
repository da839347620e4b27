export const humanCheckTexts = {
  expired: "This question has expired. Please answer the new one.",
  loading: "Loading the question",
  failed: "The question could not be loaded.",
} as const;
