/** Texts about a bank statement's file: its faults, their rows, and what was assumed. No schema is here. */

export const statementLimits = {
  megabytes: 10,
  lines: 20_000,
  /** Rows that aren't lines: the preamble, headings repeated on each page, totals. */
  otherRows: 1_000,
  columns: 60,
  /** Headings are looked for, and shown, among so many first rows. */
  headingRows: 40,
  narrationLength: 1_000,
  referenceLength: 200,
  /** Faults that are listed; the rest is counted. */
  faults: 100,
  inflatedMegabytes: 100,
} as const;

export const statementBytes = statementLimits.megabytes * 1024 * 1024;

/** "html" is a table in a web page, which some banks call .xls. */
export const statementFormats = ["csv", "xlsx", "html", "mt940", "camt053"] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** Which of a date's figures the bank writes first: 05/11 is 5 November, or 11 May. */
export const dayOrders = ["day_first", "month_first"] as const;
export type DayOrder = (typeof dayOrders)[number];
const firstOf = (order: DayOrder) => (order === "day_first" ? "day" : "month");
/** "the day first, like 25/11". */
export const dayOrderInWords = (order: DayOrder): string =>
  `the ${firstOf(order)} first, like ${order === "day_first" ? "25/11" : "11/25"}`;

/**
 * The parts of a statement that are no lines. "other" are rows without money: blank ones, headings, totals, texts, the
 * rest of a narration.
 */
export const leftOutKinds = ["failed", "pending", "reversed", "zero", "other"] as const;
export type LeftOutKind = (typeof leftOutKinds)[number];
export type LeftOut = Record<LeftOutKind, number>;

const leftOutWords: Record<LeftOutKind, string> = {
  failed: "failed",
  pending: "pending",
  reversed: "reversed",
  zero: "of ₦0.00",
  other: "without money",
};

/** "2 failed, 4 without money"; empty where nothing was left out. */
export const leftOutInWords = (leftOut: LeftOut): string =>
  leftOutKinds
    .filter((kind) => leftOut[kind] > 0)
    .map((kind) => `${leftOut[kind].toLocaleString("en-NG")} ${leftOutWords[kind]}`)
    .join(", ");

/** "1 row is", "2 rows are". */
const rowsAre = (count: number) => (count === 1 ? "1 row is" : `${count.toLocaleString("en-NG")} rows are`);
const lines = (count: number) => (count === 1 ? "1 line" : `${count.toLocaleString("en-NG")} lines`);
const maxLines = statementLimits.lines.toLocaleString("en-NG");

/** About the whole file. */
export const statementTexts = {
  empty: "This file is empty.",
  tooLarge: `A statement is at most ${statementLimits.megabytes} MB. Choose fewer days.`,
  tooManyLines: `A statement has at most ${maxLines} lines. Choose fewer days.`,
  tooManyColumns: `A statement has at most ${statementLimits.columns} columns.`,
  noLines: "This file has no lines.",
  pdf: "A PDF can't be read. Ask your bank for CSV, Excel or MT940.",
  oldExcel:
    "An old Excel file (.xls) can't be read. Save it as .xlsx or CSV, or ask your bank for CSV, Excel or MT940.",
  password: "This Excel file is protected by a password. Save it without one.",
  inflated: `This Excel file holds more than ${statementLimits.inflatedMegabytes} MB. Save only the statement's sheet.`,
  damaged: "This file is damaged or cut off. Download it again.",
  doctype: "This file declares a document type, which a statement has no use for. It isn't read.",
  unknown: "This isn't a bank statement we can read. Ask your bank for CSV, Excel or MT940.",
  otherCurrency: (currency: string) =>
    `This statement is in ${currency}. Only statements of accounts in naira are imported.`,
  noColumns: "We could not find the columns of this file by their names. Please choose them.",
  severalAccounts: "This file holds statements of several accounts. Export them one by one.",
  bothDayOrders: (dayFirst: number, monthFirst: number) =>
    `Row ${dayFirst} writes the day first and row ${monthFirst} the month first. Choose one date format at your bank, and download the file again.`,
  mixedDates: (date: number, text: number) =>
    `Row ${date} has a real date and row ${text} a date as text. Excel may have swapped days and months. Download the file again, and don't save it in Excel.`,
} as const;

/** About one row; "Row 14: " stands before it. */
export const statementRowTexts = {
  noDate: "there is an amount, but no date.",
  noDay: (text: string) => `“${text}” is not a date.`,
  impossibleDay: (text: string) => `${text} is not a day of the calendar.`,
  noAmount: "there is a date, but no amount.",
  badAmount: (text: string) => `“${text}” is not an amount.`,
  badBalance: (text: string) => `“${text}” is not a balance.`,
  bothAmounts: "there is a debit and a credit.",
  negativeCredit: "the credit is negative, and no balance proves that the money went out.",
  negativeDebit: "the debit is negative, and no balance proves whether the money went out or came back.",
  wrongMark: (text: string) => `“${text}” is in the wrong column.`,
  noMark: (text: string) => `“${text}” says neither debit nor credit.`,
  contradiction: "the amount's sign and its mark contradict each other.",
  tooManyCells: (cells: number, columns: number) =>
    `there are ${cells} cells, but ${columns} columns. A comma in an amount or a text needs quotation marks around it.`,
  thousands: (text: string) => `“${text}” may be one amount or two. Amounts with commas need quotation marks.`,
  cutOff: "the file ends in the middle of this row. Download it again.",
  rowTooLong: "this row is too long.",
  openQuote: "a quotation mark is opened and not closed.",
  narrationTooLong: `the narration is longer than ${statementLimits.narrationLength.toLocaleString("en-NG")} characters.`,
  referenceTooLong: `the reference is longer than ${statementLimits.referenceLength} characters.`,
  otherCurrency: (currency: string) => `the currency is ${currency}. Only naira accounts are imported.`,
  badField: (name: string, text: string) => `${name} can't be “${text}”.`,
  missingField: (name: string) => `${name} is missing.`,
  unknownStatus: (title: string, text: string) =>
    `“${text}”${title === "" ? "" : ` in the column “${title}”`} is no status that we know. Ask your bank what it means, or for a file of booked rows only.`,
  noStatus: (title: string) => `the column “${title}” says nothing, though it does in other rows.`,
  editedDate: (text: string) =>
    `“${text}” is written unlike the other dates. Download the file again, and don't change it.`,
  otherTable: "another table begins here. Export one account at a time.",
  outsideStatement: "this line stands outside a statement.",
} as const;

/** Assumptions of reading a statement that its reader should know. */
export const statementNotes = {
  dayOrderAssumed: "No day of this file is above 12, so it can't tell days from months. The day was read first.",
  dayOrderKept: (order: DayOrder) =>
    `No day of this file is above 12, so it can't tell days from months. The ${firstOf(order)} was read first, as in this account's earlier statements.`,
  pending: (count: number) => `${lines(count)} not booked yet ${count === 1 ? "was" : "were"} left out.`,
  failed: (count: number) => `${rowsAre(count)} left out because the bank says ${count === 1 ? "it" : "they"} failed.`,
  notBooked: (count: number) =>
    `${rowsAre(count)} left out because the bank says ${count === 1 ? "it is" : "they are"} pending.`,
  reversed: (count: number) =>
    `${rowsAre(count)} left out because the bank says ${count === 1 ? "it was" : "they were"} reversed, and no balance counts ${count === 1 ? "it" : "them"}.`,
  zero: (count: number) => `${lines(count)} of ₦0.00 ${count === 1 ? "was" : "were"} left out.`,
  otherSheets: "This file has several sheets. Only the first with a statement was read.",
} as const;
export type StatementNote = string;
