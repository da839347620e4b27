/** Keys of settings that the code knows. */
export const bankDetailKeys = {
  bankName: "bankname",
  accountName: "bankaccountname",
  accountNumber: "bankaccountnumber",
} as const;

export type BankDetails = { bankName: string; accountName: string; accountNumber: string };

export const requireSignInKey = "requiresigninforprojects";
