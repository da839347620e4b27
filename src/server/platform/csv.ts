/** Spreadsheets run a cell that begins with one of these characters as a formula. */
export const beginsFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

/** One line of a CSV file: every cell is quoted. What to do about {@link beginsFormula} is up to the file's reader. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
