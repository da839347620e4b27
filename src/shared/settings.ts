/** Keys of known settings. */
export const bankDetailKeys = {
  bankName: "bankname",
  accountName: "bankaccountname",
  accountNumber: "bankaccountnumber",
} as const;

/** The recipient of notices of contact messages and job applications. */
export const supportEmailKey = "supportemail";

export type BankDetails = { bankName: string; accountName: string; accountNumber: string };

export const requireSignInKey = "requiresigninforprojects";
/** Whether administrators must have a second factor (optional by default). */
export const requireTwoFactorKey = "requiretwofactor";

/** Whether a yes-or-no setting is on: only if it is "true". */
export const isSwitchedOn = (value: string | null | undefined): boolean => value === "true";
