/** Backing by bank transfer: labels and texts. No schema is here. */

import { formatDateTime, formatWeekdayTime } from "#shared/dates.ts";
import { eveningAfterWorkingDays, type Holiday } from "#shared/lagos-time.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";
import type { Site } from "#shared/site/site.ts";
import type { PaymentStatus } from "./statuses.ts";

/**
 * The reasons for a refund: the round didn't reach its minimum, an approval was taken back after the money came, the
 * lots were gone when it came, or more came than was due.
 */
export const refundReasons = ["not_funded", "not_approved", "lots_gone", "surplus"] as const;
export type RefundReason = (typeof refundReasons)[number];

/**
 * The reason for giving money back: a refund's, or of a pending payment that can't be approved any more, because its
 * lots or its project are gone.
 */
export type RefundDue = RefundReason | "project_taken" | "project_removed";
const refundDueLabels: Record<RefundDue, string> = {
  project_taken: "Project taken, refund due",
  project_removed: "Project removed, refund due",
  not_funded: "Not funded, refund due",
  not_approved: "Refund due",
  lots_gone: "Lots taken, refund due",
  surplus: "Surplus, refund due",
};

/** The mark of a payment. `roundLots`: of how many lots its round is; null if the project was deleted. */
export const refundDueLabel = (refundDue: RefundDue, roundLots: number | null): string =>
  refundDue === "project_taken" && roundLots !== null && roundLots > 1
    ? "Lots taken, refund due"
    : refundDueLabels[refundDue];

export const paymentLimits = {
  pageSize: 50,
  reasonLength: 500,
  backingsPage: 100,
  purchases: 100,
  smallRestKobo: 100_00n,
  /** For so many days what one owner approved unseen is added up. */
  unseenDays: 30,
  /** An approved payment that the bank hasn't shown for so many days is late. */
  unseenLateDays: 7,
} as const;

/** How soon somebody looks at a receipt, in a sentence. */
export const reviewPromise = (site: Pick<Site, "reviewTime">): string =>
  `We review receipts within ${site.reviewTime} and email you.`;

export const paymentTexts = {
  reasonTooLong: "Reason cannot exceed 500 characters",
  moreThanNeeded: (came: Kobo, more: Kobo) => `${formatNaira(came)} came, ${formatNaira(more)} more than needed`,
  noBankDetails: "Payment details are not available yet. Please contact us.",
  projectNotFound: "Project not found",
  projectClosed: "Project is closed",
  taken: "Another payment for this project was approved first. If you have paid, a refund is due to you.",
  lotsTaken:
    "Other payments for this project were approved first, and fewer lots are left than you paid for. If you have paid, a refund is due to you.",
  removed: "This project was removed. If you have paid, a refund is due to you.",
  pendingNotFunded: "The round was not funded. If you have paid, a refund is due to you.",
  pendingNotApproved: "Your payment can't be approved any more. If you have paid, a refund is due to you.",
  inReview: (site: Pick<Site, "reviewTime">) => `We have your receipt. ${reviewPromise(site)}`,
  uploadFailed: "Failed to upload payment receipt",
  uploaded: "Payment receipt uploaded successfully. We'll review your payment shortly.",
  fetchFailed: "Failed to fetch payments",
  saidPaid:
    "A receipt was sent, the payment can't be approved, and nothing of it has arrived as far as we know. Nobody gets money back for a receipt alone: two owners confirm that it came, and then it is due.",
  noneSaidPaid: "Nobody waits for money that we haven't seen",
  noneSaidPaidText:
    "Whoever sends a receipt for a payment that can't be approved is listed here, until the money is found.",
  projectsFailed: "Failed to fetch projects",
  sharedFile: "Payments that share a receipt's file",
  nothingPending: "Nothing else is pending",
  updateFailed: "Failed to update payment status",
  gone: "This payment no longer exists.",
  changed: "This payment changed while you were looking at it. Please review it again.",
  otherPending:
    "This backer already has a pending payment for this project. Please decide on that one before setting this one back.",
  roundTaken: (approvedBy: string) =>
    `Another payment for this project was already approved by ${approvedBy}. The project is taken, so a refund is due for this one.`,
  lotsNotFree: (free: number, wanted: number) =>
    `${countLots(free)} of this round ${free === 1 ? "is" : "are"} free, and this payment is for ${countLots(wanted)}. A refund is due for it unless lots come free.`,
  notFunded: "This round was not funded, and its money is given back. A refund is due for this payment.",
  otherTerms:
    "The harvest terms of this round are not those that this payment was made under, so it can't be approved. Reject it: then the backer can agree to the terms of now and send the receipt again.",
  refundLost:
    "The bank took this money back after it was given back, and two owners booked the loss. Undo the loss first.",
  refundStands: "A refund of this payment is due, so it can't be approved.",
  unseenReasonMissing: "The bank's statements don't show this payment wholly. Please say why you approve it.",
  needsSecondPerson: (limit: string, used: string) =>
    `From ${limit} in 30 days that the bank's statements don't show, a second person has to confirm the approval. You have approved ${used} of it so.`,
  /** Above the reason of an approval that one owner makes alone. */
  unseenUsed: ({ usedKobo, limitKobo }: { usedKobo: Kobo; limitKobo: Kobo }) =>
    `In the last 30 days you approved ${formatNaira(usedKobo)} that the bank didn't show. From ${formatNaira(limitKobo)} on another owner confirms it.`,
  reasonMissing: "Please say why",
  unallocatedChanged: "The unallocated money of this payment has changed. Please look at it again.",
  nothingUnallocated: "No money of this payment is unallocated.",
  unnamed: "The bank's line doesn't say whose money this is. Another owner has to confirm that it is given back.",
  unnamedRejected:
    "The bank's line doesn't say whose money this is. Reject the payment without giving it back, then ask another owner to give it back.",
  rejectFirst: "This payment waits for a decision. Reject it to give its money back.",
  refundGone: "This refund is not due any more.",
  refundTakenBack: "The refund is taken back",
  givenBack: "The refund is due",
  giveBackFailed: "Failed to give the money back",
  stillLooking: (titles: readonly string[]) =>
    `We are still looking at your receipts for ${titles.join(" and ")}. Please wait until one of them is decided. A transfer with your reference counts without a receipt too, once our bank shows it.`,
  lotsLeft: (most: number) =>
    most === 0 ? "You can't buy more lots of this farm." : `You can buy at most ${countLots(most)} now.`,
  dueBack: (amount: string) => `Too few lots were sold, so the farm does not start. ${amount} will be returned to you.`,
  returned: (amount: string) => `${amount} will be returned to you.`,
  lotsGone: (amount: string) => `The lots were gone when your money arrived. ${amount} will be returned to you.`,
  surplus: (amount: string) => `More arrived than was due. ${amount} will be returned to you.`,
  addsUp:
    "Send this amount in all, with your bank's app, by USSD or at a branch. Several transfers with the reference add up.",
  narration:
    "Write it in the description (narration) of each transfer: by it we know that the money is yours. Its dashes may be left out.",
  noNarration:
    "Your bank's form has no description? Send the transfer without it and upload your receipt: we look for the money by your name and the amount, by hand.",
  newTransfer: "Paying again is a new transfer.",
  roundNotFunded: "The round did not reach its minimum.",
  roundFunded: "Round declared funded",
  roundGivenBack: "Everything is given back: the refunds are due",
  decideFailed: "Failed to decide on the round",
  amountUnreadable: "Please enter an amount like 1,250,000",
  lotsHeld: "Lots of this round are still held. Wait for the holds to end, or end them, before you decide.",
  roundOpen: "This project is still open. Close it before you decide on its round.",
  roundDecided: "This round was decided already.",
  roundChanged: "This round changed while you were looking at it. Please review it again.",
  minimumReached: "This round reached its minimum, so it is funded.",
  minimumMissed: "This round did not reach its minimum, so it can't be funded.",
  paymentsWait: (waiting: number) =>
    waiting === 1
      ? "A payment waits that could still be approved. Please decide on it first."
      : `${waiting} payments wait that could still be approved. Please decide on them first.`,
  removedNotApprovable: "The project of this payment was removed, so it can't be approved. A refund is due.",
  keyUsedElsewhere: "This receipt was already sent for another project. Please choose the file again.",
  noReceipt: "No receipt available for this payment",
  inReviewUnasked: "We have seen your transfer in our bank account, and are reviewing it. You needn't send a receipt.",
  seenWithoutReceipt: "No receipt: the bank's statement shows the transfer",
  receiptUnavailable: "Could not access receipt image",
  linkExpired: "This link has expired. Please open the receipt again.",
  receiptNotLoaded: "Could not load receipt image",
  downloadFailed: "Download Failed",
  imageError: "Image Error",
} as const;

type OwedPayment = {
  refundDue: RefundDue;
  /** The amount to give back; null if nobody has made a refund, because nobody has seen whether the money arrived. */
  refundKobo: Kobo | null;
  roundLots: number | null;
};
/** How long the rest of a payment may take, in working days. */
const restDays = 2;

/** Until when the rest of a payment should be here, after a part of it came: 18:00 two working days later. */
export const restDeadline = (lastArrivedAt: Date, holidays: readonly Holiday[]): Date =>
  eveningAfterWorkingDays(lastArrivedAt, restDays, holidays);

type Arrived = { amountKobo: Kobo; arrivedKobo: Kobo; lots: number };

/**
 * How what has arrived of a payment fits its amount: nothing, a part, all of it, or more. A rest that an approval writes
 * off is none. `wholeLots`: how many lots a part pays for, if it is at least one.
 */
export function arrivalOf({ amountKobo, arrivedKobo, lots }: Arrived) {
  const missingKobo = amountKobo - arrivedKobo;
  if (arrivedKobo <= 0n) return { kind: "none" as const };
  if (missingKobo > paymentLimits.smallRestKobo) {
    const wholeLots = Number(arrivedKobo / (amountKobo / BigInt(lots)));
    return { kind: "part" as const, missingKobo, wholeLots };
  }
  return missingKobo < 0n ? { kind: "surplus" as const, surplusKobo: -missingKobo } : { kind: "all" as const };
}

/** Texts for a backer whose approved payment has lost money. */
export const missingMoneyTexts = {
  taken_back: (amount: string) => `The bank took back ${amount} that you had transferred.`,
  undone: (amount: string) =>
    `We had taken ${amount} on our bank statement for your transfer. It wasn't yours, and we look for yours.`,
  stays: "Your payment stays approved meanwhile.",
  write: "If you know why, please write to us.",
} as const;

/** True for a surplus that is too small to be sent back: the company keeps it. */
export const isKeptSurplus = (surplusKobo: Kobo): boolean =>
  surplusKobo > 0n && surplusKobo < paymentLimits.smallRestKobo;

const keptSurplusText = `Less than ${formatNaira(paymentLimits.smallRestKobo)} isn't sent back: it would cost more than it is. We keep it.`;

/** Texts for a backer whose payment has arrived in part, or with too much. */
export const arrivalTexts = {
  part: (arrivedKobo: Kobo, amountKobo: Kobo) =>
    `${formatNaira(arrivedKobo)} of ${formatNaira(amountKobo)} has arrived.`,
  rest: (deadline: Date) => `Send the rest with the same reference by ${formatWeekdayTime(deadline)}.`,
  restOverdue: (deadline: Date) =>
    `The rest was expected by ${formatDateTime(deadline)}. Please send it with the same reference.`,
  all: "Your transfer has arrived. You needn't send a receipt.",
  found: "We found your transfer, though it came without your reference.",
  foundAll: "You needn't send a receipt.",
  anothers: "The transfer that we had taken for yours was another's. Please send your receipt, or the money.",
  surplus: (amountKobo: Kobo) =>
    `${formatNaira(amountKobo)} more than the amount has arrived. ${isKeptSurplus(amountKobo) ? keptSurplusText : "It will be returned to you."}`,
  reduce: (lots: number) => `Take ${countLots(lots)} instead`,
  reduceHint: (lots: number, amountKobo: Kobo) =>
    `What has arrived pays for ${countLots(lots)} (${formatNaira(amountKobo)}). You can reduce your payment to them; the other lots go to others.`,
  reduced: "Your payment is reduced",
  overdue: "Rest overdue",
  notReducible: "This payment can't be reduced to what has arrived.",
} as const;

/** Returns the text for a backer about money to be given back. */
export function refundDueText({ refundDue, refundKobo, roundLots }: OwedPayment): string {
  if (refundDue === "project_removed") return paymentTexts.removed;
  if (refundDue === "project_taken") return roundLots === 1 ? paymentTexts.taken : paymentTexts.lotsTaken;
  if (refundKobo === null) {
    return refundDue === "not_funded" ? paymentTexts.pendingNotFunded : paymentTexts.pendingNotApproved;
  }
  const amount = formatNaira(refundKobo);
  if (refundDue === "not_funded") return paymentTexts.dueBack(amount);
  if (refundDue === "lots_gone") return paymentTexts.lotsGone(amount);
  return refundDue === "surplus" ? paymentTexts.surplus(amount) : paymentTexts.returned(amount);
}

export const paymentStatusUpdated = (status: PaymentStatus) => `Payment status updated to ${status}`;
