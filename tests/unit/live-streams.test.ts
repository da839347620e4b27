import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Listener, openLiveStreams } from "#server/http/live-streams.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("tabs of one session that came by two networks are each counted where they came from", async () => {
  const streams = openLiveStreams({
    heartbeatMs: 30_000,
    findListeners: async (current) => new Map(current.map((listener) => [listener.sessionIdHash, listener])),
    log: { error: vi.fn() },
  });
  const open = (network: string) => {
    const raw = Object.assign(new EventEmitter(), { write: vi.fn(), end: vi.fn(), destroyed: false });
    const listener: Listener = { userId: "amina", sessionIdHash: "session", network, projectIds: [] };
    streams.add(listener, raw as unknown as ServerResponse);
    return raw;
  };
  const tabs = [open("198.51.100.1"), open("2001:db8::/64")];
  await vi.advanceTimersByTimeAsync(30_000);
  for (const tab of tabs) expect(tab.write).toHaveBeenCalledTimes(2);
  for (const tab of tabs) tab.emit("close");
  expect(streams.countOf("198.51.100.1")).toBe(0);
  expect(streams.countOf("2001:db8::/64")).toBe(0);
  streams.close();
});
