import { type ErrorReason, errorReasons, errorTexts } from "#shared/errors.ts";

/** An upload's refusal, in the same words as a procedure's. */
export class RequestError extends Error {
  readonly reason: ErrorReason | "network";
  readonly fields: Record<string, string[]>;
  readonly details: unknown;

  constructor(
    reason: ErrorReason | "network",
    message: string,
    extra: { fields?: Record<string, string[]>; details?: unknown } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.reason = reason;
    this.fields = extra.fields ?? {};
    this.details = extra.details;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A stable word as the server wrote it, or null when the value is no such word. */
export function toReason(value: unknown): ErrorReason | null {
  return errorReasons.find((reason) => reason === value) ?? null;
}

/** Reads `{ field: ["text"] }` from anything; what isn't of that shape is left out. */
export function toFields(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, texts]) =>
      Array.isArray(texts) ? [[field, texts.filter((text) => typeof text === "string")]] : [],
    ),
  );
}

/** Returns the data that the server put beside the message of a refused procedure. */
function serverData(error: unknown): Record<string, unknown> | null {
  return isRecord(error) && isRecord(error.data) ? error.data : null;
}

function httpStatus(error: unknown): number | null {
  const data = serverData(error);
  if (typeof data?.httpStatus === "number") return data.httpStatus;
  const response = isRecord(error) && isRecord(error.meta) ? error.meta.response : null;
  return isRecord(response) && typeof response.status === "number" ? response.status : null;
}

/** Returns the reason for a failure, as a stable word. "network": the server never answered. */
export function errorReason(error: unknown): ErrorReason | "network" {
  if (error instanceof RequestError) return error.reason;
  const reason = toReason(serverData(error)?.reason);
  if (reason) return reason;
  if (httpStatus(error) === 429) return "rate_limited";
  if (httpStatus(error) === 503) return "unavailable";
  // fetch rejects with a TypeError when there is no connection; tRPC keeps it as the cause.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof TypeError && httpStatus(error) === null && /fetch|network|load failed/i.test(cause.message)) {
    return "network";
  }
  return "internal";
}

/**
 * The one place where an error becomes a text for the person: the server's message as given, else the catalogue's
 * sentence for a lost connection, too many attempts, too many people, or anything unknown.
 */
export function errorText(error: unknown): string {
  if (error === null || error === undefined) return errorTexts.unknown;
  // Answered as if all was well, but with neither a result nor an error.
  if (httpStatus(error) === 200 && !serverData(error)) return errorTexts.unknown;
  const reason = errorReason(error);
  if (reason === "network") return errorTexts.network;
  const given = serverData(error)?.reason !== undefined || error instanceof RequestError;
  if (given && reason !== "internal" && error instanceof Error && error.message) return error.message;
  if (reason === "unavailable") return errorTexts.overloaded;
  return reason === "rate_limited" ? errorTexts.rateLimited : errorTexts.internal;
}

/** The first text of each refused field, for a Mantine form's `setErrors`. Empty when no field was to blame. */
export function fieldErrors(error: unknown): Record<string, string> {
  const fields = error instanceof RequestError ? error.fields : toFields(serverData(error)?.fields);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, texts]) => (texts[0] === undefined ? [] : [[field, texts[0]]])),
  );
}

/** A fact the server put beside a refusal, such as the end of a lock. */
export function errorDetail(error: unknown, name: string): string | number | undefined {
  const details = error instanceof RequestError ? error.details : serverData(error)?.details;
  const value = isRecord(details) ? details[name] : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
