/** A way to the other tabs of this browser. */
type TabChannel<Message> = { tell: (message: Message) => void; close: () => void };

/** Opens a way to the other tabs. A browser that blocks cookies has none: this tab then is alone. */
export function openTabChannel<Message>(name: string, hear?: (message: Message) => void): TabChannel<Message> {
  try {
    const channel = new BroadcastChannel(name);
    if (hear) channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
    return { tell: (message) => channel.postMessage(message), close: () => channel.close() };
  } catch {
    return { tell: () => {}, close: () => {} };
  }
}
