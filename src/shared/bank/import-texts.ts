import { formatDate, formatDay } from "#shared/dates.ts";
import { type DayOrder, dayOrderInWords, type StatementFormat, statementFormats } from "./statement-texts.ts";

/** Importing a bank's statement: texts. No schema is here. */

type FormatTexts = {
  name: string;
  /** True if a bank knows it by that name. */
  isAskedFor: boolean;
  /** As one of the files that may be chosen, and how their names end. */
  file: string;
  endings: readonly string[];
};

const formatTexts: Record<StatementFormat, FormatTexts> = {
  csv: { name: "CSV", isAskedFor: true, file: "CSV", endings: [".csv", ".txt"] },
  xlsx: { name: "Excel", isAskedFor: true, file: "Excel (.xlsx)", endings: [".xlsx"] },
  html: { name: "HTML table (.xls)", isAskedFor: false, file: "GTBank's .xls", endings: [".xls", ".html"] },
  mt940: { name: "MT940", isAskedFor: true, file: "MT940", endings: [".sta", ".940", ".mt940"] },
  camt053: { name: "CAMT.053", isAskedFor: true, file: "CAMT.053", endings: [".xml"] },
};
const inOrder = statementFormats.map((format) => formatTexts[format]);

export const formatName = (format: StatementFormat): string => formatTexts[format].name;

/** "CSV, Excel or MT940". */
const oneOf = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** The formats as a bank offers them, and the files that may be chosen, in words and as an input takes them. */
export const formatsInWords = oneOf(inOrder.filter(({ isAskedFor }) => isAskedFor).map(({ name }) => name));
export const statementFilesInWords = oneOf(inOrder.map(({ file }) => file));
export const statementFileEndings = inOrder.flatMap(({ endings }) => endings).join(",");

/** Days in words: all of a few, else the first ones and how many more. */
function listDays(days: readonly string[]): string {
  const shown = days.slice(0, 4).map(formatDay);
  const more = days.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more ${more === 1 ? "day" : "days"}`;
  return shown.length === 1 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

export const bankImportTexts = {
  accountMissing: "Choose the account that this statement is of",
  accountClosed: "This account is closed. Open it again in the settings before a statement is imported.",
  accountNotFound: "This account no longer exists.",
  fileMissing: "Please choose the bank's statement",
  mappingInvalid: "Choose the columns again",
  openingInvalid: "Enter the balance as an amount, like 1,250,000.50",
  gapReasonTooLong: "At most 500 characters",
  busy: "Several statements are being read at the moment. Please try again in a minute.",
  tookTooLong: "Reading this file took too long. Save only the statement in it, or choose fewer days.",
  tooMuchMemory: "Reading this file takes too much memory. Save only the statement in it, or choose fewer days.",
  readerFailed: "This file can't be read. Ask your bank for another format, like CSV or MT940.",
  otherAccount: (printed: string, accountNumber: string) =>
    `This file is of account ${printed}, not of ${accountNumber}. Choose the account that it belongs to.`,
  beforeOpening: (row: number, day: string, openedOn: string) =>
    `Row ${row}: ${formatDay(day)} is before ${formatDay(openedOn)}, the first day of this account's first statement. Choose days from then on.`,
  inFuture: (row: number, day: string) =>
    `Row ${row}: ${formatDay(day)} is in the future. Are day and month in the order that the file writes them?`,
  dayInFuture: (day: string) => `This file is of ${formatDay(day)}, which is in the future.`,
  otherDayOrder: (now: DayOrder, before: DayOrder) =>
    `This file writes ${dayOrderInWords(now)}, and this account's earlier statements write ${dayOrderInWords(before)}. Download it with the same dates as before. If your bank has changed them, say so under “Dates”, where you say which column is which.`,
  unprovedDayOrder: (before: DayOrder) =>
    `This account's earlier statements write ${dayOrderInWords(before)}, and nothing in this file proves another order. Choose “As the file's dates tell” under “Dates”, where you say which column is which.`,
  otherFormat: (days: readonly string[], before: StatementFormat, now: StatementFormat) =>
    `${listDays(days)} ${days.length === 1 ? "was" : "were"} imported as ${formatName(before)}. The same lines in ${formatName(now)} would count twice: import these days as ${formatName(before)} again, or choose other days.`,
  otherColumns: (days: readonly string[]) =>
    `${listDays(days)} ${days.length === 1 ? "was" : "were"} imported with the same amounts and other texts, so other columns were chosen then. The same lines would count twice: choose the columns as they were, or export other days.`,
  otherColumnsOfFile: (at: Date) =>
    `This file was imported on ${formatDate(at)} already, with other columns. The same lines would count twice: choose the columns as they were then.`,
  fileGone: "This statement's file can't be opened.",
  linkExpired: "This link has expired. Please load the page again.",
  alreadyImported: (at: Date) => `This file was imported on ${formatDate(at)} already.`,
} as const;

/** Bytes of a form's field: a mapping names its columns. */
export const statementFieldBytes = 64 * 1024;
