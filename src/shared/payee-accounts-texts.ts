/** Accounts that money is paid out to: limits and texts. No schema is here. */

import { formatDate, formatWeekday } from "./dates.ts";
import { formatNaira, type Kobo } from "./money.ts";

export const payeeAccountLimits = { restHours: 48, nameLength: 100 } as const;

export const payeeAccountTexts = {
  bankMissing: "Choose a bank",
  numberInvalid: "The account number must be 10 digits",
  nameInvalid: "Enter the account's name: 2 to 100 characters on one line",
  checkDigit: "This number isn't one that this bank usually gives. Please compare it with your bank's app.",
  nameUnlike: "The account's name is unlike the person's.",
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

/** What a person reads of money that is paid to them, from the day that it is due. */
export const ownMoneyTexts = {
  returned: (amount: Kobo) => `${formatNaira(amount)} will be returned to you.`,
  whereTo: "Tell us where to.",
  known: "We pay it to the account that you gave us.",
  due: (account: string, run: Date) => `${account}. In the payment run of ${formatWeekday(run)}.`,
  resting: (account: string, usableFrom: Date) =>
    `${account}. The account is new, so we pay to it from ${formatDate(usableFrom)} on.`,
  sent: (at: Date, reference: string) => `Sent ${formatDate(at)}, reference ${reference}.`,
  paid: (at: Date, reference: string) => `Paid ${formatDate(at)}, reference ${reference}.`,
  cameBack: (reason: string) => `Your bank gave the money back (${reason}). Please check the account.`,
  notSent: "Our bank did not send the money. Please check the account.",
} as const;
