import type postgres from "postgres";

type Run = (sql: postgres.TransactionSql) => Promise<unknown>;

/**
 * postgres.js (3.4.9) continues a transaction after its connection is lost. Its next statement, even ROLLBACK, goes to
 * the closed connection, which crashes the process, or to the new connection, inside another transaction.
 * This wrapper blocks further statements of such a transaction. Its caller has already got the error, and its remaining
 * code waits for ever.
 */
export function silenceLostTransactions(client: postgres.Sql): postgres.Sql {
  const begin = client.begin.bind(client) as (run: Run) => Promise<unknown>;
  const guarded = (run: Run): Promise<unknown> => {
    let isOver = false;
    const silence = new Promise<never>(() => {});
    const transaction = begin(async (sql) => {
      const open = new Proxy(sql, {
        get(target, name) {
          if (isOver) throw new Error("this transaction is over");
          return Reflect.get(target, name);
        },
      });
      try {
        const result = await run(open);
        return isOver ? await silence : result;
      } catch (error) {
        if (isOver || isConnectionLost(error)) return await silence;
        throw error;
      }
    });
    // The driver rejects the caller's promise first.
    transaction.catch(() => {
      isOver = true;
    });
    return transaction;
  };
  return Object.assign(client, { begin: guarded });
}

/**
 * Returns true if the connection was lost: an error of the driver, of the network during a query, or the database's
 * FATAL one.
 */
function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, severity, syscall } = cause as Error & { code?: unknown; severity?: unknown; syscall?: unknown };
    if (severity === "FATAL" || severity === "PANIC") return true;
    if (typeof code === "string" && code.startsWith("CONNECTION_")) return true;
    // A system error to which the driver added its query. Errors of files have none.
    if (typeof syscall === "string" && "query" in cause) return true;
  }
  return false;
}
