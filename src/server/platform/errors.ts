import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import { isBusy } from "#server/db/errors.ts";
import type { ErrorReason } from "#shared/errors.ts";

/** The text once all retries have failed; nothing was changed. */
export const busyText = "Others are changing the same thing right now, so nothing was saved. Please try again.";

export type CallerReason = Exclude<ErrorReason, "internal">;

/**
 * An error that a person can cause: a stable reason for code, and a sentence for the person.
 * Any other error becomes a logged 500 with a neutral text.
 */
export class AppError extends Error {
  readonly reason: CallerReason;
  /** Texts per input field, if certain fields are at fault. */
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

/** A refusal that the form shows at the field. */
export const fieldRefusal = (field: string, text: string) =>
  new AppError("invalid", text, { fields: { [field]: [text] } });

/** The refusal that an error stands for, including a database conflict with others' work. Undefined for a fault. */
export function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return isBusy(error) ? new AppError("unavailable", busyText, { cause: error }) : undefined;
}

/** True if a dependency failed, such as a full disk or an unreachable S3 server. The same request may work later. */
export const isUnavailable = (error: unknown): error is AppError =>
  error instanceof AppError && error.reason === "unavailable";

export const trpcCodeOf: Record<CallerReason, TRPC_ERROR_CODE_KEY> = {
  invalid: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  proof_required: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  rate_limited: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
};

export const httpStatusOf: Record<CallerReason, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  proof_required: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};
