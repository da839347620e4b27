import { request } from "node:http";
import type { LiveMessage } from "#shared/live.ts";
import { livePath } from "#shared/live.ts";

export interface LiveStream {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** All that was said so far, heartbeats too. */
  heard: LiveMessage[];
  /** Without the heartbeats. */
  news(): LiveMessage[];
  hasEnded(): boolean;
  close(): void;
}

/** Opens the live stream of a server as a browser would. Ends with the answer's head; `heard` fills afterwards. */
export function openLiveStream(url: string, cookie = ""): Promise<LiveStream> {
  return new Promise((resolve, reject) => {
    // A connection of its own: the test closes it, and sees when the server does.
    const asked = request(`${url}${livePath}`, { headers: { cookie }, agent: false }, (answer) => {
      const heard: LiveMessage[] = [];
      let rest = "";
      let isOver = false;
      answer.setEncoding("utf8").on("data", (text: string) => {
        const parts = (rest + text).split("\n\n");
        rest = parts.pop() ?? "";
        for (const part of parts) if (part.startsWith("data: ")) heard.push(JSON.parse(part.slice(6)) as LiveMessage);
      });
      answer.on("close", () => {
        isOver = true;
      });
      answer.on("error", () => {});
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        heard,
        news: () => heard.filter(({ type }) => type !== "heartbeat"),
        hasEnded: () => isOver,
        close: () => asked.destroy(),
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}
