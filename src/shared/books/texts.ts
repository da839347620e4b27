import { formatDay, startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";

/** The books: names of accounts and events, months, and texts. No schema is here. */

/**
 * In the order of a trial balance: what is at the bank or on its way, what is owed, what was earned and lost, the memo
 * pair.
 */
export const ledgerAccountLabels = {
  bank: "Money at the bank",
  opening: "Opening balances",
  in_transit: "In transit",
  payouts_in_transit: "Payouts in transit",
  receivable: "Receivable",
  unmatched_in: "Money in, not explained",
  unmatched_out: "Money out, not explained",
  unallocated: "Arrived, not approved",
  project_funding: "Owed to rounds",
  farm_released: "Released to farms",
  farm_due: "Owed to farms",
  harvest_proceeds: "Harvest proceeds, not settled",
  harvest_costs: "Harvest costs, not settled",
  backer_due: "Owed to backers",
  sender_due: "Owed to senders",
  vat_due: "VAT owed",
  wht_due: "Withholding tax owed",
  fee_income: "Fees",
  bank_charges: "Bank charges",
  operator: "The company's own money",
  losses: "Losses",
  produce_stock: "Produce in store (memo)",
  produce_due: "Produce owed (memo)",
} as const;
export type BooksAccount = keyof typeof ledgerAccountLabels;
/** The accounts in that order. */
export const booksAccounts = Object.keys(ledgerAccountLabels) as [BooksAccount, ...BooksAccount[]];

/** Rows that name an account, in the order of a trial balance. */
export const inBooksOrder = <Row extends { account: string }>(rows: readonly Row[]): Row[] => {
  const order: string[] = booksAccounts;
  const placeOf = ({ account }: Row) => order.indexOf(account);
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
};

/** "farm_release_taken_back" in words. */
export const ledgerEventLabel = (kind: string): string => {
  const words = kind.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** "2026-11" of the day "2026-11-21". */
export const monthOf = (day: string): string => day.slice(0, 7);

/** The month after one like "2026-12". */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

export const firstDayOf = (month: string): string => `${month}-01`;

/** The moment that ends a month in Lagos. */
export const endOfMonth = (month: string): Date => startOfDay(firstDayOf(monthAfter(month)));

export const lastDayOf = (month: string): string =>
  new Date(Date.parse(firstDayOf(monthAfter(month))) - dayMs).toISOString().slice(0, 10);

/** Ten minutes for whoever was posting at midnight. */
const restMs = 600_000;

/** From when on a month can be closed. */
export const closableFrom = (month: string): Date => new Date(endOfMonth(month).getTime() + restMs);

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** "November 2026" of "2026-11", or of a day in it. */
export const monthText = (month: string): string => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;

export const booksLimits = { pageSize: 50 } as const;

export const booksTexts = {
  nothing: "Nothing was posted yet, so there is no month to close.",
  closedAlready: (month: string) => `${monthText(month)} is closed already.`,
  outOfOrder: (next: string) => `Months are closed in order: ${monthText(next)} comes first.`,
  notOver: (month: string) =>
    `${monthText(month)} can be closed from 00:10 on ${formatDay(firstDayOf(monthAfter(month)))}.`,
  accountMissing: "Please choose an account",
  dayMissing: "Please choose a day",
  monthMissing: "Please choose a month",
  daysTurned: "The last day must not be before the first",
} as const;
