/** Classifies PostgreSQL's errors by SQLSTATE, for both drivers and through drizzle's wrapping. */

type DatabaseError = { code: string; constraint: string | undefined; severity: string };

/** SQLSTATE and constraint of the database error behind `error`, or undefined for any other error. */
export function databaseErrorOf(error: unknown): DatabaseError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = textField(cause, "code");
    // Node's own errors have a code too (ECONNREFUSED). An SQLSTATE has five letters or digits.
    const severity = textField(cause, "severity");
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined) {
      // postgres.js names it constraint_name, the embedded database constraint.
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

/** With a name: only for that constraint or unique index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23505", constraint);

export const isForeignKeyViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23503", constraint);

export const isCheckViolation = (error: unknown, constraint?: string): boolean =>
  isViolation(error, "23514", constraint);

/** A rule or policy that refers to itself: "infinite recursion detected in …". */
export const isInfiniteRecursion = (error: unknown): boolean => databaseErrorOf(error)?.code === "42P17";

/**
 * The database refused a statement, so nothing was committed. After a FATAL error, which ends the connection, a
 * successful commit may have gone unreported.
 */
export const isRolledBack = (error: unknown): boolean => databaseErrorOf(error)?.severity === "ERROR";

/** A transaction that conflicted with others and may succeed on a retry: serialization failure or deadlock. */
export function isSerializationFailure(error: unknown): boolean {
  const code = databaseErrorOf(error)?.code;
  return code === "40001" || code === "40P01";
}

/**
 * A prepared statement's column types changed by a newer process's migration. Outside transactions the driver prepares
 * it again by itself; inside one it can do so only after the transaction has ended. No other statement of ours fails
 * with this code, "feature not supported".
 */
export const isPlanOutdated = (error: unknown): boolean => databaseErrorOf(error)?.code === "0A000";

/** Others' work was in the way (a conflict or a lock timeout), so it is no fault of ours. */
export function isBusy(error: unknown): boolean {
  return isSerializationFailure(error) || databaseErrorOf(error)?.code === "55P03";
}

/** A second process opened the same embedded database, which would silently lose rows. */
export class DatabaseInUseError extends Error {}
