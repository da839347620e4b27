import { formatDate } from "#shared/dates.ts";

/** Texts about agreeing to the operator's texts. */
export const consentTexts = {
  /** Refuses a purchase while a material change waits for an answer. */
  agreeFirst:
    "Our terms have changed. Read what changes and agree to them first: until then you can't buy lots or wait for some. Nothing else stops.",
  agreeFirstTitle: "Our terms have changed",
  agreeFirstHint:
    "Read what changes and agree to it before you buy lots or wait for some. What you have bought stays under what you agreed to then.",
  lookFirst: "Read what changes",
  /** Refuses a tick for words that another version has replaced. */
  changedMeanwhile:
    "The site's terms changed while you were reading. Nothing was kept or lost. Please read them again, and press once more.",
  changed: (at: Date, isInForce: boolean): string =>
    `Our terms ${isInForce ? "changed" : "change"} on ${formatDate(at)}`,
  whatChanges: "What changes",
  read: "Read",
  agree: "I agree",
  later: "Later",
  laterInForce: "Later: you can still read, choose, send receipts and be paid. You can't buy until you agree.",
  laterAnnounced: (at: Date): string =>
    `Until ${formatDate(at)} nothing changes for you. From then on you can't buy until you agree.`,
  running: "Lots that you have bought stay under what you agreed to when you bought them.",
  thanks: "You agreed to our terms",
  agreements: "What you agreed to",
  agreementsHint: "The words as they stood then, whatever has changed since.",
  noneOfYours: "Nothing is kept yet. The words are kept when you next buy lots.",
  noneOfTheirs: "Nothing is kept of this person: the words are kept when they next buy lots.",
  nothingAsked: "There is nothing left to agree to.",
  changeFailed: "What changes could not be loaded",
  hide: "Hide the words",
  wordsOf: (version: number): string => `The terms, version ${version}`,
  fetchFailed: "Failed to fetch what was agreed to",
  notFound: "This text isn't there, or isn't yours to read.",
  kinds: { sign_up: "when signing up", purchase: "when buying", change: "when it changed" },
} as const;

/** "Terms of Service, version 3"; the text that the software brings has no version. */
export const agreedTextName = (title: string, version: number): string =>
  version === 0 ? title : `${title}, version ${version}`;

/** The second line of the tick before paying: "and the site's terms, version 3". */
export const siteTermsLine = (version: number): string =>
  version === 0 ? "the site's terms" : `the site's terms, version ${version}`;
