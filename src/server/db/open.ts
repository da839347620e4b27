import { setTimeout as sleep } from "node:timers/promises";
import type { SQL } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT, PgTransactionConfig } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { EmbeddedPostgres } from "./embedded.ts";
import { isPlanOutdated, isSerializationFailure } from "./errors.ts";
import { silenceLostTransactions } from "./lost-transactions.ts";

/** The drivers return different types for raw statements. `unknown` makes `rows` the only way to read them. */
interface AnyResult extends PgQueryResultHKT {
  type: unknown;
}

/**
 * The database, on either driver. Drizzle isn't given the tables, because it would build relational query builders,
 * which we don't use, for every table in every transaction.
 */
export type Db = PgDatabase<AnyResult>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
export type DbOrTx = Db | Tx;

type Opened = { db: Db; close(): Promise<void> };
export type DatabaseHandle =
  | (Opened & { kind: "embedded"; client: EmbeddedPostgres })
  | (Opened & { kind: "postgres"; client: postgres.Sql; url: string });

/** Opens the PostgreSQL at `url`, or the embedded database in the folder `pg` of the data directory. */
export async function openDatabase(options: { url?: string | undefined; dataDir: string }): Promise<DatabaseHandle> {
  return options.url === undefined ? openEmbedded({ dataDir: `${options.dataDir}/pg` }) : openPostgres(options.url);
}

/** The embedded database in the folder `dataDir`, made of `snapshot`, another one's dump, where that is given. */
export async function openEmbedded(options: { dataDir: string; snapshot?: Blob }): Promise<DatabaseHandle> {
  // Loaded only if used, because it brings a whole PostgreSQL.
  const { drizzle: drizzleEmbedded } = await import("drizzle-orm/pglite");
  const { openEmbeddedPostgres } = await import("./embedded.ts");
  const client = await openEmbeddedPostgres(options);
  return { kind: "embedded", db: drizzleEmbedded(client), client, close: () => client.close() };
}

const second = 1000;

function openPostgres(url: string): DatabaseHandle {
  const connection = {
    application_name: "gona",
    statement_timeout: 30 * second,
    lock_timeout: 10 * second,
    idle_in_transaction_session_timeout: 60 * second,
  };
  const client = connect(url, { max: 10, connection });
  const quickClient = connect(url, { max: 2, connection });
  const db: Db = drizzle(client);
  quickReadsOf.set(db, drizzle(quickClient));
  const close = async () => {
    await Promise.all([client, quickClient].map((each) => each.end({ timeout: 5 })));
  };
  return { kind: "postgres", db, client, url, close };
}

const quickReadsOf = new WeakMap<DbOrTx, Db>();

/**
 * The database for prepared reads of a few rows. On PostgreSQL, outside transactions, it is a second pool of two
 * connections:
 * consecutive statements cost half as much on few connections as on many (bench/RESULTS.md). The driver may mix up such
 * statements' rows when a column's type changes, so migrations never change a column's type
 * (tests/unit/migrations.test.ts).
 */
export const forQuickReads = (db: DbOrTx): DbOrTx => quickReadsOf.get(db) ?? db;

/** One connection without time limits that is never replaced, for migrations, which hold a session lock. */
export function openSingleConnection(url: string): { db: Db; close(): Promise<void> } {
  const client = connect(url, { max: 1, max_lifetime: null, connection: { application_name: "gona-migrate" } });
  return { db: drizzle(client), close: () => client.end({ timeout: 5 }) };
}

/**
 * The delay before reconnecting, in seconds. The driver's own delays reach 20 s after a few refusals by a restarting
 * database, and requests would wait as long.
 */
const secondsToWait = (refusals: number): number => Math.min(3 ** refusals / 100, 1) * (0.5 + Math.random() / 2);

/**
 * PostgreSQL would compile large statements anew at each call, which takes seconds where they run for a fraction of one.
 * Without `fetch_types` the driver can't handle arrays, so statements use JSON. With it, each new connection first
 * queries the array types in a promise without a handler: if the connection is lost then, as at a restart, the process
 * crashes.
 */
function connect(
  url: string,
  { connection, ...options }: Pick<postgres.Options<Record<string, never>>, "max" | "max_lifetime" | "connection">,
): postgres.Sql {
  const common = { connect_timeout: 10, backoff: secondsToWait, fetch_types: false, onnotice: () => {} };
  return silenceLostTransactions(postgres(url, { ...common, ...options, connection: { ...connection, jit: "off" } }));
}

/**
 * Runs a hand-written statement. Both drivers return bigint and numeric as strings and timestamps as PostgreSQL's text.
 * Cast in the statement (`::int`, `::float8`) to get a number.
 */
export async function rows<T extends Record<string, unknown>>(db: DbOrTx, statement: SQL): Promise<T[]> {
  const result = (await db.execute(statement)) as T[] | { rows: T[] };
  return Array.isArray(result) ? [...result] : result.rows;
}

const maxRetries = 3;

/**
 * The only way to open a transaction. It retries up to three times after a conflict (serialization failure, deadlock),
 * or if its statements were prepared before a migration. So `run` must have no effect outside the database; mail, files
 * go through jobs, and events are NOTIFYs of the transaction, sent by its commit.
 */
export async function inTransaction<T>(
  db: Db,
  run: (tx: Tx) => Promise<T>,
  options: { isolation?: NonNullable<PgTransactionConfig["isolationLevel"]> } = {},
): Promise<T> {
  const config = options.isolation && { isolationLevel: options.isolation };
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.transaction(run, config);
    } catch (error) {
      if (attempt === maxRetries || !(isSerializationFailure(error) || isPlanOutdated(error))) throw error;
      await sleep(10 * 2 ** attempt * (1 + Math.random()));
    }
  }
}
