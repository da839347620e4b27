import { DatabaseInUseError } from "#server/db/errors.ts";
import { EnvError } from "#server/platform/env.ts";
import { RotationUnfinishedError } from "#server/platform/secret.ts";

/**
 * Describes why a process could not start: one line for a mistake that the operator can fix, the full stack and cause
 * for a fault.
 */
export function describeFailure(error: unknown): string {
  const isPlain = [EnvError, DatabaseInUseError, RotationUnfinishedError].some((kind) => error instanceof kind);
  if (isPlain) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  // Drizzle's error has the database's own error as its cause.
  return error.cause === undefined ? stack : `${stack}\nbecause of ${describeFailure(error.cause)}`;
}
