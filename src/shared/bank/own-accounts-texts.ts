/** The platform's own bank accounts: texts. No schema is here. */

import { formatNairaExact, type Kobo } from "#shared/money.ts";

export const ownAccountTexts = {
  fetchFailed: "Failed to fetch the accounts",
  none: "No account yet. Add the one that backers transfer to.",
  added: "Account added",
  changed: "Account changed",
  bankCodeInvalid: "A bank code has 3 or 6 digits",
  notFound: "This account no longer exists.",
  taken: "This account is kept already.",
  changedMeanwhile: "The accounts were changed in the meantime. Please look at them again.",
  closed: "Account closed",
  reopened: "Account opened again",
  notChanged: "The account was not changed",
  closedAlready: "This account is closed already.",
  notClosed: "This account isn't closed.",
  stillActive: "Backers transfer to this account. Make another one active first.",
  unmatched: (lines: number) =>
    `${lines === 1 ? "1 line of this account is" : `${lines} lines of this account are`} not matched yet.`,
  notEmpty: (balance: Kobo) =>
    `By the books ${formatNairaExact(balance)} is on this account. Import its last statement, or void what is wrong.`,
  closing: "No statement is imported for it any more. It can be opened again.",
  opened:
    "Statements of this account were imported, so its bank and its number can't change any more. Add another account.",
} as const;
