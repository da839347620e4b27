/** Acts that take two people: labels, limits and texts. No schema is here. */

import { formatDateTime } from "#shared/dates.ts";

export const secondPersonKinds = [
  "write_off",
  "approve_payment",
  "declare_arrived",
  "give_unallocated_back",
  "book_loss",
  "fail_payout",
  "enter_payee_account",
  "declare_sale",
  "take_back_sale",
  "lose",
  "match_line",
  "undo_match",
  "void_bank_data",
  "change_setting",
  "set_weight",
  "count_cost",
  "remove_sale",
  "change_sale",
  "lose_sale",
  "lower_harvest",
  "settle_harvest",
  "set_farm_account",
  "release_to_farm",
  "skip_part",
  "return_to_backers",
  "take_return_back",
  "strike_payment",
  "change_holder",
  "open_harvest",
  "change_bank_details",
  "refuse_payouts",
  "let_payout_go",
] as const;
export type SecondPersonKind = (typeof secondPersonKinds)[number];

export const secondPersonLimits = { days: 7, reasonMin: 20, reasonMax: 500 } as const;

/** How long somebody has to have been an owner to be one of two, and how long nobody else may have been one to act alone. */
export const ownerLimits = { countsAfterHours: 72, aloneHours: 7 * 24 } as const;

export const secondPersonTexts = {
  kindUnknown: "Nobody has to confirm this.",
  reasonTooShort: `Please say why in at least ${secondPersonLimits.reasonMin} characters`,
  reasonTooLong: `At most ${secondPersonLimits.reasonMax} characters`,
  alreadyAsked: "A second person was already asked for this.",
  gone: "This request is not open any more.",
  accountEnded: "This account has ended since, so nothing is done for it any more.",
  needsAnother: "Another owner has to confirm this.",
  countsFrom: (at: Date) =>
    `Who has been an owner for ${ownerLimits.countsAfterHours} hours counts as a second person: you do from ${formatDateTime(at)}.`,
  makerCountsFrom: (at: Date) =>
    `Whoever asked has not been an owner for ${ownerLimits.countsAfterHours} hours. Their request can be confirmed from ${formatDateTime(at)}.`,
  aloneFrom: (at: Date) =>
    `Another owner was here within the last 7 days. You can confirm this alone from ${formatDateTime(at)}.`,
  ownMoney: "You can't decide on your own payment.",
  ownMoneyAlone:
    "You can't decide on your own payment the way you decide on others'. Open it under Payments, and decide with a reason and your second factor.",
  ownReason: "Why do you decide on your own payment?",
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
  roundOpen: "This project is still open. Close it before its round is ended.",
  nothingSold: "No payment of this round is approved, so there is nothing to end.",
  writtenOff: "This round has been ended: nothing more will come.",
  harvestsStay: "What was settled of its harvests stays. None of those that its terms still plan will come.",
  title: (round: number, projectTitle: string) => `End round ${round} of ${projectTitle}`,
} as const;

export const farmAccountTexts = {
  title: (farm: string) => `Pay the money of ${farm} to this account`,
  /** The account's other uses: all of the farm's projects. */
  usedFor: (projects: readonly string[]) =>
    projects.length === 0
      ? "The farm has no project yet; it will be used for all of them."
      : `It is used for all the farm's projects: ${projects.join(", ")}.`,
  gone: "This farm doesn't exist.",
  closed: "This farm is closed, and nothing is owed to it.",
} as const;

export const bankDetailsTexts = {
  title: "Change the account that backers transfer to",
  unset: "No bank details are set yet, so one owner enters them alone.",
} as const;

export const approvePaymentTexts = {
  title: (amount: string, projectTitle: string) => `Approve ${amount} for ${projectTitle}`,
  approved: "This payment is approved already.",
  noStatements: "No bank statement was imported yet, so an owner decides alone.",
  restChanged: "What is missing of this payment has changed. Please look at it again.",
  nothingArrived: "Nothing of this payment has arrived, so there is no rest to write off.",
} as const;

export const declareArrivedTexts = {
  title: (amount: string, projectTitle: string) => `Declare ${amount} for ${projectTitle} as arrived`,
  approved: "This payment is approved: what is missing of it is in transit already.",
  withoutLine: "For money that you have both seen at the bank, and that no line of a statement shows yet.",
  tooMuch: (amount: string) => `Only ${amount} of this payment is missing.`,
  nothingMissing: "Nothing of this payment is missing.",
  refundStands: "A refund of this payment is due. Take it back first.",
} as const;

export const giveUnallocatedBackTexts = {
  title: (amount: string, payee: string) => `Give ${amount} back to ${payee}`,
} as const;

export const bookLossTexts = {
  notDeclaredFailed:
    "No other line shows this payout leaving, and two owners didn't declare it failed. So nothing was paid twice by this debit.",
  paidTwiceAlready: "A second debit of this payout is booked already.",
  title: (amount: string, projectTitle: string) => `Book ${amount} of ${projectTitle} as a loss`,
  takenBackFirst: (amount: string) =>
    `${amount} of this payment is with us. Match that part as reversed by the bank first.`,
  tooMuch: (amount: string) => `Only ${amount} of this payment was given back and isn't booked as lost.`,
} as const;

type DebitWords = { amount: string; day: string; narration: string };

export const refusePayoutsTexts = {
  title: (what: string, amount: string, run: number) => `The bank refused ${what} of payment run ${run}: ${amount}`,
  notExported: "This run's file was not given to the bank.",
  notOfRun: "A chosen payout isn't one of this run.",
  notSent: (reference: string) => `${reference} isn't on its way any more. Please look at the run again.`,
  debit: ({ amount, day, narration }: DebitWords) =>
    `A debit of ${amount} on ${day} may be what you say was refused, and isn't matched: “${narration}”. Match it first.`,
} as const;

export const letPayoutGoTexts = {
  title: (amount: string, payee: string) => `Let the payout of ${amount} to ${payee} go`,
  notWithheld: "This payout isn't withheld.",
} as const;

export const failPayoutTexts = {
  title: (amount: string, payee: string) => `Declare the payout of ${amount} to ${payee} as failed`,
  uncovered: (day: string) =>
    `Statements have to cover the day it was sent and three working days after it, without showing it. None covers all of ${day}.`,
  gap: (from: string, to: string) =>
    `By the printed balances the statements miss something between ${from} and ${to}. Import those days first.`,
  namedBy: ({ amount, day, narration }: DebitWords) =>
    `A debit of ${amount} on ${day} names this payout, and isn't matched: “${narration}”. Match it first.`,
  sameAmount: ({ amount, day, narration }: DebitWords) =>
    `A debit of ${amount} on ${day} may be this payout or its run, and isn't matched: “${narration}”. Match it first.`,
} as const;
