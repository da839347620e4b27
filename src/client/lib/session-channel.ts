/**
 * What one tab tells the others about the session. "expired": nobody was there for too long. "active": after a warning
 * somebody is there again.
 */
const sessionEvents = ["signed-in", "signed-out", "expired", "active"] as const;
export type SessionEvent = (typeof sessionEvents)[number];

const CHANNEL = "session";

export function announceSession(event: SessionEvent) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(event);
  channel.close();
}

/** Hears what other tabs announce. Gives the function that stops listening. */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    // Two versions of the page may be open at once.
    const event = sessionEvents.find((known) => known === data);
    if (event) listener(event);
  };
  return () => channel.close();
}
