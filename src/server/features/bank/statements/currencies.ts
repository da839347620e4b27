import { statementTexts } from "#shared/bank/statement-texts.ts";
import { readAmount } from "./amounts.ts";
import { Refusal, shown } from "./statement.ts";

/**
 * A file tells by a code, a sign or a name beside its sums that its account isn't in naira. Only naira accounts are
 * imported.
 */

/** Refuses the file if it names a currency other than naira; null is naira. */
export function refuseForeignCurrency(currency: string | null): void {
  if (currency !== null && currency !== "NGN") throw new Refusal(statementTexts.otherCurrency(shown(currency)));
}

const code =
  /(?<![\p{L}\p{N}])(USD|GBP|EUR|CNY|JPY|CHF|CAD|AUD|AED|SAR|INR|ZAR|GHS|KES|UGX|TZS|RWF|EGP|MAD|XOF|XAF|GMD|SLE|LRD|BRL|SEK|NOK|DKK|HKD|SGD)(?![\p{L}\p{N}])/iu;
const signs: readonly (readonly [RegExp, string])[] = [
  [/\$/, "USD"],
  [/£/, "GBP"],
  [/€/, "EUR"],
  [/¥/, "CNY"],
  [/₵/, "GHS"],
  [/(?<!\p{L})dollars?(?!\p{L})/iu, "USD"],
  [/(?<!\p{L})pounds?(?!\p{L})/iu, "GBP"],
  [/(?<!\p{L})euros?(?!\p{L})/iu, "EUR"],
  [/(?<!\p{L})(?:yuan|renminbi|rmb)(?!\p{L})/iu, "CNY"],
  [/(?<!\p{L})cedis?(?!\p{L})/iu, "GHS"],
  [/(?<!\p{L})cfa(?!\p{L})/iu, "XOF"],
];
const naira = /₦|(?<!\p{L})(?:NGN|naira)(?!\p{L})/iu;

/** The currency that a text names, like "USD"; null for none, and where it names naira too. */
export function findForeignCurrency(text: string): string | null {
  if (naira.test(text)) return null;
  const named = code.exec(text)?.[1];
  return named?.toUpperCase() ?? signs.find(([sign]) => sign.test(text))?.[1] ?? null;
}

/** The currency of a sum like "US$1,000.00", "1,000.00 USD" or "€ 50"; null if it is no sum, or has none beside it. */
export function currencyOfSum(text: string): string | null {
  const rest = text
    .replace(code, "")
    .replace(/U\.?S\.?(?=\s*\$)/i, "")
    .replace(/[$£€¥₵]/, "");
  return /\d/.test(text) && readAmount(rest) !== null ? findForeignCurrency(text) : null;
}

/** Reads the cell of a currency column: null for naira and for nothing, else the currency, or the word in it. */
export function readCurrency(text: string): string | null {
  const word = text.trim();
  if (/^(?:[-–—]*|NGN|N|=N=|₦|(?:nigerian )?naira|566)$/i.test(word)) return null;
  return findForeignCurrency(word) ?? word;
}

const isSumWord = /(?<!\p{L})(?:amounts?|balances?|bal|debits?|credits?|withdrawals?|deposits?|lodgements?)(?!\p{L})/iu;
const isCurrencyWord = /(?<!\p{L})(?:currency|ccy)(?!\p{L})/iu;
const isKindWord = /(?<!\p{L})(?:account|acct|a\/c) (?:type|class|category|product)|^(?:product|scheme)(?!\p{L})/iu;
/** "USD STATEMENT OF ACCOUNT", "Domiciliary account (GBP)". */
const isTitle = /(?<!\p{L})(?:statement|domiciliary)(?!\p{L})/iu;
/** A sentence may tell of dollars in an account in naira. */
const MAX_LABEL = 60;

/** The currency that a row above the lines tells, by a label and what stands beside it; null for none. */
export function currencyOfPreamble(row: readonly string[]): string | null {
  for (const [index, cell] of row.entries()) {
    if (cell.length > MAX_LABEL || cell.trim() === "") continue;
    const [label = "", ...rest] = cell.split(":");
    const next = row.slice(index + 1).find((beside) => beside.trim() !== "") ?? "";
    const value = rest.join(":").trim() || next;
    const isLabel = isCurrencyWord.test(label) || isKindWord.test(label);
    const found = isLabel
      ? (findForeignCurrency(label) ?? findForeignCurrency(value))
      : isSumWord.test(label)
        ? (findForeignCurrency(label) ?? currencyOfSum(value))
        : isTitle.test(cell) && !/(?<!\p{L})name(?!\p{L})/iu.test(cell)
          ? findForeignCurrency(cell)
          : null;
    if (found !== null) return found;
  }
  return null;
}
