import { type BooksAccount, booksAccounts } from "#shared/books/texts.ts";

/** What the address of /admin/books says: the day, today without one, and the account whose entries are open. */
export type BooksSearch = { on?: string | undefined; account?: BooksAccount | undefined };

const day = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readBooksSearch(input: Record<string, unknown>): BooksSearch {
  const on = typeof input.on === "string" && day.test(input.on) ? input.on : undefined;
  const isDay = on !== undefined && new Date(`${on}T00:00:00Z`).toISOString().startsWith(on);
  return { on: isDay ? on : undefined, account: booksAccounts.find((account) => account === input.account) };
}
