/** Texts of the page on which a farm reports. No schema is here: the phone reads it too. */

export const reportPhotos = { max: 6, maxEdge: 2048 } as const;

/** The page's data, as the server writes it into the page for its script. */
export type ReportPageFacts = {
  by: { token: string } | { projectId: number };
  projectId: number;
  number: number;
  /** Tells this report's draft from that of an earlier round's report of the same number. Null: it has been sent. */
  code: string | null;
  figures: { key: string; label: string; isWhole: boolean; isRequired: boolean }[];
};

export const reportPageTexts = {
  needsScript: "This page needs JavaScript. Please turn it on in your browser and load the page again.",
  nothingAwaited: "Reports begin once this project's round is funded, and end with its harvest.",
  saved: "Saved on this phone.",
  waiting: "Saved on this phone. It is sent when there is a network.",
  notKept: "This browser keeps nothing. Stay on this page until the report is sent.",
  busy: "Saved on this phone. We couldn't take it just now. We try again by ourselves.",
  sendingReport: "Sending the report…",
  sendingPhoto: (position: number, all: number, percent: number) =>
    `Sending photo ${position} of ${all}, ${percent} %…`,
  signInAgain: "You are signed out. What you wrote is kept on this phone.",
  keptHere: "What you wrote is kept on this phone.",
  contentRequired: "Please write what happened.",
  figureRequired: (label: string) => `Please enter a figure: ${label}.`,
  figureWrong: "Please enter a number, for example 480.",
  wholeNumber: "Please enter a whole number, for example 480.",
  photosFull: "A report has up to 6 photos.",
  photoUnreadable: "This file can't be read as a photo. Please choose another one.",
  isRight: "It is right, send it",
  change: "Change it",
  discard: "Delete what I wrote",
} as const;
