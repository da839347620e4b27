/**
 * What one tab tells the others about the session. "expired": nobody was there for too long. "active": after a warning
 * somebody is there again.
 */
export type SessionEvent = "signed-in" | "signed-out" | "expired" | "active";

const CHANNEL = "session";

export function announceSession(event: SessionEvent) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(event);
  channel.close();
}

/** Hears what other tabs announce. Gives the function that stops listening. */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<SessionEvent>) => listener(data);
  return () => channel.close();
}
