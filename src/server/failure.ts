import { DatabaseInUseError } from "#server/db/errors.ts";
import { EnvError } from "#server/platform/env.ts";
import { RotationUnfinishedError } from "#server/platform/secret.ts";

/** Why a process could not begin: a plain line for what its user can mend, everything known of a fault. */
export function describeFailure(error: unknown): string {
  const isPlain = [EnvError, DatabaseInUseError, RotationUnfinishedError].some((kind) => error instanceof kind);
  if (isPlain) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  // The database's own words stand in the cause of what drizzle says.
  return error.cause === undefined ? stack : `${stack}\nbecause of ${describeFailure(error.cause)}`;
}
