import { formatDate, formatDateTime, formatWeekdayTime } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { countLots } from "./texts.ts";

/** Holding lots while they are being paid, and waiting for those that others hold. No schema is here. */

export const holdStates = ["live", "claimed", "used", "lapsed", "released", "ended"] as const;

export const holdStateLabels: Record<(typeof holdStates)[number], string> = {
  live: "Held",
  claimed: "Money arrived",
  used: "Bought",
  lapsed: "Lapsed",
  released: "Given back",
  ended: "Ended",
};

/** The state of an entry of the waiting list. */
export type WaitingState = "waiting" | "offered" | "left";

export const waitingStateLabels: Record<WaitingState, string> = {
  waiting: "Waiting",
  offered: "Offered",
  left: "Left",
};

/** The limits of a person's holds. How long one lasts is the setting `holdhours`. */
export const holdLimits = {
  /** Live holds without a receipt, per person. */
  open: 2,
  /** So many holds that came to nothing within these days pause holding for as many days. */
  lapsed: 3,
  days: 30,
  /** Holds and places on waiting lists, per person within 24 hours. */
  perDay: 20,
  /** Receipts under review, of who has no transfer that the bank showed. */
  receipts: 2,
  /** The hours that a rejection adds, once. */
  rejectionHours: 12,
  /** Working days that a receipt keeps a hold: while no statement was ever imported, and at most afterwards. */
  receiptDays: 3,
  reviewDays: 7,
  /** Working days left once the statement of the receipt's day was imported. */
  coveredDays: 1,
  /** Working days for the money or a receipt, once the transfer that kept a hold turned out to be another's. */
  unclaimedDays: 3,
  /** A mail says so this long before the end. */
  warningHours: 4,
  reasonLength: 500,
} as const;

const sixDaysMs = 6 * dayMs;

/** "Tuesday 14:05", or the date where the weekday could be taken for that of another week. */
const endOf = (until: Date, now: Date): string =>
  until.getTime() - now.getTime() < sixDaysMs ? formatWeekdayTime(until) : formatDateTime(until);

export const holdTexts = {
  /** The button: for so many hours, and what they cost together. */
  hold: (lots: number, hours: number, amountKobo: Kobo) =>
    `Hold ${lots === 1 ? "my lot" : countLots(lots)} for ${hours} ${hours === 1 ? "hour" : "hours"}, ${formatNaira(amountKobo)}`,
  held: (until: Date, now: Date) => `Held for other backers until ${endOf(until, now)}`,
  /** In one line of a phone; `mine` is the whole sentence. */
  mineBriefly: (lots: number, until: Date, now: Date) => `${countLots(lots)} held until ${endOf(until, now)}`,
  mine: (lots: number, until: Date, now: Date) => `${countLots(lots)} held for you until ${endOf(until, now)}`,
  yourTurn: (until: Date, now: Date) => `It is your turn until ${endOf(until, now)}`,
  noneFree: "All lots are held or taken. You can join the waiting list.",
  tooMany: "You hold lots of two farms already. Send a receipt for one, or give one back, before you hold another.",
  paused: (date: Date) => `You may hold again on ${formatDate(date)}.`,
  tooManyToday: "You have held lots or joined waiting lists 20 times within a day. Please try again tomorrow.",
  /** Read before giving the last but one of them back, and before the one that pauses holding. */
  vain: (before: number) =>
    before + 1 < holdLimits.lapsed
      ? `Holds that you give back or let lapse are counted: after three within ${holdLimits.days} days you can't hold lots for ${holdLimits.days} days. This is the ${before === 0 ? "first" : "second"}.`
      : `This is the third hold within ${holdLimits.days} days that you give back or let lapse: you can't hold lots for the next ${holdLimits.days} days.`,
  cancel: "Cancel my hold",
  alreadyHeld: "You hold lots of this project already.",
  notHeld: "This hold has ended.",
  underReview: "We are reviewing your receipt. Until then these lots can't be given back.",
  alreadyWaiting: "You are on the waiting list already.",
  notFull: "Lots are free: you can hold them now.",
  released: "Your lots are given back",
  joined: "You are on the waiting list",
  left: "You are no longer on the waiting list",
  extended: "The hold is extended",
  endedByHand: "The hold is ended",
  accountBlocked: "Your account was blocked.",
  projectRemoved: "The project was removed.",
  reasonMissing: "Please say why. The backer reads it.",
  reasonTooLong: "The reason has at most 500 characters",
} as const;
