import { type Placeholder, sql } from "drizzle-orm";
import { type DbOrTx, forQuickReads } from "./open.ts";
import { withRowMapper } from "./row-mapper.ts";

/**
 * Gives a function that makes something once for each database, on the connection where quick reads go: prepared
 * statements that read a few rows. Only `.prepare(name)`
 * has the driver prepare a statement; built anew for each call, it is parsed and planned anew as well.
 */
export function perDatabase<Value>(make: (db: DbOrTx) => Value): (db: DbOrTx) => Value {
  const made = new WeakMap<DbOrTx, Value>();
  return (db) => {
    const readDb = forQuickReads(db);
    const value = made.get(readDb) ?? withRowMapper(make(readDb));
    made.set(readDb, value);
    return value;
  };
}

/**
 * The same for a statement whose conditions differ from call to call: once for each database and each choice of them.
 * Values are no part of the choice: they come as placeholders.
 */
export function perDatabaseAndShape<Shape extends Record<string, string | boolean>, Value>(
  prefix: string,
  make: (db: DbOrTx, name: string, shape: Shape) => Value,
): (db: DbOrTx, shape: Shape) => Value {
  const shapesOf = perDatabase(() => new Map<string, Value>());
  return (db, shape) => {
    const name = `${prefix}_${Object.values(shape).join("_")}`;
    const readDb = forQuickReads(db);
    const shapes = shapesOf(readDb);
    const value = shapes.get(name) ?? withRowMapper(make(readDb, name, shape));
    shapes.set(name, value);
    return value;
  };
}

/**
 * A limit as a number in the text of a statement: as a parameter, PostgreSQL would plan a prepared one without knowing
 * how few rows are wanted. Drizzle takes any SQL there, but its type names placeholders only.
 */
export const limitOf = (count: number) => sql.raw(String(count)) as unknown as Placeholder;
