/** Bank data that was wrong and is void: labels and refusals. No schema is here. */

const linesOf = (lines: number) => (lines === 1 ? "1 line" : `${lines} lines`);

export const voidTexts = {
  failed: "What is void could not be loaded",
  gone: "This isn't there any more, or it is void already.",
  matched: (lines: number) =>
    lines === 1
      ? "The line is matched. Undo its match first."
      : `${lines} of its lines are matched. Undo their matches first.`,
  notOpened: "No balance was entered for this account yet.",
  hasLines: (lines: number) => `The account still has ${linesOf(lines)}. Void its files first.`,
  meaning: {
    statement:
      "For a file of another account, or one that the bank wrote wrong. Its lines no longer count, and the right file can be imported after. It stays visible here.",
    line: "For a line that the bank never had. It no longer counts, and stays visible under Imports.",
    opening: "For a balance that was typed wrong. The next statement asks for it again.",
  },
  statementTitle: (fileName: string, days: string) => `Void the statement ${fileName} of ${days}`,
  lineTitle: (amount: string, day: string) => `Void the line of ${amount} of ${day}`,
  openingTitle: (amount: string, account: string) => `Void the opening balance of ${amount} of ${account}`,
  linesGo: (lines: number, sum: string) =>
    `${lines === 1 ? "1 line no longer counts" : `${lines} lines no longer count`}; the account's balance changes by ${sum}. What is void stays visible under Imports.`,
  fromOthers: "Lines that a later file has too go with it. Import that file again after the right one.",
  importAfter: "The right file can be imported then.",
  openingGoes: "The next statement asks for the balance before its first line again.",
} as const;
