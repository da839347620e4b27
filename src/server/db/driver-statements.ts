import type postgres from "postgres";

type Run = (sql: postgres.TransactionSql) => Promise<unknown>;
type Options = postgres.UnsafeQueryOptions & { simple?: boolean };
type Unsafe = (text: string, values?: unknown[], options?: Options) => unknown;

/** Lists of any length make texts of their own: long ones aren't remembered, and of all texts the latest. */
const MAX_LENGTH = 8000;
const MAX_TEXTS = 200;

/**
 * How the driver sends statements, mended in two ways.
 *
 * postgres.js sends one without values by the simple protocol even where it is to be prepared: the database plans it
 * anew each time. Here what is to be prepared is.
 *
 * And it asks the database about each statement that isn't prepared before it sends its values: a second round trip
 * while the transaction holds its locks. Here a transaction's statement is prepared once its text comes again. They look
 * up and write rows by their keys, for which a plan that doesn't know the values is as good; reads outside of
 * transactions, such as searches, say themselves whether they are prepared.
 */
export function prepareStatements(client: postgres.Sql): postgres.Sql {
  const repeated = new Set<string>();
  const seenOnce = new Set<string>();
  const isRepeated = (text: string, values: unknown[]): boolean => {
    if (values.length === 0 || text.length > MAX_LENGTH) return false;
    if (repeated.has(text)) return true;
    if (seenOnce.delete(text) && repeated.size < MAX_TEXTS) {
      repeated.add(text);
      return true;
    }
    seenOnce.add(text);
    const [oldest] = seenOnce;
    if (seenOnce.size > MAX_TEXTS && oldest !== undefined) seenOnce.delete(oldest);
    return false;
  };
  const begin = client.begin.bind(client) as (run: Run) => Promise<unknown>;
  const unsafe = client.unsafe.bind(client) as Unsafe;
  return Object.assign(client, {
    unsafe: (text: string, values: unknown[] = [], options: Options = {}) =>
      unsafe(text, values, options.prepare ? prepared(options) : options),
    begin: (run: Run) =>
      begin((sql) => {
        const ofTransaction = sql.unsafe.bind(sql) as Unsafe;
        const preparing: Unsafe = (text, values = [], options = {}) =>
          ofTransaction(text, values, options.prepare || isRepeated(text, values) ? prepared(options) : options);
        const get = (target: postgres.TransactionSql, name: string | symbol) =>
          name === "unsafe" ? preparing : Reflect.get(target, name);
        return run(new Proxy(sql, { get }));
      }),
  });
}

const prepared = (options: Options): Options => ({ ...options, prepare: true, simple: false });
