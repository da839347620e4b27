/** What one tab tells the others about the session. */
export type SessionEvent = "signed-in" | "signed-out";

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
    if (data === "signed-in" || data === "signed-out") listener(data);
  };
  return () => channel.close();
}
