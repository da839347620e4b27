/** The address of the live events, which are server-sent events. */
export const livePath = "/events";

/** A stream sends at least this often, and is given up after the second delay (specification, section 9). */
export const LIVE_HEARTBEAT_MS = 30_000;
export const LIVE_TIMEOUT_MS = 10_000;

/**
 * A stream's message. It never contains the data, only what to fetch again; the caller's rights apply there.
 * "missed": anything may have changed. "ended": the session has ended. "replaced": the person has too many streams, so
 * this one must not reconnect.
 */
export type LiveMessage =
  | { type: "notifications" }
  | { type: "messages"; projectId: number }
  | { type: "harvests"; projectId: number }
  | { type: "missed" }
  | { type: "heartbeat" }
  | { type: "ended" }
  | { type: "replaced" };
