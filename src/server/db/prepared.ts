import { type DbOrTx, forQuickReads } from "./open.ts";

/**
 * Returns a function that prepares a statement once per database, for quick reads. The driver prepares only statements
 * with `.prepare(name)` and at least one parameter. Others are parsed and planned again at each call.
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
