import { formatNaira, type Kobo } from "#shared/money.ts";

/** Texts for owners and backers about a struck payment. */
export const strikeTexts = {
  title: (amount: string, projectTitle: string) => `Strike the payment of ${amount} for ${projectTitle}`,
  struckAlready: "This payment was struck already.",
  notApproved: "This payment isn't approved. Reject it instead.",
  notGivenBack:
    "A payment of this round was struck, and stays approved. Take the approvals of its other payments back one by one, and write the round off.",
  allSeen: "The bank shows all of this payment, so there is nothing to strike.",
  takeBackInstead: "Nothing of this round has gone on yet. Set the payment back to pending, or reject it instead.",
  changed: "What is missing of this payment has changed. Please look at it again.",
  lost: (arrivedKobo: Kobo, amountKobo: Kobo, lostKobo: Kobo) =>
    arrivedKobo > 0n
      ? `${formatNaira(arrivedKobo)} of ${formatNaira(amountKobo)} arrived and stays with the round. The other ${formatNaira(lostKobo)} is lost, and the company bears it.`
      : `${formatNaira(lostKobo)} is lost, and the company bears it.`,
  notSettled: (netKobo: Kobo, shareKobo: Kobo) =>
    netKobo === shareKobo
      ? `${formatNaira(netKobo)} that harvests owe the backer isn't paid. The next settlement divides it among the others.`
      : `${formatNaira(netKobo)} that harvests owe the backer isn't paid. With its fee and taxes ${formatNaira(shareKobo)} is settled anew among the others.`,
  formerHolder: (dueKobo: Kobo) =>
    `${formatNaira(dueKobo)} of harvests is due to who held the lots before. As far as it is for this payment, it isn't paid either.`,
  stays: (keptKobo: Kobo) =>
    `${formatNaira(keptKobo)} of harvests was sent: it stays theirs. What comes back of it is settled anew among the others.`,
  inRun: (inRunKobo: Kobo) =>
    `${formatNaira(inRunKobo)} of harvests is in a payment run that isn't at the bank yet. Cancel that run, and it is settled anew among the others; export it, and it stays theirs.`,
  returnFirst: (dueKobo: Kobo) =>
    `${formatNaira(dueKobo)} of a return to the round's backers is still due for this payment. Take that return back first: then this payment's approval can be taken back, or the payment struck.`,
  returnInRun: (inRunKobo: Kobo) =>
    `${formatNaira(inRunKobo)} of a return to the round's backers is in a payment run for this payment. Cancel that run or export it first.`,
  returnWithheld: (dueKobo: Kobo) =>
    `${formatNaira(dueKobo)} of a return to the round's backers is due for this payment, and others were paid theirs already. It is withheld, until two owners let it go.`,
  stillOwed: (owedKobo: Kobo) =>
    `${formatNaira(owedKobo)} is still owed to the round, whoever paid for it: what this payment didn't bring of it comes from the company once it is released.`,
  over: "It stays approved, and nothing more is decided on it. Money that comes after all is given back to its backer.",
  effects: [
    "The payment counts nothing in harvests from now on. Produce that lies ready for it isn't handed out, but sold.",
    "Its lots stay sold and are nobody's, its backing ends, and its receipt isn't valid any more. The backer is emailed your reason.",
    "This can't be undone. If the money comes after all, match it with this payment: it is given back to the backer.",
  ],
} as const;
