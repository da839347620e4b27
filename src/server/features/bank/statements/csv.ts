import { CsvError, parse } from "csv-parse/sync";
import { statementLimits, statementRowTexts, statementTexts } from "#shared/bank/statement-texts.ts";
import { looksLikeAmount } from "./amounts.ts";
import type { Table } from "./cells.ts";
import { findColumns } from "./columns.ts";
import { readWrittenDay } from "./dates.ts";
import { Refusal, rowRefusal } from "./statement.ts";

const SEPARATORS = [",", ";", "\t", "|"];
/** Characters. A longer line would become millions of cells. */
const MAX_LINE = 100_000;
const MAX_ROWS = statementLimits.lines + statementLimits.otherRows;

/**
 * The cells of a text with separators. The separator is the one by which headings are found in the first rows, else the
 * one that gives most cells.
 */
export function readCsv(text: string): Table {
  refuseLongLines(text);
  const separator = findSeparator(text);
  const rows = parseRows(text, separator);
  if (rows.length > MAX_ROWS) throw new Refusal(statementTexts.tooManyLines);
  const swallowing = rows.findIndex((row) => row.some((cell) => hasSwallowedRow(cell, separator)));
  if (swallowing >= 0) throw rowRefusal(swallowing + 1, statementRowTexts.openQuote);
  return { rows, separator, isLastRowOpen: !/[\r\n]$/.test(text) };
}

function refuseLongLines(text: string): void {
  const newline = text.includes("\n") ? "\n" : "\r";
  for (let row = 1, at = 0; at < text.length; row++) {
    const end = text.indexOf(newline, at);
    const next = end === -1 ? text.length : end + 1;
    if (next - at > MAX_LINE) throw rowRefusal(row, statementRowTexts.rowTooLong);
    at = next;
  }
}

/** A row is a record, as a spreadsheet counts them: a cell in quotation marks may go over several lines. */
function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      // Named, because else the first of the file would be the only one.
      record_delimiter: ["\r\n", "\n", "\r"],
      to: MAX_ROWS + 1,
      // A longer one goes over many lines: its mark isn't closed where it should be.
      max_record_size: MAX_LINE,
      on_record: refuseWideRow,
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = (typeof error.records === "number" ? error.records : 0) + 1;
    throw rowRefusal(row, statementRowTexts.openQuote);
  }
}

/** Before other rows are kept: a hundred as wide as their lines may be are millions of cells. */
function refuseWideRow(row: string[]): string[] {
  if (row.length > statementLimits.columns) throw new Refusal(statementTexts.tooManyColumns);
  return row;
}

/** True if a cell goes on to a row of the table, because a mark was opened by mistake and closed by that of another row. */
function hasSwallowedRow(cell: string, separator: string): boolean {
  if (!/[\r\n]/.test(cell)) return false;
  const [, ...more] = cell.split(/[\r\n]+/);
  return more.some((line) => {
    const parts = line.split(separator);
    return parts.length > 2 && parts.some((part) => looksLikeAmount(part) || readWrittenDay(part).kind !== "none");
  });
}

/** The first rows as any separator would cut them. Quotation marks aren't looked at: they are those of one of them. */
const cutRows = (text: string, separator: string): string[][] =>
  text
    .slice(0, 100_000)
    .split(/\r\n|\r|\n/, statementLimits.headingRows)
    .map((line) => line.split(separator));

function findSeparator(text: string): string {
  const tables = SEPARATORS.map((separator) => ({ separator, rows: cutRows(text, separator) }));
  const named = tables.find(({ rows }) => findColumns(rows, null) !== null);
  const widest = tables.toSorted((one, other) => cellsOf(other.rows) - cellsOf(one.rows))[0];
  return (named ?? widest)?.separator ?? ",";
}

const cellsOf = (rows: string[][]): number => rows.reduce((sum, row) => sum + row.length, 0);
