import { MAX_STATEMENT_KOBO } from "#shared/money.ts";

/** Amounts are read as text and never by way of a floating-point number. */

type Mark = "debit" | "credit";

export interface Amount {
  /** With the sign that is printed: a minus, or brackets. */
  kobo: bigint;
  mark: Mark | null;
}

const marks: Record<string, Mark> = {
  DR: "debit",
  D: "debit",
  DEBIT: "debit",
  "-": "debit",
  CR: "credit",
  C: "credit",
  CREDIT: "credit",
  "+": "credit",
};

/** Reads the cell of a Dr/Cr column; null if it says neither. */
export const readMark = (text: string): Mark | null => marks[text.trim().toUpperCase().replace(/\.$/, "")] ?? null;

/** True if a cell for an amount is empty: banks also write dashes for it. */
export const isEmptyAmount = (text: string): boolean => /^[-–—]*$/.test(text.trim());

/** True if a text can only be meant as an amount, be it a readable one or not. */
export const looksLikeAmount = (text: string): boolean => /^[-+−(₦]?[\d.,()]+$/.test(text.trim()) && /\d/.test(text);

/**
 * Reads "1,250,000.50", "(450.00)", "450.00-", "₦450.00 DR". A comma only separates thousands, and there are at most
 * two decimals: "450,00" and "450.000" may be a hundred or a thousand times as much. Null if it isn't an amount.
 */
export function readAmount(text: string): Amount | null {
  let rest = text.trim().toUpperCase();
  let mark: Mark | null = null;
  const marked = /(?:DR|CR|D|C)\.?$/.exec(rest);
  if (marked) {
    mark = readMark(marked[0]);
    rest = rest.slice(0, marked.index).trim();
  }
  const isBracketed = rest.startsWith("(") && rest.endsWith(")");
  if (isBracketed) rest = rest.slice(1, -1).trim();
  const parts = /^([-+−]?)\s?(?:₦|NGN|=N=|N)?\s?([-+−]?)([\d.,]+)(-?)$/.exec(rest);
  if (!parts) return null;
  const [, before = "", inside = "", digits = "", after = ""] = parts;
  const signs = [before, inside, after].filter((sign) => sign !== "");
  if (signs.length > (isBracketed ? 0 : 1)) return null;
  const kobo = readDigits(digits);
  if (kobo === null) return null;
  return { kobo: isBracketed || (signs[0] ?? "+") !== "+" ? -kobo : kobo, mark };
}

function readDigits(digits: string): bigint | null {
  // Four decimals are fine where the last two are zeros: no group of thousands has four digits.
  const match = /^(\d{1,16}|\d{1,3}(?:,\d{3}){1,5})?(?:\.(\d{1,2}|\d\d00))?$/.exec(digits);
  if (!match || digits === "") return null;
  const [, naira = "0", decimals = ""] = match;
  const kobo = BigInt(naira.replaceAll(",", "")) * 100n + BigInt(decimals.slice(0, 2).padEnd(2, "0"));
  return kobo <= MAX_STATEMENT_KOBO ? kobo : null;
}

/**
 * Reads a number as a spreadsheet stores it, like "20000.009999999998" or "1.125E7", rounded to the kobo: the sheet
 * itself keeps binary fractions. Null if it isn't one.
 */
export function readSheetNumber(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:E([-+]?\d{1,2}))?$/i.exec(text);
  if (!match || text.length > 60) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const power = Number(exponent) - fraction.length + 2;
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(power));
  const kobo = power >= 0 ? digits * scale : (digits + scale / 2n) / scale;
  if (kobo > MAX_STATEMENT_KOBO) return null;
  return sign === "-" ? -kobo : kobo;
}
