export const holidayTexts = {
  dayMissing: "Choose a day",
  nameInvalid: "Enter a name of 2 to 100 characters",
  over: "This day is over. Add a day from today on.",
  tooFar: "Add a day of this year or the next two.",
  taken: "This day is a holiday already.",
  gone: "This holiday is not in the list any more. Please refresh it.",
  loadFailed: "The holidays could not be loaded",
  added: "Holiday added",
  removed: "Holiday removed",
  addFailed: "The holiday was not added",
  removeFailed: "The holiday was not removed",
  kept: "What was promised before stays as it was.",
} as const;
