import { formatDate, formatDateTime } from "./dates.ts";
import { countLots } from "./projects-texts.ts";

/** Holding lots while they are being paid, and waiting for those that others hold. No schema is here. */

export const holdStates = ["live", "claimed", "used", "lapsed", "released", "ended"] as const;
export type HoldState = (typeof holdStates)[number];
export const holdStateLabels: Record<HoldState, string> = {
  live: "Held",
  claimed: "Paid, under review",
  used: "Bought",
  lapsed: "Lapsed",
  released: "Given back",
  ended: "Ended by us",
};

export const holdLimits = {
  /** Live holds without a receipt, per person. */
  open: 2,
  /** So many lapsed holds within these days pause holding for as many days. */
  lapsed: 3,
  days: 30,
  /** What a rejection adds, once. */
  rejectionHours: 12,
  /** A mail says so this long before the end. */
  warningHours: 4,
  reasonLength: 500,
} as const;

export const holdTexts = {
  hold: "Hold my lot",
  held: (until: Date) => `Held for other backers until ${formatDateTime(until)}`,
  mine: (lots: number, until: Date) => `${countLots(lots)} held for you until ${formatDateTime(until)}`,
  yourTurn: (until: Date) => `It is your turn until ${formatDateTime(until)}`,
  noneFree: "All lots are held or taken. You can join the waiting list.",
  tooMany: "You hold lots of two farms already. Send a receipt for one, or give one back, before you hold another.",
  paused: (date: Date) => `You may hold again on ${formatDate(date)}.`,
  alreadyHeld: "You hold lots of this project already.",
  notHeld: "This hold has ended.",
  alreadyWaiting: "You are on the waiting list already.",
  notFull: "Lots are free: you can hold them now.",
  released: "Your lots are given back",
  joined: "You are on the waiting list",
  left: "You are no longer on the waiting list",
  extended: "The hold is extended",
  endedByHand: "The hold is ended",
  reasonMissing: "Please say why. The backer reads it.",
  reasonTooLong: "The reason has at most 500 characters",
} as const;
