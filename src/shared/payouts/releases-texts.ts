/** Money of a funded round that goes on to its farm: texts. No schema is here. */

import { formatNaira, type Kobo } from "#shared/money.ts";

export const farmReleaseTexts = {
  loadFailed: "The money for the farm could not be loaded",
  accountLoadFailed: "The farm's account could not be loaded",
  releaseFailed: "The money was not released",
  released: "Released. It is paid with the next payment run.",
  takenBack: "The release was taken back",
  accountWaits: "Another owner has to confirm this account before money goes there.",
  accountNeeded: "Nobody has said where the farm's money goes. Released money waits until then.",
  /** Above the account on a project's page: it isn't the project's. */
  accountOf: (farm: string) => `The account of ${farm}. It is used for all its projects.`,
  notFunded: "Only a funded round's money goes to the farm. Decide on the round first.",
  noFarm: "Choose the farm first: nobody is said to run this round.",
  chooseFarm: "Choose the farm",
  nothingOwed: "All of this round's money went to the farm or back to its backers already.",
  moreThanThere: (there: Kobo) => `This round has ${formatNaira(there)} for the farm.`,
  /** Money that no statement shows yet can't be released. */
  notArrived: (arrived: Kobo, owed: Kobo) =>
    `${arrived > 0n ? `Only ${formatNaira(arrived)}` : "Nothing"} of the ${formatNaira(owed)} that this round has for the farm was seen at the bank. The rest can be released once a statement shows it.`,
  /** On the page: the rest follows. */
  inTransit: (inTransit: Kobo) =>
    `${formatNaira(inTransit)} isn't seen at the bank yet. It can be released once a statement shows it.`,
  /** Where the self-check found something about this money. */
  alarm: (findings: readonly string[]) =>
    `The self-check found something about this money: ${findings.join("; ")}. So another owner has to confirm its release.`,
  title: (amount: string, round: number, farm: string) => `Release ${amount} of round ${round} to ${farm}`,
  changed: "What this round has for the farm changed while you were looking at it. Please look at it again.",
  gone: "This release no longer exists.",
  /** For a line that shows money that the farm paid back. */
  moreThanAtFarm: (atFarm: Kobo) =>
    atFarm === 0n
      ? "Nothing of this release is at the farm."
      : `Only ${formatNaira(atFarm)} of this release is at the farm.`,
  paidBackGone:
    "The round's money was released again, or returned to its backers, so this can't be undone. Take that back first.",
  someReturned: "The farm paid money of this release back, so it can't be taken back.",
  releasesFailed: "Failed to fetch the releases",
  takenBackAlready: "This release was taken back already.",
  /** The reason why an approval of the round can't be taken back. */
  wentToFarm: (released: Kobo) =>
    `${formatNaira(released)} of this round went to the farm already. Take the release back first.`,
  /** The reason why a project can't be deleted. */
  onItsWay: "This project can't be deleted while money for its farm is due or on its way.",
} as const;
