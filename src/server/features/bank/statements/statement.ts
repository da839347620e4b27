import {
  type DayOrder,
  type LeftOut,
  type StatementFormat,
  type StatementNote,
  statementLimits,
  statementNotes,
  statementRowTexts,
} from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";

/** A day like "2026-11-05". */
export type Day = string;

/** One movement on the account, as the bank tells it. */
export interface StatementLine {
  /** Counted from 1 in the file, the preamble and the headings included; for CAMT.053 the number of the entry. */
  row: number;
  date: Day;
  valueDate: Day | null;
  /** Money in is positive. */
  amountKobo: bigint;
  /** The balance after the line. */
  balanceKobo: bigint | null;
  narration: string;
  bankReference: string | null;
  /** The payer's own reference, where the format has a place for it. */
  customerReference: string | null;
  /** Who paid or was paid, where the format has a place for it. */
  counterparty: string | null;
  /** The 30 digits by which the banks' network knows a transfer. */
  sessionId: string | null;
  /** True if the format itself says that the line takes back another; its sign is already the one that counts. */
  isReversal: boolean;
  /** True if the bank says that this money went back: it came, but nobody's payment is seen by it. */
  isTakenBack?: boolean;
}

export const nothingLeftOut = (): LeftOut => ({ failed: 0, pending: 0, reversed: 0, zero: 0, other: 0 });

/** Notes about the rows that are left out. */
export const notesOfLeftOut = ({ failed, pending, reversed, zero }: LeftOut): StatementNote[] => [
  ...(failed > 0 ? [statementNotes.failed(failed)] : []),
  ...(pending > 0 ? [statementNotes.notBooked(pending)] : []),
  ...(reversed > 0 ? [statementNotes.reversed(reversed)] : []),
  ...(zero > 0 ? [statementNotes.zero(zero)] : []),
];

/** Money that the printed balances say has moved between two lines that follow each other. */
export interface BalanceGap {
  /** Null before the first line. */
  afterRow: number | null;
  fromDate: Day | null;
  /** Null after the last line. */
  beforeRow: number | null;
  toDate: Day | null;
  /** The printed balance, less what it would be by the lines. */
  missingKobo: bigint;
}

/** A table as a person sees it while they say which column holds what. */
export interface StatementTable {
  rows: string[][];
  /** Null where nothing is known about the columns. */
  mapping: StatementMapping | null;
  /** The row of the headings, counted from 1; null without one. */
  headingRow: number | null;
  /** True if a person has to confirm the mapping: it is guessed, and not the one kept for the account. */
  isAsked: boolean;
  /** The bank whose headings these are, if it is known. */
  bank: string | null;
}

export interface StatementFile {
  kind: "read";
  format: StatementFormat;
  /** Null for MT940 and CAMT.053, which need no mapping. */
  table: StatementTable | null;
  /** The account's number as the file prints it. */
  account: string | null;
  /** Oldest first. */
  lines: StatementLine[];
  /** The days of its printed balances, where the format dates them. */
  days: { first: Day; last: Day } | null;
  /** How days and months that are figures were read, and whether the file itself proves it; null where it has none. */
  dayOrder: { order: DayOrder; isProved: boolean } | null;
  openingKobo: bigint | null;
  closingKobo: bigint | null;
  gaps: BalanceGap[];
  /** Rows that are no lines. For a table lines and these are all rows below the headings. */
  leftOut: LeftOut;
  notes: StatementNote[];
}

export interface StatementFault {
  row: number | null;
  text: string;
}

export interface StatementRefusal {
  kind: "refused";
  format: StatementFormat | null;
  faults: StatementFault[];
  /** How many faults aren't listed. */
  moreFaults: number;
  /** For tables, so that another mapping can be chosen. */
  table: StatementTable | null;
}

/** Thrown while reading, and turned into a {@link StatementRefusal} by `readStatement`. */
export class Refusal extends Error {
  readonly faults: StatementFault[];
  readonly moreFaults: number;
  readonly table: StatementTable | null;

  constructor(faults: string | StatementFault[], moreFaults = 0, table: StatementTable | null = null) {
    const list = typeof faults === "string" ? [{ row: null, text: faults }] : faults;
    super(list[0]?.text);
    this.faults = list;
    this.moreFaults = moreFaults;
    this.table = table;
  }
}

/** For a fault after which nothing more of the file can be read. */
export const rowRefusal = (row: number, text: string): Refusal => new Refusal([{ row, text: `Row ${row}: ${text}` }]);

/** The faults of a file's rows: all are found before the file is refused, so that they can be mended in one go. */
export class RowFaults {
  readonly #word: string;
  readonly #faults: StatementFault[] = [];
  #more = 0;

  constructor(word = "Row") {
    this.#word = word;
  }

  /** The row is null for what stands in none, like a balance between the entries. */
  add(row: number | null, text: string): void {
    if (this.#faults.length >= statementLimits.faults) this.#more += 1;
    else this.#faults.push({ row, text: `${row === null ? "Balance" : `${this.#word} ${row}`}: ${text}` });
  }

  /** Throws a {@link Refusal} if there are any. */
  throwIfAny(table: StatementTable | null = null): void {
    if (this.#faults.length > 0) throw new Refusal(this.#faults, this.#more, table);
  }
}

/** A text of the file on one line, without control characters, which the database can't store. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();

/** The narration and reference of a line, cleaned. What is too long is a fault. */
export function readTexts(faults: RowFaults, row: number, raw: { narration: string; bankReference: string | null }) {
  const narration = cleanText(raw.narration);
  const bankReference = cleanText(raw.bankReference ?? "") || null;
  if (narration.length > statementLimits.narrationLength) faults.add(row, statementRowTexts.narrationTooLong);
  if ((bankReference ?? "").length > statementLimits.referenceLength) {
    faults.add(row, statementRowTexts.referenceTooLong);
  }
  return { narration, bankReference };
}

/** A cell or field as it is shown in a fault: short, and on one line. */
export const shown = (text: string): string => {
  const clean = cleanText(text);
  return clean.length > 40 ? `${clean.slice(0, 40)}…` : clean;
};
