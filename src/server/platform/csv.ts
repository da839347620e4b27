const formulaStarts = new Set(["=", "+", "-", "@", "\t", "\r"]);

/** Spreadsheets run a cell that begins with one of these characters as a formula. */
export const beginsFormula = (text: string): boolean => formulaStarts.has(text.charAt(0));

/** One line of a CSV file: every cell is quoted. What to do about {@link beginsFormula} is up to the file's reader. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(",")}\r\n`;

/** Few cells hold a quote, and to look for one costs half as much as to replace none. */
const quoted = (cell: string): string => `"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`;
