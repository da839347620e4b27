import { formatNaira, type Kobo } from "#shared/money.ts";
import type { Site } from "#shared/site/site.ts";

const more = (lots: number) => (lots === 1 ? "another lot" : `${lots} more lots`);
const askUs = "Write to us if you want another lot for it.";

/**
 * Texts for a backer about money that came beyond a payment's amount, and that pays for another lot of the same round.
 */
export const surplusTexts = {
  title: (surplusKobo: Kobo) => `${formatNaira(surplusKobo)} more than your payment has arrived`,
  hint: (lots: number, amountKobo: Kobo) =>
    `It pays for ${more(lots)} of this round (${formatNaira(amountKobo)}). You needn't transfer anything, and what is left is returned to you.`,
  open: (lots: number) => `Use it for ${more(lots)}`,
  press: (lots: number, amountKobo: Kobo) => `Use ${formatNaira(amountKobo)} for ${more(lots)}`,
  rather: "Pay by a new transfer instead",
  used: (site: Pick<Site, "reviewTime">) =>
    `Your money is used for another lot. We look at it within ${site.reviewTime}.`,
  /** The reason for undoing the match, and for taking back the refund. */
  reason: "The backer uses it for another lot",
  notApproved: "Your payment isn't approved yet. Once it is, what came beyond its amount can be used for another lot.",
  otherRound: "The lots of this payment's round aren't sold any more. What came beyond its amount is returned to you.",
  otherPending: "Another payment of yours for this farm waits for us. Please wait until it is decided.",
  tooLittle: "What came beyond the amount of this payment doesn't pay for so many lots, or is on its way back to you.",
  noTransfer: `No single transfer of this payment that names you brought so much. ${askUs}`,
  needsTwo: `This money can't be taken out of your payment by one press any more. ${askUs}`,
} as const;
