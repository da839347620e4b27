import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { type DbOrTx, rows } from "#server/db/open.ts";

/**
 * Tests look at the same things thousands of times: whether the books hold, what all tables say. To parse and plan such a
 * statement takes five times as long as to run it on a test's few rows, and the server's connections do so at each call.
 * drizzle has no door for a prepared statement that is written by hand, so the driver is asked itself.
 */
const lookersOf = new WeakMap<DbOrTx, postgres.Sql>();
const dialect = new PgDialect();

/** Offers `preparedRows` for a database, on a connection of its own. It connects at the first statement. */
export function offerPrepared(db: DbOrTx, url: string): { close(): Promise<void> } {
  const connection = { plan_cache_mode: "force_generic_plan" };
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection });
  lookersOf.set(db, client);
  return { close: () => client.end() };
}

/**
 * The rows of a statement. On a database it is planned once. In a transaction it is planned at each call, on the
 * transaction's own connection, so that it sees what was written there.
 */
export async function preparedRows<Row extends Record<string, unknown>>(db: DbOrTx, query: SQL): Promise<Row[]> {
  const client = lookersOf.get(db);
  if (!client) return rows<Row>(db, query);
  const { sql: text, params } = dialect.sqlToQuery(query);
  // The driver prepares no statement without a parameter, so each has one more.
  const withOneMore = `select * from (${text}) looked where $${params.length + 1}::boolean`;
  const given = [...params, true] as postgres.ParameterOrJSON<never>[];
  return await client.unsafe<Row[]>(withOneMore, given, { prepare: true });
}
