import { readDay } from "#client/lib/addresses.ts";

/** The search parameters of /admin/books: the day, today without one, and the account whose entries are open. */
export type BooksSearch = { on?: string | undefined; account?: string | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. The accounts' names load with the page. */
export function readBooksSearch({ on, account }: Record<string, unknown>): BooksSearch {
  return { on: readDay(on), account: typeof account === "string" ? account : undefined };
}
