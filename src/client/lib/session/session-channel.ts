import { openTabChannel } from "#client/lib/tab-channel.ts";

/**
 * A tab's message to the others about the session. "expired": nobody was there for too long. "active": after a warning
 * somebody is there again.
 */
export type SessionEvent = "signed-in" | "signed-out" | "expired" | "active";

const CHANNEL = "session";

export function announceSession(event: SessionEvent) {
  const channel = openTabChannel<SessionEvent>(CHANNEL);
  channel.tell(event);
  channel.close();
}

/** Hears what other tabs announce. Gives the function that stops listening. */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  return openTabChannel(CHANNEL, listener).close;
}
