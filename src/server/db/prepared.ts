import { type DbOrTx, forQuickReads } from "./open.ts";

/**
 * Gives a function that prepares a statement once for each database, where quick reads go. Only `.prepare(name)` has the
 * driver prepare a statement, and only where it has a parameter; built anew for each call, it is parsed and planned anew
 * as well.
 */
export function perDatabase<Statement>(prepare: (db: DbOrTx) => Statement): (db: DbOrTx) => Statement {
  const prepared = new WeakMap<DbOrTx, Statement>();
  return (db) => {
    const readDb = forQuickReads(db);
    const statement = prepared.get(readDb) ?? prepare(readDb);
    prepared.set(readDb, statement);
    return statement;
  };
}
