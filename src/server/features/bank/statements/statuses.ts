import type { LeftOutKind } from "#shared/bank/statement-texts.ts";

/** Words of a column that tells whether its row was booked, like "SUCCESSFUL", "Failed" or "NOT_REVERSED". */

export type RowStatus = "booked" | Extract<LeftOutKind, "failed" | "pending" | "reversed">;

type Words = Partial<Record<RowStatus, string>>;

/** A word for each way of writing it: case, signs and spaces don't count. */
const words: Words = {
  booked:
    "SUCCESSFUL, SUCCESS, SUCCEEDED, SUCCESSFULLY COMPLETED, COMPLETED SUCCESSFULLY, APPROVED OR COMPLETED SUCCESSFULLY, " +
    "TRANSACTION SUCCESSFUL, COMPLETED, COMPLETE, POSTED, SETTLED, BOOKED, BOOK, APPROVED, PAID, PROCESSED, CONFIRMED, " +
    "CLEARED, CREDITED, DEBITED, RECEIVED, DONE, NOT REVERSED, UNREVERSED",
  failed:
    "FAILED, FAIL, FAILURE, TRANSACTION FAILED, UNSUCCESSFUL, NOT SUCCESSFUL, DECLINED, DENIED, REJECTED, CANCELLED, CANCELED, " +
    "ABORTED, ABANDONED, EXPIRED, ERROR, TIMEOUT, TIMED OUT, VOID, VOIDED, NOT PAID, UNPAID",
  pending:
    "PENDING, PENDING APPROVAL, PENDING CONFIRMATION, PROCESSING, IN PROCESS, IN PROGRESS, INITIATED, QUEUED, AWAITING APPROVAL, " +
    "ON HOLD, HELD, SUBMITTED, SCHEDULED, UNPOSTED, UNCLEARED, NOT BOOKED, NOT POSTED, AUTHORISED, AUTHORIZED, PDNG",
  reversed: "REVERSED, FULLY REVERSED, RETURNED, REFUNDED, CHARGED BACK",
};
/** Also in a column that is called a status. */
const wordsOfStatus: Words = { booked: "OK, 00, SENT, VALID, TRUE, YES" };
/** In a column that tells of the reversal: a reversal that succeeded took the money back. */
const wordsOfReversal: Words = {
  booked: "NOT REVERSED, UNREVERSED, NO, FALSE, NONE, N A, NA, NIL, NULL, 0, NOT APPLICABLE, FAILED",
  reversed: "REVERSED, FULLY REVERSED, YES, TRUE, 1, SUCCESSFUL, COMPLETED",
};

const bare = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, " ")
    .trim();

const keyOf = (text: string): string => bare(text).replaceAll(" ", "");

const mapOf = (lists: Words): ReadonlyMap<string, RowStatus> =>
  new Map(
    Object.entries(lists).flatMap(([status, list]) =>
      list.split(", ").map((word) => [keyOf(word), status as RowStatus]),
    ),
  );
const statuses = mapOf(words);
const inStatusColumn = new Map([...statuses, ...mapOf(wordsOfStatus)]);
const inReversalColumn = mapOf(wordsOfReversal);

const isStatusTitle = (title: string): boolean => /\bSTATUS(?: (?:CODE|DESCRIPTION|MESSAGE|TEXT))?$/.test(bare(title));
const isReversalTitle = (title: string): boolean => /REVERS/.test(bare(title));

export interface StatusColumn {
  column: number;
  title: string;
  words: ReadonlyMap<string, RowStatus>;
  /** True if a row must say something: others do, and silence about the reversal is none. */
  isRequired: boolean;
}

/**
 * The columns that tell of the rows' status: those that are called so, and any other of which each filled cell is such a
 * word. `used` are columns that are known to hold something else.
 */
export function findStatusColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  used: ReadonlySet<number>,
): StatusColumn[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), titles.length);
  return Array.from({ length: width }, (_, column) => column).flatMap((column): StatusColumn[] => {
    const title = titles[column] ?? "";
    const filled = rows.map((row) => keyOf(row[column] ?? "")).filter((cell) => cell !== "");
    if (filled.length === 0 || (used.has(column) && !isStatusTitle(title))) return [];
    if (isStatusTitle(title)) {
      const isReversal = isReversalTitle(title);
      return [{ column, title, words: isReversal ? inReversalColumn : inStatusColumn, isRequired: !isReversal }];
    }
    return filled.every((cell) => statuses.has(cell)) ? [{ column, title, words: statuses, isRequired: false }] : [];
  });
}

/** Reads the status in a row's cell; null for an unknown word. */
export function readStatus({ words: known, isRequired }: StatusColumn, text: string): RowStatus | null {
  const word = keyOf(text);
  if (word === "") return isRequired ? null : "booked";
  return known.get(word) ?? null;
}
