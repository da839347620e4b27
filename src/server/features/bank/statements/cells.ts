import { statementRowTexts as texts } from "#shared/bank/statement-texts.ts";
import { type Amount, isEmptyAmount, readAmount, readMark, readSheetNumber } from "./amounts.ts";
import { normalTitle } from "./columns.ts";
import { currencyOfSum, refuseForeignCurrency } from "./currencies.ts";
import { shown } from "./statement.ts";

/** Readers of a table's cells: texts, amounts, and the labels of balances. */

/** A text, or what a spreadsheet stores as a number or a date. */
export type Cell = string | { number: string } | { day: string };

/** The rows of a table. In a file with separators a stray one shifts what follows, so cells are counted. */
export interface Table {
  rows: readonly (readonly Cell[])[];
  /** The separator between cells; null where cells can't be shifted. */
  separator: string | null;
  /** True if the file ends without ending its last row. */
  isLastRowOpen?: boolean;
}

export const textOf = (cell: Cell | undefined): string => {
  if (cell === undefined) return "";
  if (typeof cell === "string") return unmarked(cell);
  return "number" in cell ? cell.number : cell.day;
};

/** True if a text begins with what tells a spreadsheet to keep it as text. */
export const isMarkedAsText = (cell: Cell | undefined): boolean => typeof cell === "string" && unmarked(cell) !== cell;

/** `'0123` and `="0123"` are 0123. */
function unmarked(text: string): string {
  const start = text.trimStart();
  if (start.startsWith("'") || start.startsWith("’")) return start.slice(1);
  if (!start.startsWith('="')) return text;
  const [, quoted] = /^="(.*)"\s*$/s.exec(start) ?? [];
  return quoted === undefined ? text : quoted.replaceAll('""', '"');
}

/** True if a cell can only be meant as a sum, be it a readable one or not; a text beside it may hold figures too. */
export function isMeantAsSum(cell: Cell | undefined): boolean {
  const text = textOf(cell).trim();
  return /\d/.test(text) && text.length <= 40 && !/\p{L}{4}/u.test(text.replace(/naira|credit|debit/gi, ""));
}

export type Money =
  | { kind: "none" }
  | { kind: "zero" }
  | { kind: "fault"; text: string }
  /** `turned` where it is printed with a minus in a column with a direction of its own: it may be meant as the other one. */
  | { kind: "amount"; kobo: bigint; turned?: "debit" | "credit" };

const labels = {
  opening: /^(?:opening bal|(?:balance )?brought forward)/,
  closing: /^(?:closing bal|ending bal|(?:balance )?carried forward)/,
  total:
    /^(?:grand |sub ?)?totals?(?:$| (?:amount|balance|credit|debit|deposit|for |lodgement|transaction|withdrawal))/,
} as const;
export type Label = keyof typeof labels;

/**
 * "Balance B/F 1 Nov", "Bal. cf", and "B/F" with at most an amount. They are read from the cell itself: normalTitle drops
 * accented letters, digits and signs, so "bẹf", "b2f" and "B & F" would pass for "B/F".
 */
const balanceForward = /^[^\p{L}]*bal(?:ance)?[^\p{L}\p{M}]+([bc])[^\p{L}\p{M}\p{N}&+]*f(?:wd)?(?![\p{L}\p{M}])/iu;
const forward = /^[^\p{L}]*([bc])[^\p{L}\p{M}\p{N}&+]+f(?:wd)?(?![\p{L}\p{M}])(?:[^\p{L}\p{M}]|ngn|naira|n)*$/iu;

export function labelOf(cell: Cell | undefined): Label | null {
  if (typeof cell !== "string" || cell.length > 200) return null;
  const text = unmarked(cell);
  const [, side] = balanceForward.exec(text) ?? forward.exec(text) ?? [];
  if (side) return side.toLowerCase() === "b" ? "opening" : "closing";
  const normal = normalTitle(text);
  return (["opening", "closing", "total"] as const).find((label) => labels[label].test(normal)) ?? null;
}

/** The balance beside its label: "Opening Balance: 195,000.00" in one cell or two. */
export function amountBeside(row: readonly Cell[], index: number): bigint | null {
  const [, beside = ""] = textOf(row[index]).split(":", 2);
  for (const cell of [beside, ...row.slice(index + 1)]) {
    if (labelOf(cell)) return null;
    const kobo = readBalance(cell);
    if (kobo !== null && kobo !== undefined) return kobo;
  }
  return null;
}

/** Undefined for an empty cell, null for one that isn't a balance. */
export function readBalance(cell: Cell | undefined): bigint | null | undefined {
  if (isEmptyAmount(textOf(cell))) return undefined;
  const amount = readCell(cell);
  return amount && (amount.mark === "debit" && amount.kobo > 0n ? -amount.kobo : amount.kobo);
}

function readCell(cell: Cell | undefined): Amount | null {
  if (typeof cell === "object" && "number" in cell) {
    const kobo = readSheetNumber(cell.number);
    return kobo === null ? null : { kobo, mark: null };
  }
  const text = textOf(cell);
  const amount = readAmount(text);
  if (!amount) refuseForeignCurrency(currencyOfSum(text));
  return amount;
}

/**
 * A cell of the debit or the credit column. Some banks print all debits with a minus or in brackets; others print what
 * they took back so.
 */
export function readSide(cell: Cell | undefined, side: "debit" | "credit"): Money {
  const text = textOf(cell);
  if (isEmptyAmount(text)) return { kind: "none" };
  const amount = readCell(cell);
  if (!amount) return { kind: "fault", text: texts.badAmount(shown(text)) };
  if (amount.mark !== null && amount.mark !== side) return { kind: "fault", text: texts.wrongMark(shown(text)) };
  if (amount.kobo === 0n) return { kind: "zero" };
  if (amount.kobo < 0n) return { kind: "amount", kobo: amount.kobo, turned: side };
  return { kind: "amount", kobo: side === "credit" ? amount.kobo : -amount.kobo };
}

/** A cell of a column for both directions: a column beside it, a mark or the sign tells which. */
export function readSigned(cell: Cell | undefined, markColumn: number | null, cells: readonly Cell[]): Money {
  const text = textOf(cell);
  if (isEmptyAmount(text)) return { kind: "none" };
  const amount = readCell(cell);
  if (!amount) return { kind: "fault", text: texts.badAmount(shown(text)) };
  if (amount.kobo === 0n) return { kind: "zero" };
  const markText = markColumn === null ? "" : textOf(cells[markColumn]);
  const beside = markColumn === null ? null : readMark(markText);
  if (markColumn !== null && beside === null) return { kind: "fault", text: texts.noMark(shown(markText)) };
  if (beside !== null && amount.mark !== null && beside !== amount.mark) {
    return { kind: "fault", text: texts.contradiction };
  }
  const mark = beside ?? amount.mark;
  if (mark === "credit" && amount.kobo < 0n) return { kind: "fault", text: texts.contradiction };
  return { kind: "amount", kobo: mark === "debit" && amount.kobo > 0n ? -amount.kobo : amount.kobo };
}
