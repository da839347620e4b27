import { EnvError } from "#server/core/env.ts";
import { DatabaseInUseError } from "#server/db/errors.ts";

/** Why a process could not begin: a plain line for what its user can mend, everything known of a fault. */
export function describeFailure(error: unknown): string {
  if (error instanceof EnvError || error instanceof DatabaseInUseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
