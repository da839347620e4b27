import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import { isBusy } from "#server/db/errors.ts";
import type { ErrorReason } from "#shared/errors.ts";

/** What is said once all tries are lost (nothing was changed). */
export const busyText = "Others are changing the same thing right now, so nothing was saved. Please try again.";

type CallerReason = Exclude<ErrorReason, "internal">;

/**
 * What a person can cause: a stable reason for code, a sentence for the person.
 * Everything else that is thrown becomes a logged 500 with a neutral text.
 */
export class AppError extends Error {
  readonly reason: CallerReason;
  /** Texts per input field, where the fault lies with some of them. */
  readonly fields: Record<string, string[]> | undefined;
  /** Facts the screen needs, e.g. the end of a lock. Never secrets. */
  readonly details: Record<string, string | number> | undefined;

  constructor(
    reason: CallerReason,
    message: string,
    extra: { fields?: Record<string, string[]>; details?: Record<string, string | number>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = "AppError";
    this.reason = reason;
    this.fields = extra.fields;
    this.details = extra.details;
  }
}

/** The refusal that an error is, also where the database gave up because of others' work; undefined for a fault. */
export function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return isBusy(error) ? new AppError("unavailable", busyText, { cause: error }) : undefined;
}

/** A fault of what the server stands on, such as a full disk or an S3 server that is away: the same may work later. */
export const isUnavailable = (error: unknown): error is AppError =>
  error instanceof AppError && error.reason === "unavailable";

export const trpcCodeOf: Record<CallerReason, TRPC_ERROR_CODE_KEY> = {
  invalid: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  rate_limited: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
};

export const httpStatusOf: Record<CallerReason, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};
