import { type DbOrTx, forQuickReads } from "./open.ts";

/**
 * Returns a function that prepares a statement once per database, for quick reads. The driver prepares only statements
 * with `.prepare(name)` and at least one parameter. Others are parsed and planned again at each call.
 */
export function perDatabase<Statement>(prepare: (db: DbOrTx) => Statement): (db: DbOrTx) => Statement {
  const preparedOn = perPool(prepare);
  return (db) => preparedOn(forQuickReads(db));
}

/** The same for reads that may be slow: they go by the pool, where they hold up nobody else's. */
export function perPool<Statement>(prepare: (db: DbOrTx) => Statement): (db: DbOrTx) => Statement {
  const prepared = new WeakMap<DbOrTx, Statement>();
  return (db) => {
    const statement = prepared.get(db) ?? prepare(db);
    prepared.set(db, statement);
    return statement;
  };
}

/**
 * The same for a statement with optional parts. A variant says which parts it has; each one is built once, because
 * drizzle's building takes as long as reading the answer. Variants must be few: all are kept.
 */
export function perVariant<Variant extends Record<string, string | boolean>, Statement>(
  prepare: (db: DbOrTx, variant: Variant) => Statement,
): (db: DbOrTx, variant: Variant) => Statement {
  const statementsOf = perDatabase((db) => ({ db, prepared: new Map<string, Statement>() }));
  return (database, variant) => {
    const { db, prepared } = statementsOf(database);
    const key = JSON.stringify(variant);
    const statement = prepared.get(key) ?? prepare(db, variant);
    prepared.set(key, statement);
    return statement;
  };
}
