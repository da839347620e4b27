import { type Placeholder, sql } from "drizzle-orm";
import type { Db } from "./open.ts";

/**
 * Gives a function that makes something once for each database: prepared statements, above all. Only `.prepare(name)`
 * has the driver prepare a statement; built anew for each call, it is parsed and planned anew as well.
 */
export function perDatabase<Value>(make: (db: Db) => Value): (db: Db) => Value {
  const made = new WeakMap<Db, Value>();
  return (db) => {
    const value = made.get(db) ?? make(db);
    made.set(db, value);
    return value;
  };
}

/**
 * A limit as a number in the text of a statement: as a parameter, PostgreSQL would plan a prepared one without knowing
 * how few rows are wanted. Drizzle takes any SQL there, but its type names placeholders only.
 */
export const limitOf = (count: number) => sql.raw(String(count)) as unknown as Placeholder;
