import { useEffect, useEffectEvent } from "react";
import { useViewer } from "#client/lib/session/session.ts";
import { LIVE_HEARTBEAT_MS, LIVE_TIMEOUT_MS, type LiveMessage, livePath } from "#shared/live.ts";
import { openTabChannel } from "./tab-channel.ts";

/**
 * Hears what changed on the server as it happens. Of a browser's tabs one holds the stream and tells the others; it is
 * chosen by a lock, so that the next one takes over when it is closed. Without any of this the screens poll.
 */

/** Specification, section 9. */
const RECONNECT_MS = [1000, 2000, 5000, 10_000];
const NAME = "live";

const listeners = new Set<(message: LiveMessage) => void>();
let stop: (() => void) | undefined;

/**
 * Calls the handler when something of the type changed, for as long as somebody is signed in: with the project whose
 * messages or harvests changed, or with null where anything may have changed (notifications, or the connection was lost
 * meanwhile).
 */
export function useLive(
  type: "notifications" | "messages" | "harvests",
  handler: (projectId: number | null) => void,
): void {
  const viewerId = useViewer()?.id;
  const hear = useEffectEvent(handler);
  useEffect(() => {
    if (viewerId === undefined) return;
    return subscribe((message) => {
      if (message.type === "missed" || message.type === "ended") hear(null);
      else if (message.type === type) hear("projectId" in message ? message.projectId : null);
    });
  }, [viewerId, type]);
}

/** The first listener opens the connection, the last one closes it. */
function subscribe(listener: (message: LiveMessage) => void): () => void {
  listeners.add(listener);
  stop ??= start();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

function start(): () => void {
  const over = new AbortController();
  const tellHere = (message: LiveMessage) => {
    for (const listener of listeners) listener(message);
  };
  const channel = openTabChannel(NAME, tellHere);
  const lead = () =>
    keepStream(over.signal, (message) => {
      tellHere(message);
      channel.tell(message);
    });
  // Browsers know no locks on a page without https: each tab then has its own stream.
  if (navigator.locks) navigator.locks.request(NAME, { signal: over.signal }, lead).catch(() => {});
  else void lead();
  return () => {
    over.abort();
    channel.close();
  };
}

/** Holds a stream, opened anew whenever it breaks or falls silent, until the signal ends it. */
export function keepStream(signal: AbortSignal, tell: (message: LiveMessage) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    // What happened while no stream was open, before the first one too, is asked for once.
    let isBehind = true;

    const after = (ms: number, next: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    };
    const rest = () => {
      source?.close();
      clearTimeout(timer);
    };
    const fail = () => {
      source?.close();
      isBehind = true;
      after(RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)] ?? 0, connect);
      failures += 1;
    };
    const hear = (message: LiveMessage) => {
      after(LIVE_HEARTBEAT_MS + LIVE_TIMEOUT_MS, fail);
      if (isBehind) tell({ type: "missed" });
      isBehind = false;
      failures = 0;
      if (message.type === "replaced") rest();
      else if (message.type !== "heartbeat") tell(message);
    };
    const connect = () => {
      source = new EventSource(livePath);
      source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as LiveMessage);
      source.onerror = fail;
      after(LIVE_HEARTBEAT_MS + LIVE_TIMEOUT_MS, fail);
    };
    signal.addEventListener("abort", () => {
      rest();
      resolve();
    });
    connect();
  });
}
