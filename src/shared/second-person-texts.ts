/** What takes two people: labels, limits and texts. No schema is here, as in projects-texts.ts. */

export const secondPersonKinds = ["write_off"] as const;
export type SecondPersonKind = (typeof secondPersonKinds)[number];

export const secondPersonLimits = { days: 7, reasonMin: 20, reasonMax: 500 } as const;

export const secondPersonTexts = {
  reasonTooShort: `Please say why in at least ${secondPersonLimits.reasonMin} characters`,
  reasonTooLong: `At most ${secondPersonLimits.reasonMax} characters`,
  alreadyAsked: "A second person was already asked for this.",
  gone: "This request is not open any more.",
  needsAnother: "Another owner has to confirm this.",
  onlyOwner: "You are the only owner: confirm it with your password and a code.",
  needsFactor:
    "You are the only owner, so your second factor takes the second person's place. Switch it on in your account settings first.",
  onlyOwn: "Only whoever asked can withdraw a request.",
  notOwn: "You asked for this yourself. Withdraw the request instead.",
  noLongerPossible: "This can't be done any more.",
  fetchFailed: "Failed to fetch what waits for a second person",
  asked: "Another owner is asked to confirm",
  askFailed: "Failed to ask for a second person",
  confirmed: "Confirmed",
  confirmFailed: "Failed to confirm",
  declined: "Declined",
  declineFailed: "Failed to decline",
  withdrawn: "Request withdrawn",
  withdrawFailed: "Failed to withdraw the request",
} as const;

export const writeOffTexts = {
  roundOpen: "This project is still open. Close it before its round is written off.",
  nothingSold: "No payment of this round is approved, so there is nothing to write off.",
  writtenOff: "This round has been written off.",
  title: (round: number, projectTitle: string) => `Write off round ${round} of ${projectTitle}`,
} as const;
