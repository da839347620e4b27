/** What PostgreSQL refused, told apart by its SQLSTATE; the same on both drivers and through drizzle's wrapping. */

type DatabaseError = { code: string; constraint: string | undefined; severity: string };

/** SQLSTATE and constraint of the database error behind `error`, or undefined where it is something else. */
export function databaseErrorOf(error: unknown): DatabaseError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = textField(cause, "code");
    // Node's own errors have a code too (ECONNREFUSED); an SQLSTATE is five letters or digits.
    const severity = textField(cause, "severity");
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined) {
      // postgres.js says constraint_name, the embedded database says constraint.
      return { code, severity, constraint: textField(cause, "constraint_name") ?? textField(cause, "constraint") };
    }
  }
  return undefined;
}

function textField(value: object, name: string): string | undefined {
  const field: unknown = Reflect.get(value, name);
  return typeof field === "string" ? field : undefined;
}

function isViolation(error: unknown, code: string, constraint?: string): boolean {
  const found = databaseErrorOf(error);
  return found?.code === code && (constraint === undefined || found.constraint === constraint);
}

/** With a name: only a violation of that constraint or unique index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23505", constraint);

export const isForeignKeyViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23503", constraint);

export const isCheckViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23514", constraint);

/** A rule or policy that asks for itself: "infinite recursion detected in …". */
export const isInfiniteRecursion = (error: unknown): boolean => databaseErrorOf(error)?.code === "42P17";

/**
 * The database refused a statement, so nothing was committed. Where it ended the connection (FATAL), the word of a
 * commit may have been lost with it.
 */
export const isRolledBack = (error: unknown): boolean => databaseErrorOf(error)?.severity === "ERROR";

/** A transaction that lost a race and may succeed when it runs again: serialization failure or deadlock. */
export function isSerializationFailure(error: unknown): boolean {
  const code = databaseErrorOf(error)?.code;
  return code === "40001" || code === "40P01";
}

/**
 * A prepared statement's columns have another type since a migration of a newer process. Outside of transactions the
 * driver prepares it again by itself; in one it can do so only once the transaction has ended. Nothing else that we ask
 * for is refused with this code, "feature not supported".
 */
export const isPlanOutdated = (error: unknown): boolean => databaseErrorOf(error)?.code === "0A000";

/** Others held what it needed until it gave up: their work was in the way, not a fault. */
export function isBusy(error: unknown): boolean {
  return isSerializationFailure(error) || databaseErrorOf(error)?.code === "55P03";
}

/** A second process on one embedded database: it would lose rows in silence. */
export class DatabaseInUseError extends Error {}
