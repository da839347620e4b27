/** The bank's statements and what explains their lines: labels and texts. No schema is here. */

import { formatNaira, type Kobo } from "#shared/money.ts";

/**
 * The explanations of a line. For money in: a payment, a sale of a harvest, a payout that came back, a release that the
 * farm paid back, money that goes back to its sender, the operator's own money. For money out: a payout, a cost of a
 * harvest, tax that is passed on, a credit that the bank took back, the same where the money was given back already (a
 * loss), charges, the operator's own money. An own transfer is both.
 */
export const lineMatchKinds = [
  "payment",
  "operator",
  "own_transfer",
  "taken_back",
  "loss",
  "bank_charges",
  "payout",
  "returned",
  "sale",
  "sale_taken_back",
  "harvest_cost",
  "vat",
  "wht",
  "farm_paid_back",
  "sent_back",
] as const;
export type LineMatchKind = (typeof lineMatchKinds)[number];

export const lineMatchKindLabels: Record<LineMatchKind, string> = {
  payment: "Payment",
  operator: "Our own money",
  own_transfer: "Between our bank accounts",
  taken_back: "Reversed by the bank",
  loss: "Loss",
  bank_charges: "Bank charges",
  payout: "Payout",
  returned: "Payout that came back",
  sale: "Sale of a harvest",
  sale_taken_back: "A buyer's money reversed",
  harvest_cost: "Cost of a harvest",
  vat: "VAT passed on",
  wht: "Withheld tax passed on",
  farm_paid_back: "Paid back by the farm",
  sent_back: "Sent back to its sender",
};

/**
 * The rules behind a suggestion, the likeliest first: our reference and the missing amount; a text of the account's
 * charges; a payout's reference; the total of a run; several of our references whose missing amounts sum to it; a bank
 * that took money back; a payout that came back; our reference and another amount; the missing amount and a name that
 * is alike; both ends of a transfer between own accounts; the amount alone. Only {@link sureRules} may be sure.
 */
export const matchRules = [
  "our_reference",
  "bank_charges",
  "payout_reference",
  "run_total",
  "split",
  "taken_back",
  "came_back",
  "other_amount",
  "alike_name",
  "own_transfer",
  "amount",
] as const;
export type MatchRule = (typeof matchRules)[number];

/** A rule's evidence, in a few words. */
export const suggestionLabels: Record<MatchRule, string> = {
  our_reference: "Our reference and the amount",
  payout_reference: "A payout's reference",
  run_total: "The total of a payment run",
  split: "Our references sum to it",
  taken_back: "Reversed by the bank?",
  came_back: "A payout that came back?",
  bank_charges: "Bank charges",
  other_amount: "Our reference, another amount",
  alike_name: "Amount and name fit",
  own_transfer: "Between our bank accounts",
  amount: "The amount fits",
};

/** The texts by which lines are known as bank charges, until an account has texts of its own. */
export const chargeTexts = ["STAMP DUTY", "SMS ALERT CHARGE"];

/** The rules by which the system matches by itself. */
export const sureRules = ["our_reference", "payout_reference", "run_total"] as const;
export type SureRule = (typeof sureRules)[number];

/** Returns the unexplained amount of a line. */
export const restOf = ({ amountKobo, matchedKobo }: { amountKobo: Kobo; matchedKobo: Kobo }): Kobo =>
  (amountKobo < 0n ? -amountKobo : amountKobo) - matchedKobo;

/** Compares an amount that arrived with the sum that a payment misses. */
export type AmountFit = "exact" | "stamp_duty" | "charges" | "part" | "too_much";

export const bankLimits = {
  reasonLength: 500,
  /** The length of the reason why the bank sent money back. */
  returnReasonLength: 120,
  parts: 20,
  sureAtOnce: 200,
  chargesAtOnce: 200,
  /** The texts by which an account's charges are known, and the length of one. */
  chargeTexts: 20,
  chargeTextMin: 3,
  chargeTextMax: 60,
  candidates: 5,
  pageSize: 50,
  /** How many payouts are offered by hand. */
  payoutChoices: 20,
} as const;

export const bankTexts = {
  overviewFailed: "Failed to fetch the bank's accounts",
  linesFailed: "Failed to fetch the lines",
  importsFailed: "Failed to fetch the imports",
  lineFailed: "Failed to fetch this line",
  payoutsFailed: "Failed to fetch the payouts",
  purchasesFailed: "Failed to fetch who agreed to buy lots",
  explained: "Matched",
  explainFailed: "This line was not matched",
  confirmFailed: "The sure matches were not confirmed",
  approved: (reference: string) => `Payment ${reference} approved`,
  approvalRefused: (reference: string) => `Payment ${reference} was not approved`,
  undone: "Explanation undone",
  chargesFailed: "The charges were not matched",
  chargesNotRead: "Failed to fetch the charges",
  chargeTextsKept: "Texts saved",
  chargeTextsFailed: "The texts were not saved",
  chargeTextLength: "Each line has 3 to 60 characters",
  chargeTextsMany: "At most 20 texts",
  sampleFailed: "The sample statement can't be downloaded",
  openingMissing: "Enter the balance before the first line",
  columnMissing: "Choose a column",
  columnTwice: "This column is chosen twice",
  amountUnreadable: "Enter an amount like 1,250.50",
  reasonMissing: "Please say why",
  reasonTooLong: `At most ${bankLimits.reasonLength} characters`,
  returnReasonTooLong: `At most ${bankLimits.returnReasonLength} characters`,
  lineGone: "This line no longer exists.",
  lineChanged: "This line changed while you were looking at it. Please look at it again.",
  moreThanRest: (rest: Kobo) => `Only ${formatNaira(rest)} of this line is unmatched.`,
  onlyIn: "Only money that came in can be matched so.",
  onlyOut: "Only money that went out can be matched so.",
  paymentGone: "This payment no longer exists.",
  notAgreed: "Nobody has agreed to buy anything under this reference, so no payment can be made of it.",
  payerClosed: "The account that agreed to buy under this reference is closed, so no payment can be made of it.",
  otherPending: "This backer has another pending payment for the project. Please decide on it first.",
  moreThanArrived: (arrived: Kobo) =>
    `Only ${formatNaira(arrived)} of this payment is with us. What was given back already can only be booked as a loss, by two people.`,
  sameAccount: "Both lines are of one account.",
  sameDirection: "One line has to be money in, and the other money out.",
  moreThanCounter: (rest: Kobo) => `Only ${formatNaira(rest)} of the other line is unmatched.`,
  notSure: "The bank's lines don't show this payment wholly any more.",
  /** The backer reads it as the reason of the rejection. */
  lotsGone: "Other backers took the lots before your money arrived.",
  approvedByIt:
    "The payment was approved because of this money, and approving it without takes a second person. Take the approval back first.",
  matchGone: "This explanation no longer stands.",
  givenBack:
    "This money was given back to the backer, or is due to be, so it can't be taken from the payment. Take the refund back first.",
} as const;

/** The limits above which explaining lines takes two people. */
export const wallLimits = {
  /** Charges of one line, and of 30 days together, that one owner books. */
  chargesOfLineKobo: 1_000_00n,
  chargesKobo: 20_000_00n,
  days: 30,
  /** How long before a debit its credit came at most. */
  takenBackDays: 30,
} as const;

/** The reasons why explaining a line, or undoing it, takes two people. Each is a sentence. */
export const wallTexts = {
  needsTwo: (reasons: readonly string[]) => `This takes a second person. ${reasons.join(" ")}`,
  takenBack: (reference: string) => `The payment ${reference} is approved, and money of it would be taken back.`,
  takenBackOfDecided: (reference: string) =>
    `The payment ${reference} is decided, and money of it would be taken back.`,
  saleTakenBack: (buyer: string) => `Money of the sale to ${buyer} would be taken back.`,
  noReversal: "The bank doesn't call this line a reversal.",
  oldCredit: (day: string) =>
    `The credit is of ${day}, more than ${wallLimits.takenBackDays} days before it was taken back.`,
  namesOther: (references: readonly string[]) => `The line names ${references.join(" and ")}, which is something else.`,
  fitsOther: (whose: string) => `The amount and the name fit another payment: ${whose}.`,
  ownMoney: "It would be your own money, and the line doesn't name it.",
  wasOf: (reference: string) =>
    `The line was matched with ${reference} before, which is approved and misses this money since.`,
  cameBackUnnamed: (reference: string) => `The line doesn't name the payout ${reference}.`,
  chargesOfLine: `Charges of more than ${formatNaira(wallLimits.chargesOfLineKobo)} on one line need two owners.`,
  chargesTogether: (sum: Kobo) =>
    `With it one owner alone would have booked charges of ${formatNaira(sum)} in ${wallLimits.days} days, more than ${formatNaira(wallLimits.chargesKobo)}.`,
  operator: (limit: Kobo) => `Money out as the company's own needs two owners from ${formatNaira(limit)} on.`,
  operatorTogether: (sum: Kobo, limit: Kobo) =>
    `With it ${formatNaira(sum)} would have gone out as the company's own in ${wallLimits.days} days without a second person, and two look from ${formatNaira(limit)} on.`,
  harvestCosts: (sum: Kobo, limit: Kobo) =>
    `With it ${formatNaira(sum)} would have gone out for costs of harvests that nobody wrote down, and two look from ${formatNaira(limit)} on. Write the cost down with its receipt first, or ask another owner.`,
  released: (title: string) => `The round's money went to the farm of ${title}.`,
  harvestOpened: (title: string) => `A harvest of ${title} was opened for choosing with this payment in it.`,
  roundSettled:
    "This round has been settled with this payment in it, so its money can't be taken from it any more. Tell the other owners.",
  creditGone: "The credit that brought this money is no longer matched with this payment.",
  creditElsewhere: "The credit came to another of our accounts, so the bank didn't take it back here.",
  creditLater: "The credit is later than the line that would take it back.",
  creditLess: (rest: Kobo) => `Only ${formatNaira(rest)} of this credit wasn't taken back yet.`,
  creditTakenBack: "The bank took money of this credit back. Undo that first.",
  creditsFailed: "Failed to fetch the credits",
  title: (amount: string, day: string) => `Match ${amount} of ${day}`,
  undoTitle: (amount: string, day: string) => `Undo the explanation of ${amount} of ${day}`,
} as const;

/** The reasons for a suggestion. */
export const candidateTexts = {
  sure: "Our reference, and the missing amount.",
  sureTogether: (missing: Kobo) => `Our reference, and with its other lines just the missing ${formatNaira(missing)}.`,
  split: (purchases: number) => `It names ${purchases} of our references, and what is missing of them sums to it.`,
  charges: "It has a text of this account's bank charges.",
  /**
   * For a line that the import left without a reference: it is newer than the line, or the bank called the money
   * returned.
   */
  notByImport: "Our reference, and the missing amount, but it wasn't taken for one when the line was imported.",
  severalFit: "The line has several references whose amounts fit: say which it is.",
  said: (said: Kobo) =>
    `Our reference. Two owners said that ${formatNaira(said)} had arrived: the line takes its place, and it doesn't count twice.`,
  rejected: "Our reference, of a payment that was rejected: the money would be kept for the backer.",
  nothingMissing: "Our reference, but nothing is missing of this payment: the money would be kept for the backer.",
  otherAmount: (fit: AmountFit, arrived: Kobo, missing: Kobo): string => {
    const difference = formatNaira(arrived > missing ? arrived - missing : missing - arrived);
    if (fit === "part")
      return `Our reference, and a part: ${formatNaira(arrived)} of the missing ${formatNaira(missing)}.`;
    if (fit === "too_much") return `Our reference, and ${difference} more than is missing.`;
    return fit === "stamp_duty"
      ? `Our reference. The missing ${difference} looks like stamp duty.`
      : `Our reference. The missing ${difference} look like a bank's charges.`;
  },
  noReceipt: (why: string, whose: string) => `${why} No receipt came for it: ${whose}.`,
  alike: "The missing amount, a name that is alike, and a receipt of these days.",
  amount: "Only the amount fits.",
  sale: "This amount is missing of the sale.",
  takenBack: "It reads like a reversal, and this amount came before.",
  takenBackNamed: "It reads like a reversal, and has the reference of this payment.",
  ownTransfer: "The same amount moved on another of our accounts within three days.",
} as const;

/** Lines that show money of harvests: refusals. */
export const harvestLineTexts = {
  salesFailed: "Failed to fetch the sales",
  harvestsFailed: "Failed to fetch the harvests",
  over: "This harvest was withdrawn or lost, so no money of sales is booked to it.",
  saleGone: "This sale no longer exists.",
  moreThanMissing: (missing: Kobo): string =>
    missing === 0n ? "All money of this sale has arrived." : `Only ${formatNaira(missing)} of this sale is missing.`,
  declaredTakenBack:
    "Two owners declared the rest of this sale, and it isn't settled. Take that declaration back first.",
  declaredStays: "Two owners declared this sale, so its amount stays. Write the rest down as a further payment.",
  costsOver:
    "The costs of this harvest are closed, and no more of them is written down. Write the cost down first, or match it as the company's own money.",
  costsLost: (lost: Kobo) => `${formatNaira(lost)} of this cost was booked as a loss.`,
  lossTakenBack: (lost: Kobo) =>
    `${formatNaira(lost)} of it were booked as a loss of its harvest, and that is taken back.`,
  cameAgain: "Money of this sale came again since, or was booked as a loss, so this stays.",
  moreThanTaxOwed: (tax: "vat" | "wht", owed: Kobo): string => {
    const name = tax === "vat" ? "VAT" : "withheld tax";
    return owed > 0n
      ? `Only ${formatNaira(owed)} of ${name} is owed. Match the rest otherwise.`
      : `No ${name} is owed, so none can be passed on.`;
  },
  declared: "Two owners have declared the rest of this sale, so what lines showed before stays in it.",
  settled:
    "This money was settled among the farm and its backers, so it can't be taken from the sale. Reverse the settlement first.",
} as const;

/** Lines that show payouts: refusals, and why something is suggested. */
export const payoutLineTexts = {
  runSeen: "Lines show all payouts of this run already.",
  wholeRunOnly: (sum: Kobo) => `What no line shows yet of this run is ${formatNaira(sum)}, and it leaves as a whole.`,
  cameBackAlready: "A line shows already that this payout came back.",
  cameBackUndone: "Two owners have to undo a returned payout.",
  /** For a payout of which the bank kept a part when it came back. */
  cameBackLess: (back: Kobo, sent: Kobo) =>
    `${formatNaira(back)} of ${formatNaira(sent)} came back. The missing ${formatNaira(sent - back)} is booked as bank charges.`,
  owedAgain: "are owed again, and due to the same account.",
  owedToOther: "are owed again, and wait for another account.",
  accountForgotten: "The account isn't used any more, until its owner gives one again.",
  accountStays: "The account stays in use.",
  undoneReturn: (next: string) =>
    `${next}, which took its place, is cancelled, and its payee reads that it didn't come back.`,
  undoneReturnOnly: "Nothing is owed again because of it.",
  /** The payee reads it as the reason. */
  noReasonGiven: "no reason given",
  sure: "The reference of a payout, and its amount.",
  failedBefore:
    "This payout was declared failed, and another took its place: it left after all, and may be paid twice. Ask the bank to give it back, or let two owners book it as a loss.",
  lossMadeGood: "The bank gave this money back, so that it is no loss any more. This can't be undone.",
  otherAmount: (amount: Kobo) => `The reference of a payout, but its amount is ${formatNaira(amount)}.`,
  seenLeaving: "The reference of a payout that a line shows leaving already: it may have been paid twice.",
  cameBack: "The reference of a payout, and its amount: it came back.",
  givesSecondBack:
    "The reference of a payout that was paid out twice: one of the two is given back, and the other stays.",
  secondDebitFirst:
    "A second debit of this payout isn't explained yet. If it was paid out twice, say so there first: then this gives one of the two back.",
  cameBackShort: (back: Kobo, sent: Kobo) =>
    `The reference of a payout, which came back for ${formatNaira(sent - back)} less than was sent: ${formatNaira(back)} of ${formatNaira(sent)}.`,
  returnSeen: "The reference of a payout that came back already.",
  run: (runId: number, payouts: number) => `The total of payment run ${runId}: ${payouts} payouts.`,
  runMaybeOwn: (runId: number) =>
    `The total of payment run ${runId}, but it may be a transfer to another of our accounts: look at their statements.`,
  notByImport: "The reference of a payout, and its amount, but it wasn't taken for one when the line was imported.",
  maybeOwn:
    "The reference of a payout, and its amount, but it may be a transfer to another of our accounts: look at their statements.",
  runUnsure: (runId: number) => `The total of payment run ${runId}, but another line or run has the same.`,
  amount: "The amount of a payout that was sent and not seen leaving.",
  returnedAmount: "A reversal, with the amount of a payout of these weeks.",
} as const;

/** Money of somebody unknown that goes back to its sender. */
export const sentBackTexts = {
  label: "Send it back",
  why: "Why it is nobody's here, and what you know of its sender. It is owed to them, and leaves once two owners have entered their account.",
  once: "A part of this line goes back to its sender already. Undo that first.",
  /** The purpose of a payout to a sender. */
  transferOf: (day: string) => `transfer of ${day}`,
  consequence: "It is owed to whoever sent it. Two owners enter the account that it is paid to.",
  accountTitle: (amount: string, day: string) => `Send ${amount} of ${day} back to this account`,
  nothingDue: "Nothing of this line goes back to its sender.",
} as const;
