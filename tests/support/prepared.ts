import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Db, DbOrTx } from "#server/db/open.ts";

/**
 * Tests look at the same things thousands of times: whether the books hold, what all tables say. To parse and plan such a
 * statement takes five times as long as to run it on a test's few rows, and the server's connections do so at each call.
 */
const lookersOf = new WeakMap<DbOrTx, Db>();

/** The same database on a connection of its own, which plans each statement once. Others, as transactions, as they are. */
export const prepared = (db: DbOrTx): DbOrTx => lookersOf.get(db) ?? db;

/** Offers `prepared` for a database. It connects at the first statement. */
export function offerPrepared(db: Db, url: string): { close(): Promise<void> } {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  lookersOf.set(db, drizzle(preparing(client)));
  return { close: () => client.end() };
}

/** The same client. The driver prepares no statement without parameters by itself, nor one that drizzle has no name for. */
function preparing<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const options = { prepare: true, simple: false };
  return new Proxy(client, {
    get: (target, name) => {
      if (name === "unsafe") {
        return (...[text, parameters]: Parameters<Client["unsafe"]>) => target.unsafe(text, parameters, options);
      }
      if (name === "begin") return (run: Run) => (target as postgres.Sql).begin((tx) => run(preparing(tx)));
      return Reflect.get(target, name);
    },
  });
}

type Run = (tx: postgres.TransactionSql) => Promise<unknown>;
