/** Texts of the screens about the operator's texts. */
export const pageTextTexts = {
  draft: "This is a draft by the software's makers. Have your lawyer read it, then adopt it or write your own.",
  noLongerInForce: "No longer in force",
  notYetInForce: "Not in force yet",
  missing: "Please enter the text",
  tooLong: "A text has at most 200,000 characters with its formatting",
  drafts:
    "The texts marked “Draft” are by the software's makers. Have your lawyer read them, then adopt them or write your own.",
  asksForTermsOnly: "Only a change of the terms can be material: nobody agrees to the other texts.",
  tellsNobody:
    "Nobody is mailed about a change of this text or asked to agree to it. Only the terms are agreed to: visitors read here which version is in force, and the earlier ones.",
  noteMissing: "Say what changes, in a sentence or two",
  noteTooLong: "This note has at most 1,000 characters",
  dayMissing: "Please enter a day",
  dayPassed: "Choose a day that is still to come, or have it in force from now on",
  dayFar: "Choose a day of the next two years",
  unchanged: "This is the newest version already. Nothing was changed.",
  changedMeanwhile:
    "Another version was saved in the meantime. Look at it, then save yours again: your text is kept here.",
  noVersion: "There is no such version of this text.",
  saved: "The text is saved",
  adopted: "The text is adopted",
  saveFailed: "The text could not be saved",
} as const;

export const pageTextLimits = { html: 200_000, changeNote: 1000, daysAhead: 730 } as const;
