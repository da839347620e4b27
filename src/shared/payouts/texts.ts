/** Money that leaves: payouts, their runs and their accounts. Labels, limits and texts. No schema is here. */

import { formatNaira, type Kobo } from "#shared/money.ts";

/**
 * The kinds of payouts: a refund, the surplus of an approved payment, proceeds of a harvest, a farm's money, money of a
 * round that goes back to its backers, or money of somebody unknown that goes back to its sender.
 */
export const payoutKinds = ["refund", "surplus", "harvest", "farm", "returned", "sender"] as const;
export type PayoutKind = (typeof payoutKinds)[number];

/**
 * waiting: nobody said where to · due: may be put into a run · in_run: in a draft or an approved run · sent: in a file
 * that the bank got · paid: seen leaving, or paid by hand · failed: it came back, and another payout took its place ·
 * cancelled: not owed any more.
 */
export const payoutStates = ["waiting", "due", "in_run", "sent", "paid", "failed", "cancelled"] as const;
export type PayoutState = (typeof payoutStates)[number];
/** Owed and not sent: the ledger has these under `backer_due` and `farm_due`. */
export const openPayoutStates = ["waiting", "due", "in_run"] as const;
export const isOpenPayout = ({ state }: { state: PayoutState }): boolean =>
  openPayoutStates.some((open) => open === state);

export const payoutRunStates = ["draft", "approved", "exported", "closed", "void"] as const;
export type PayoutRunState = (typeof payoutRunStates)[number];

export const payoutFileFormats = ["csv", "xlsx"] as const;
export type PayoutFileFormat = (typeof payoutFileFormats)[number];

export const payoutKindLabels: Record<PayoutKind, string> = {
  refund: "Refund",
  surplus: "Surplus",
  harvest: "Harvest",
  farm: "To the farm",
  returned: "Returned",
  sender: "To its sender",
};

/** With words for what should have been sent already. */
export type PayoutLabels = Record<PayoutState | "overdue" | "refused", string>;

export const payoutStateLabels: PayoutLabels = {
  waiting: "No account yet",
  due: "Due",
  overdue: "Overdue",
  in_run: "In a run",
  sent: "Sent",
  paid: "Paid",
  failed: "Came back",
  refused: "Refused by the bank",
  cancelled: "Cancelled",
};

export const payoutRunStateLabels: Record<PayoutRunState, string> = {
  draft: "Waits for approval",
  approved: "Approved",
  exported: "Sent to the bank",
  closed: "Closed",
  void: "Cancelled",
};

export const payoutLimits = {
  /** How many payouts one run may have. */
  runSize: 1000,
  /** The least that one of several transfers of a sum may be. */
  leastPartKobo: 100_00n,
  /** Working days after which a payout that was sent should have been seen leaving. */
  unseenDays: 3,
  pageSize: 50,
} as const;

export const payoutTexts = {
  /** A part of a sum that is paid by several transfers. */
  part: (reference: string, part: number, parts: number) => (parts === 1 ? reference : `${reference} ${part}/${parts}`),
  gone: "This payout no longer exists.",
  alreadyOnItsWay: "This money is in a payment run or was sent already, so it can't be taken back.",
  replacedSince:
    "The payout that took its place is in a run, was sent or was taken back since, so the return can't be undone.",
  notSent: "This payout was not sent.",
  paidBack: "The farm paid money of this release back, so it had it. Undo that match first.",
  markedAlready: "An owner marked this payout as paid already.",
  seenAlready: "A line of the statement shows this payout already.",
  wholeOnly: (amount: Kobo) => `A payout leaves as a whole: ${formatNaira(amount)}.`,
  moreThanSent: (amount: Kobo) =>
    `Only ${formatNaira(amount)} of this payout was sent, so no more of it can come back.`,
} as const;
