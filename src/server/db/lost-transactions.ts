import type postgres from "postgres";

type Run = (sql: postgres.TransactionSql) => Promise<unknown>;

/**
 * postgres.js (3.4.9) goes on with a transaction whose connection is gone: whatever it says next, be it only ROLLBACK,
 * is written to the closed connection, which ends the process, or to the one that took its place, in the middle of a
 * transaction of somebody else. Here such a transaction says nothing more: its caller has heard of the loss, and what
 * is left of its work waits for ever.
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
    // The driver tells the caller first.
    transaction.catch(() => {
      isOver = true;
    });
    return transaction;
  };
  return Object.assign(client, { begin: guarded });
}

/** The driver's word for a connection that is gone, or one of the network at a query, or the database's last one on it. */
function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, severity, syscall } = cause as Error & { code?: unknown; severity?: unknown; syscall?: unknown };
    if (severity === "FATAL" || severity === "PANIC") return true;
    if (typeof code === "string" && code.startsWith("CONNECTION_")) return true;
    // A system error that the driver put a query to: those of files have none.
    if (typeof syscall === "string" && "query" in cause) return true;
  }
  return false;
}
