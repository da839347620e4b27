import { formatDay } from "#shared/dates.ts";
import type { LeftOut } from "./statement-texts.ts";
import type { StatementMapping } from "./statements.ts";

/**
 * The import of a bank's statement: POST {@link importPath}, multipart, with the file, `accountId` and what was asked
 * for: `mapping` (JSON), `openingNaira`, `sameLines`, `gapReason`. Nothing is kept unless the answer is "imported"; the
 * browser keeps the file and sends it again with the answers. No schema is here.
 */
export const importPath = "/bank/statements";

/** A statement that fits the demo's pending payments; in local use only. */
export const sampleStatementPath = (accountId: number): string => `/bank/sample-statement?accountId=${accountId}`;

/** The first rows of a table, for the question which column holds what. */
export type ShownTable = {
  rows: string[][];
  mapping: StatementMapping | null;
  /** Counted from 1; null without one. */
  headingRow: number | null;
  bank: string | null;
};

/** Money that the printed balances say has moved, and no line says so. Kobo as a text, because JSON has no bigint. */
export type ShownGap = { fromDate: string | null; toDate: string | null; missingKobo: string };

/** A line of the file that may be a known one, whose text the bank has written anew: both texts. Kobo as a text. */
export type RewrittenLine = { date: string; amountKobo: string; before: string; now: string };

/** One answer for all of a file: whether its lines with other texts are those that are kept. */
export const sameLinesAnswers = ["yes", "no"] as const;
export type SameLines = (typeof sameLinesAnswers)[number];

/** So many are shown; the rest is counted. */
export const shownRewritten = 50;

export const rewrittenQuestion = (lines: readonly { date: string }[], count: number): string =>
  count === 1
    ? `Is this the line of ${formatDay(lines[0]?.date ?? "")} that you have?`
    : `Are these ${count.toLocaleString("en-NG")} lines those that you have?`;

type Counted = {
  lines: number;
  newLines: number;
  knownLines: number;
  leftOut: LeftOut;
  firstDay: string;
  lastDay: string;
  notes: string[];
};

export const otherRowsText = (count: number): string =>
  count === 1
    ? "1 row holds no money and is left out: it is blank, a heading, a total or words."
    : `${count.toLocaleString("en-NG")} rows hold no money and are left out: blank ones, headings, totals and words.`;

export type ImportAnswer =
  | {
      kind: "refused";
      faults: { row: number | null; text: string }[];
      moreFaults: number;
      /** So that other columns can be chosen. */
      table: ShownTable | null;
    }
  | (Counted & {
      kind: "asks";
      /** The columns have to be confirmed. */
      mapping: ShownTable | null;
      /** The balance before the first line has to be typed. */
      opening: boolean;
      /** True if these are known lines with another text; null where none looks so, or it was answered. */
      rewritten: { count: number; lines: RewrittenLine[] } | null;
      /** A reason has to be given for them. */
      gaps: ShownGap[];
    })
  | (Counted & { kind: "imported"; statementId: number });

/** How far the system is with the new lines of a file. */
export const matchedLinesText = (progress: { newLines: number; matchedLines: number; isDone: boolean }): string => {
  const { newLines, matchedLines, isDone } = progress;
  const of = `${matchedLines.toLocaleString("en-NG")} of ${newLines.toLocaleString("en-NG")} new lines`;
  const are = matchedLines === 1 ? "is" : "are";
  if (isDone && matchedLines === newLines) return "All new lines are matched.";
  return isDone ? `${of} ${are} matched. The others wait for you.` : `Sure lines are being matched: ${of} so far.`;
};
