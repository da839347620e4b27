/** Accounts that money is paid out to: limits and texts. No schema is here. */

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
