/** Accounts that money is paid out to: limits and texts. No schema is here. */

import { formatDate, formatWeekday } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { type Site, supportOf } from "#shared/site/site.ts";
import type { PayoutKind, PayoutLabels } from "./texts.ts";

export const payeeAccountLimits = { restHours: 48, nameLength: 100 } as const;

export const payeeAccountTexts = {
  bankMissing: "Choose a bank",
  numberInvalid: "The account number must be 10 digits",
  nameInvalid: "Enter the account's name: 2 to 100 characters on one line",
  checkDigit: "This number isn't one that this bank usually gives. Please compare it with your bank's app.",
  nameUnlike: "The account's name is unlike the person's.",
  ownNameUnlike: "This name is unlike yours. Banks may send money back when the name differs.",
  saved: "Your account is saved",
  notNeeded: "Only for a person who can't sign in: whoever can gives the account themselves.",
  personGone: "This person no longer exists.",
  unchanged: "This is the account that is used already.",
  title: (person: string) => `Pay ${person}'s money to another account`,
} as const;

/** "Access Bank ••• 6789": enough to know one's own account by. */
export const maskedAccount = ({ bankName, accountNumber }: { bankName: string; accountNumber: string }): string =>
  `${bankName} ••• ${accountNumber.slice(-4)}`;

/** Where a backer reads of the money that is paid to them. */
export const moneyTabPath = "/profile?tab=money";

/** Where the money of a farm stands, as its keepers read it. */
export const farmPayoutLabels: PayoutLabels = {
  waiting: "Waits for the account",
  due: "To be sent",
  overdue: "To be sent",
  in_run: "To be sent",
  sent: "On its way",
  paid: "Paid",
  failed: "To be sent again",
  refused: "Not sent",
  cancelled: "Taken back",
};

/** The states of a payout, in the words of the person that it is for. */
export const ownPayoutLabels: PayoutLabels = {
  waiting: "Needs your account",
  due: "Due",
  overdue: "Late",
  in_run: "Being prepared",
  sent: "On its way",
  paid: "Paid",
  failed: "Came back",
  refused: "Not sent",
  cancelled: "Cancelled",
};

/** The last day of a promise, which ends at the midnight `until`. */
const lastDayOf = (until: Date): string => {
  const lastDay = new Date(until.getTime() - 1);
  return `${formatWeekday(lastDay)}, ${formatDate(lastDay)}`;
};

/** Texts for a person about money that is paid to them, from the day that it is due. */
export const ownMoneyTexts = {
  /** A sum of payouts of these kinds: what came back of a payment, what a harvest brought, or both. */
  owed: (amount: Kobo, kinds: readonly PayoutKind[]) => {
    const ofHarvest = kinds.filter((kind) => kind === "harvest").length;
    if (ofHarvest === 0) return `${formatNaira(amount)} will be returned to you.`;
    return `${formatNaira(amount)} ${ofHarvest === kinds.length ? "of your harvest " : ""}will be paid to you.`;
  },
  whereTo: "Tell us where to.",
  nothing: "Nothing is due to you",
  nothingText: "When a harvest of yours was sold, or money is returned to you, you can see here when it comes.",
  accountText: "Money that we owe you goes to this account. We never ask for your BVN, your NIN or a card.",
  rest: "For your safety a new account rests for 48 hours before we pay to it, and we email you about it.",
  resting: (usableFrom: string) => `The account is new: we pay to it from ${usableFrom} on.`,
  seeMoney: "See where your money goes",
  known: "We pay it to the account that you gave us.",
  /** For whoever closed their account, and can't give one here. */
  writeToUs: (site: Site) => `Please write to ${supportOf(site)} and name an account.`,
  /** `until`: the midnight that ends the last day of our promise. */
  due: (account: string, until: Date) => `${account}. In the payment run of ${lastDayOf(until)}, at the latest.`,
  inRun: (account: string, until: Date) =>
    `${account}. In a payment run that our team is checking. It is sent by ${lastDayOf(until)}, at the latest.`,
  overdue: (account: string, until: Date) =>
    `${account}. We promised to send it by ${lastDayOf(until)}, and have not. We are sorry. Our team is reminded every day until it is sent.`,
  sent: (at: Date, reference: string) => `Sent ${formatDate(at)}, reference ${reference}.`,
  paid: (at: Date, reference: string) => `Paid ${formatDate(at)}, reference ${reference}.`,
  cameBack: (reason: string) => `Your bank gave the money back (${reason}).`,
  checkAccount: "Please check the account.",
  again: (isWithheld: boolean) =>
    isWithheld ? "We look at it before we send it again." : "We send it again, and you needn't do anything.",
  notBack:
    "We wrote that it had come back. That was a mistake: it went to the account below, and you needn't do anything.",
  refused: "Our bank did not take our file, so nothing left.",
  withheld: (site: Site, account: string) =>
    `${account}. We are looking at this payout before we send it. Questions? Write to ${supportOf(site)}.`,
  notSent: "Our bank did not send the money.",
} as const;
