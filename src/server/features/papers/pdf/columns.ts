import type { PaperTable } from "#shared/papers/texts.ts";

/** The widths of a paper's columns, in points: as wide as their words need, and together no wider than the page. */

export type PaperPage = { orientation: "portrait" | "landscape"; margin: number; width: number; tableSize: number };

const margin = 48;
const portrait: PaperPage = { orientation: "portrait", margin, width: 595.28 - 2 * margin, tableSize: 9 };
const landscape: PaperPage = { orientation: "landscape", margin, width: 841.89 - 2 * margin, tableSize: 8.5 };

const padding = 10;
/** As a part of the font size: Noto Sans' figures take 0.57, bold ones too; most words take less. */
const letterWidth = 0.585;
/** Text beyond this is wrapped before another column has to. */
const maxLetters = 36;

type Column = { align: "left" | "right"; letters: number };

const columnsOf = ({ columns, rows, sums }: PaperTable): Column[] =>
  columns.map(({ label, align }, index) => ({
    align,
    letters: [[label], ...rows.map((row) => [row[index]]), ...sums.map((row) => [row[index]])].reduce(
      (most, [text]) => Math.max(most, lengthOf(text ?? "", align)),
      3,
    ),
  }));

/** Amounts stay on one line; of words the first 36 letters count. */
const lengthOf = (text: string, align: "left" | "right"): number =>
  align === "right" ? text.length : Math.min(text.length, maxLetters);

const widthOf = ({ letters }: Column, size: number): number => letters * size * letterWidth + padding;

/** The width that a table needs on an upright page, in points. */
export const naturalWidth = (table: PaperTable): number =>
  columnsOf(table).reduce((sum, column) => sum + widthOf(column, portrait.tableSize), 0);

/** Returns a portrait page, or a landscape one if a table would have to squeeze its words much. */
export const pageOf = (naturalWidths: readonly number[]): PaperPage =>
  Math.max(0, ...naturalWidths) > portrait.width * 1.25 ? landscape : portrait;

/** The widths without padding, as pdfmake takes them. */
export function columnWidths(table: PaperTable, { width, tableSize }: PaperPage): number[] {
  const columns = columnsOf(table);
  const natural = columns.map((column) => widthOf(column, tableSize));
  const isFlexible = columns.map(({ align }) => align === "left");
  if (!isFlexible.includes(true)) isFlexible.fill(true);
  const fixed = sumOf(natural.filter((_, index) => !isFlexible[index]));
  const flexible = sumOf(natural) - fixed;
  // Amounts take two thirds of the page at most; longer ones wrap.
  const fixedWidth = Math.min(fixed, (width * 2) / 3);
  return natural.map((each, index) => {
    const share = isFlexible[index] ? ((width - fixedWidth) * each) / flexible : (fixedWidth * each) / fixed;
    return share - padding;
  });
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
