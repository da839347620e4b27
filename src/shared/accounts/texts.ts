import { accountBlocked } from "./sessions.ts";

/** Separate from the schemas, for pages that only show texts. */
export const accountTexts = {
  blocked: accountBlocked,
  passwordMissing: "Enter your current password.",
  passwordWrong: "Your current password is not right.",
  passwordSame: "Choose a password that is not the one you have.",
  signInAgain: "Please sign out and in again first: for this, your sign-in must be less than 10 minutes old.",
  proofRequired: "Nothing was changed: this takes your password.",
  changedMeanwhile: "Your account was changed in the meantime. Please reload the page and try again.",
  emailSame: "This is already your email address.",
  emailSent: "We have sent a link to the new address. Your email changes when you open it.",
  emailLinkInvalid: "This link is invalid or has expired. Please ask for the change again in your account.",
  lastOwner: "You are the last active owner. Make somebody else an owner first.",
  closeUnconfirmed: "Type the words exactly as shown.",
  moneyDue: (amount: string) => `${amount} is still due to you. Tell us where to send it first.`,
  moneyComing: (amount: string) =>
    `${amount} is still due to you, and goes to your account with a payment run. You can close your account here once it is paid.`,
  moneyOnItsWay: (amount: string) => `${amount} is on its way to you. You can close the account once it is paid.`,
  moneyUnallocated: (amount: string) =>
    `${amount} of yours is with us and hasn't been allocated yet. You can close the account once it is used or given back.`,
  farmUndecided: (title: string) =>
    `A farm you back isn't decided yet: ${title}. You can close the account once it starts or your money is given back.`,
  paymentPending: "A payment of yours is under review. You can close the account once it is decided.",
  lotsHeld: "You hold lots of a project. Give them back before you close the account.",
  closed: "Your account is closed",
  exportFailed: "Your data could not be downloaded. Please try again.",
} as const;

/** Days in which a payout may come back. Whoever closes an account keeps an address until they are over. */
export const returnDays = 31;

/** The phrase that confirms closing an account. */
export const closePhrase = "close my account";

/** How long the password (and code) counts for what it guards, once given. */
export const proofMinutes = 10;

/** How recent a sign-in must be to prove an account without a password. */
export const freshSignInMinutes = 10;

/** Replaces the name of a person who closed the account. */
export const closedName = "Closed account";

/** The download address of an account's data. */
export const exportPath = "/files/my-data.json";
