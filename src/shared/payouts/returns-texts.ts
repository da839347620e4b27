/** Money of a round that goes back to its backers: texts. No schema is here. */

import { formatNaira, type Kobo } from "#shared/money.ts";

const backersOf = (backers: number) => (backers === 1 ? "1 backer" : `${backers} backers`);

export const roundReturnTexts = {
  loadFailed: "What was returned to backers could not be loaded",
  previewFailed: "Who gets how much could not be worked out",
  notFunded: "Only a funded round's money is returned so. Decide on the round first.",
  moreThanThere: (there: Kobo) =>
    there === 0n
      ? "Nothing of this round is with us."
      : `Only ${formatNaira(there)} of this round is with us and was seen at the bank.`,
  nobody: "No approved payment of this round was seen at the bank, so there is nobody to return it to.",
  gone: "This return no longer exists.",
  takenBackAlready: "This return was taken back already.",
  title: (amount: string, round: number, farm: string) =>
    `Return ${amount} of round ${round} of ${farm} to its backers`,
  takeBackTitle: (amount: string, farm: string) => `Take back the return of ${amount} to the backers of ${farm}`,
  divided: (backers: number, least: Kobo, most: Kobo) =>
    least === most
      ? `${backersOf(backers)} ${backers === 1 ? "gets" : "get"} ${formatNaira(most)}${backers === 1 ? "" : " each"}.`
      : `${backersOf(backers)} get between ${formatNaira(least)} and ${formatNaira(most)}, by what each paid.`,
  consequence: "Each is told by mail, with the reason, and paid with the next payment run.",
  takenBackConsequence: "The round has its money again. Each backer is told by mail, with the reason.",
  /** The reason why an approval of the round can't be taken back. */
  wentBack: (returned: Kobo) =>
    `${formatNaira(returned)} of this round was returned to its backers already. Take the return back first.`,
} as const;
