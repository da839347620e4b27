/** Keys of settings that the code knows. */
export const bankDetailKeys = {
  bankName: "bankname",
  accountName: "bankaccountname",
  accountNumber: "bankaccountnumber",
} as const;

/** Where contact messages and job applications are announced. */
export const supportEmailKey = "supportemail";

export type BankDetails = { bankName: string; accountName: string; accountNumber: string };

export const requireSignInKey = "requiresigninforprojects";
/** Administrators must have a second factor (default: they may). */
export const requireTwoFactorKey = "requiretwofactor";

/** A yes-or-no setting, off unless it says "true". */
export const isSwitchedOn = (value: string | null | undefined): boolean => value === "true";
