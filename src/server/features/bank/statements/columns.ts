import { statementLimits } from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { cleanText } from "./statement.ts";

/** Finding the columns of a bank's table by their headings. */

/** A heading without case, punctuation and the currency: "Debit (NGN)" is "debit". */
export const normalTitle = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim()
    // "Balance in naira" is a balance, but "Money In (NGN)" is money in.
    .replace(/(?:(?<!^money|^paid) in)? (?:ngn|naira|n|usd|us|gbp|eur|(?:us )?dollars?|pounds?|euros?)$/, "")
    .replace(/^(?:ngn|naira|usd|gbp|eur) (?=\S)/, "");

/** True if a column tells each row's currency. */
export const isCurrencyTitle = (title: string): boolean =>
  /^(?:(?:account|acct|transaction|trans|tran|txn) )?(?:currency|ccy|cur|curr)(?: code)?$/.test(normalTitle(title));

/** A heading as it can be kept: cut off first, because that may part a character. */
const cleanTitle = (title: string): string => cleanText(title.trim().slice(0, 200));

/** The names that banks give their columns; the first one that a file has counts. */
const names = {
  date: [
    "trans date",
    "transaction date",
    "tran date",
    "txn date",
    "trans time",
    "transaction time",
    "post date",
    "posting date",
    "posted date",
    "entry date",
    "booking date",
    "date",
    "date time",
    "transaction date time",
    "completed date",
  ],
  valueDate: ["value date", "val date", "effective date"],
  narration: [
    "narration",
    "remarks",
    "remark",
    "description",
    "narrative",
    "transaction description",
    "transaction details",
    "transaction detail",
    "particulars",
    "details",
    "counterparty",
    "to from",
  ],
  reference: [
    "reference",
    "trans id",
    "transaction id",
    "tran ref",
    "tran id",
    "transaction reference",
    "transaction ref",
    "reference number",
    "reference no",
    "ref no",
    "ref",
  ],
  // Of a bank that prints what was paid and what was settled, the latter moved the account.
  debit: [
    "settlement debit",
    "debit",
    "debits",
    "debit amt",
    "debit amount",
    "dr amount",
    "dr",
    "withdrawal",
    "withdrawals",
    "money out",
    "paid out",
  ],
  credit: [
    "settlement credit",
    "credit",
    "credits",
    "credit amt",
    "credit amount",
    "cr amount",
    "cr",
    "deposit",
    "deposits",
    "lodgement",
    "lodgements",
    "money in",
    "paid in",
  ],
  amount: ["amount", "transaction amount", "trans amount"],
  /** One column for both directions, each sum with its sign. */
  signed: ["debit credit", "credit debit"],
  mark: ["dr cr", "cr dr", "debit credit", "credit debit", "d c", "c d", "type", "transaction type", "sign"],
  balance: ["balance", "running balance", "account balance", "book balance", "current balance", "balance after"],
} as const;

/** The layouts that banks are known to export; another layout of theirs is found by the names above all the same. */
export const bankLayouts: { bank: string; titles: string[] }[] = [
  {
    bank: "GTBank",
    titles: ["Trans. Date", "Value Date", "Reference", "Debits", "Credits", "Balance", "Originating Branch", "Remarks"],
  },
  {
    bank: "Access Bank",
    titles: ["POST DATE", "VALUE DATE", "REFERENCE", "DEBIT AMT", "CREDIT AMT", "BALANCE", "NARRATION"],
  },
  {
    bank: "Zenith Bank",
    titles: ["TRANS DATE", "VALUE DATE", "TRANS ID", "DR AMOUNT", "CR AMOUNT", "BALANCE", "REMARKS"],
  },
  { bank: "Zenith Bank", titles: ["Date", "Description", "Amount", "Balance"] },
  { bank: "UBA", titles: ["TRAN DATE", "VALUE DATE", "TRAN REF", "DEBIT", "CREDIT", "BALANCE", "NARRATION"] },
  {
    bank: "First Bank",
    titles: ["TRANSACTION DATE", "VALUE DATE", "REFERENCE", "DEBIT", "CREDIT", "BALANCE", "DESCRIPTION"],
  },
  {
    bank: "Moniepoint",
    titles: [
      ...["Date", "Account Name", "Transaction Type", "Transaction Status", "Terminal ID", "RRN", "Transaction Ref"],
      ...["Reversal Status", "Transaction Amount (NGN)", "Settlement Debit (NGN)", "Settlement Credit (NGN)"],
      ...["Balance Before (NGN)", "Balance After (NGN)", "Charge (NGN)", "Beneficiary", "Beneficiary Institution"],
      ...["Source", "Source Institution", "Narration"],
    ],
  },
  {
    bank: "OPay",
    titles: [
      ...["Trans. Date", "Value Date", "Description", "Debit(₦)", "Credit(₦)", "Balance After(₦)", "Channel"],
      "Transaction Reference",
    ],
  },
  {
    bank: "OPay",
    titles: [
      ...["Trans. Time", "Value Date", "Description", "Debit/Credit(₦)", "Balance(₦)", "Channel"],
      ...["Transaction Reference", "Counterparty"],
    ],
  },
  {
    bank: "PalmPay",
    titles: ["Transaction Date", "Transaction Detail", "Money In (NGN)", "Money Out (NGN)", "Transaction ID"],
  },
  {
    bank: "Kuda",
    titles: ["Date/Time", "Money In", "Money out", "Category", "To / From", "Description", "Balance"],
  },
];

export interface FoundColumns {
  mapping: StatementMapping;
  /** From 0; -1 for a table without headings. */
  headingIndex: number;
  isAsked: boolean;
  bank: string | null;
}

const hasSameTitles = (row: readonly string[], titles: readonly string[]): boolean =>
  row.length === titles.length && row.every((title, index) => normalTitle(title) === normalTitle(titles[index] ?? ""));

/** A row's cells up to the last that isn't empty. */
export function withoutEmptyEnd(row: readonly string[]): readonly string[] {
  const end = row.findLastIndex((cell) => cell.trim() !== "") + 1;
  return end === row.length ? row : row.slice(0, end);
}

/**
 * The columns of a table, from its first rows: those of the mapping kept for the account if the headings are the same,
 * else those that are found by name, for somebody to confirm. Null if none are.
 */
export function findColumns(rows: readonly string[][], kept: StatementMapping | null): FoundColumns | null {
  const first = rows.slice(0, statementLimits.headingRows).map(withoutEmptyEnd);
  if (kept) {
    const titles = withoutEmptyEnd(kept.titles);
    const headingIndex = titles.length === 0 ? -1 : first.findIndex((row) => hasSameTitles(row, titles));
    if (headingIndex >= 0 || titles.length === 0) {
      const mapping = { ...kept, titles: kept.titles.map(cleanTitle) };
      return { mapping, headingIndex, isAsked: false, bank: bankOf(kept.titles) };
    }
  }
  for (const [headingIndex, titles] of first.entries()) {
    const mapping = mappingOf([...titles]);
    if (mapping) return { mapping, headingIndex, isAsked: true, bank: bankOf(titles) };
  }
  return null;
}

const bankOf = (titles: readonly string[]): string | null =>
  bankLayouts.find((layout) => hasSameTitles(titles, layout.titles))?.bank ?? null;

/** The columns that a mapping names. */
export function columnsOf({ money, date, valueDate, narration, reference, balance }: StatementMapping): number[] {
  const sums = money.kind === "two_columns" ? [money.debit, money.credit] : [money.amount, money.mark];
  return [date, valueDate, narration, reference, balance, ...sums].filter((column) => column !== null);
}

/** Columns of text beside the narration: some banks tell in two what belongs together. */
export function findMoreTexts(mapping: StatementMapping): number[] {
  const used = new Set(columnsOf(mapping));
  const isText = (title: string) => (names.narration as readonly string[]).includes(normalTitle(title));
  return mapping.titles.flatMap((title, column) => (isText(title) && !used.has(column) ? [column] : []));
}

/** A heading row has at least a date, a narration and the money. */
function mappingOf(titles: string[]): StatementMapping | null {
  const normal = titles.map(normalTitle);
  const columnOf = (field: keyof typeof names): number | null => {
    for (const name of names[field]) {
      const index = normal.indexOf(name);
      if (index >= 0) return index;
    }
    return null;
  };
  const [date, narration, debit, credit, amount, signed] = [
    columnOf("date"),
    columnOf("narration"),
    columnOf("debit"),
    columnOf("credit"),
    columnOf("amount"),
    columnOf("signed"),
  ];
  if (date === null || narration === null) return null;
  let money: StatementMapping["money"];
  if (debit !== null && credit !== null) money = { kind: "two_columns", debit, credit };
  else if (amount !== null) money = { kind: "one_column", amount, mark: columnOf("mark") };
  else if (signed !== null) money = { kind: "one_column", amount: signed, mark: null };
  else return null;
  return {
    titles: titles.map(cleanTitle),
    date,
    valueDate: columnOf("valueDate"),
    narration,
    reference: columnOf("reference"),
    balance: columnOf("balance"),
    money,
    dayOrder: "by_file",
  };
}
