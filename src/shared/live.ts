/** Where a signed-in browser hears what changed; answers in server-sent events. */
export const livePath = "/events";

/** A stream says something at least this often, and is given up when it is late by the second (specification, section 9). */
export const LIVE_HEARTBEAT_MS = 30_000;
export const LIVE_TIMEOUT_MS = 10_000;

/**
 * What a stream says. Never the news itself, only what to ask for again; the answer is subject to the caller's rights.
 * "missed": anything may have changed. "ended": so has the session. "replaced": the person has too many streams, and
 * this one is not to be opened again.
 */
export type LiveMessage =
  | { type: "notifications" }
  | { type: "messages"; projectId: number }
  | { type: "missed" }
  | { type: "heartbeat" }
  | { type: "ended" }
  | { type: "replaced" };
