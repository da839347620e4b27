import type postgres from "postgres";

type Run = (sql: postgres.TransactionSql) => Promise<unknown>;
type Unsafe = (text: string, values?: unknown[], options?: postgres.UnsafeQueryOptions) => unknown;

/** Lists of any length make texts of their own: those aren't worth remembering. */
const MAX_LENGTH = 8000;
const MAX_TEXTS = 200;

/**
 * postgres.js asks the database about each statement that isn't prepared before it sends its values: a second round
 * trip while the transaction holds its locks. Here a transaction's statement is prepared once its text comes again.
 * They look up and write rows by their keys, for which a plan that doesn't know the values is as good; reads outside of
 * transactions, such as searches, say themselves whether they are prepared.
 */
export function prepareWrites(client: postgres.Sql): postgres.Sql {
  const begin = client.begin.bind(client) as (run: Run) => Promise<unknown>;
  const known = new Set<string>();
  const isPrepared = (text: string, values: unknown[]): boolean => {
    if (values.length === 0 || text.length > MAX_LENGTH) return false;
    if (known.has(text)) return true;
    if (known.size < MAX_TEXTS) known.add(text);
    return false;
  };
  const preparing = (run: Run): Promise<unknown> =>
    begin((sql) => {
      const unsafe: Unsafe = (text, values = [], options = {}) =>
        sql.unsafe(text, values as never[], isPrepared(text, values) ? { ...options, prepare: true } : options);
      return run(new Proxy(sql, { get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)) }));
    });
  return Object.assign(client, { begin: preparing });
}
