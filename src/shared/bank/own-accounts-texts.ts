/** The platform's own bank accounts: texts. No schema is here, as in projects-texts.ts. */

export const ownAccountTexts = {
  fetchFailed: "Failed to fetch the accounts",
  none: "No account yet. Add the one that backers transfer to.",
  added: "Account added",
  changed: "Account changed",
  bankCodeInvalid: "A bank code has 3 or 6 digits",
  notFound: "This account no longer exists.",
  taken: "This account is kept already.",
  changedMeanwhile: "The accounts were changed in the meantime. Please look at them again.",
  opened:
    "Statements of this account were imported, so its bank and its number can't change any more. Add another account.",
} as const;
