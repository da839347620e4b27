import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turnOfTheEventLoop } from "node:timers/promises";
import { PGlite, type QueryOptions, type Results, type Transaction } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { DatabaseInUseError } from "./errors.ts";

const bigintType = 20;

/** A PostgreSQL inside this process. It has only one connection, which the overrides below protect and share fairly. */
export class EmbeddedPostgres extends PGlite {
  #insideTransaction = new AsyncLocalStorage<{ open: boolean }>();
  #folderLock: DatabaseSync;

  constructor(options: { dataDir: string; snapshot?: Blob; folderLock: DatabaseSync }) {
    super({
      dataDir: options.dataDir,
      ...(options.snapshot && { loadDataDir: options.snapshot }),
      extensions: { pg_trgm },
      // A string, as postgres.js reads it, because not every bigint is a safe number.
      parsers: { [bigintType]: (text) => text },
      postgresqlconf: ["shared_buffers=32MB"],
    });
    this.#folderLock = options.folderLock;
  }

  override query<T>(...call: [query: string, params?: unknown[], options?: QueryOptions]): Promise<Results<T>> {
    this.#refuseInsideTransaction();
    return thenYield(super.query<T>(...call));
  }

  override exec(...call: [query: string, options?: QueryOptions]): Promise<Results[]> {
    this.#refuseInsideTransaction();
    return thenYield(super.exec(...call));
  }

  override transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#refuseInsideTransaction();
    return super.transaction((tx) => {
      const scope = { open: true };
      return this.#insideTransaction.run(scope, async () => {
        try {
          return await run(yieldingTransaction(tx));
        } finally {
          scope.open = false;
        }
      });
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#folderLock.close();
  }

  /** A transaction holds the only connection, so a query outside it but awaited inside would deadlock. */
  #refuseInsideTransaction(): void {
    if (this.#insideTransaction.getStore()?.open) {
      throw new Error("The database was used outside its own open transaction: pass tx on instead of db");
    }
  }
}

/** Queries run on this thread, one after the other. Without a pause between them timers and sockets would starve. */
async function thenYield<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await turnOfTheEventLoop();
  }
}

function yieldingTransaction(tx: Transaction): Transaction {
  return {
    query: <T>(...call: Parameters<Transaction["query"]>) => thenYield(tx.query<T>(...call)),
    exec: (...call) => thenYield(tx.exec(...call)),
    sql: (...call) => tx.sql(...call),
    rollback: () => tx.rollback(),
    listen: (...call) => tx.listen(...call),
    get closed() {
      return tx.closed;
    },
  };
}

/** Opens the database in a folder. Throws if another process has the folder open. */
export async function openEmbeddedPostgres(options: { dataDir: string; snapshot?: Blob }): Promise<EmbeddedPostgres> {
  const folderLock = lockFolder(options.dataDir);
  try {
    const database = new EmbeddedPostgres({ ...options, folderLock });
    await database.waitReady;
    return database;
  } catch (error) {
    folderLock.close();
    throw error;
  }
}

/**
 * Two processes on one folder would silently lose rows. Node has no call for file locks, so SQLite's exclusive
 * transaction takes one. The operating system releases it when the process ends, even by a crash.
 */
function lockFolder(dataDir: string): DatabaseSync {
  mkdirSync(dirname(dataDir), { recursive: true });
  const lock = new DatabaseSync(`${dataDir}.lock`, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    throw new DatabaseInUseError(`The database in ${dataDir} is in use by another process`, { cause: error });
  }
}
