import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepStream } from "#client/lib/live.ts";
import type { LiveMessage } from "#shared/live.ts";

/** The browser's stream, as far as a test plays the server. */
class FakeStream {
  static opened: FakeStream[] = [];
  onmessage: ((event: { data: string }) => void) | undefined;
  onerror: (() => void) | undefined;
  isOpen = true;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    FakeStream.opened.push(this);
  }
  close() {
    this.isOpen = false;
  }
  say(message: LiveMessage) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const streams = FakeStream.opened;
const latest = () => streams.at(-1) as FakeStream;
let told: LiveMessage[];
let over: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  streams.length = 0;
  told = [];
  over = new AbortController();
  void keepStream(over.signal, (message) => told.push(message));
});
afterEach(() => {
  over.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("everything is asked for once at the start, then news is passed on, heartbeats are not", () => {
  latest().say({ type: "heartbeat" });
  latest().say({ type: "notifications" });
  latest().say({ type: "messages", projectId: 7 });
  expect(told).toEqual([{ type: "missed" }, { type: "notifications" }, { type: "messages", projectId: 7 }]);
  expect(streams.map(({ url }) => url)).toEqual(["/events"]);
});

test("a broken stream is opened again after 1, 2, 5, then 10 seconds, and once after that everything is asked for", () => {
  latest().say({ type: "heartbeat" });
  told = [];
  for (const seconds of [1, 2, 5, 10, 10]) {
    const before = streams.length;
    latest().onerror?.();
    expect(latest().isOpen).toBe(false);
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(streams).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(streams).toHaveLength(before + 1);
  }
  expect(told).toEqual([]);
  latest().say({ type: "heartbeat" });
  latest().say({ type: "heartbeat" });
  expect(told).toEqual([{ type: "missed" }]);
  latest().onerror?.();
  vi.advanceTimersByTime(1000);
  expect(streams).toHaveLength(7);
});

test("a stream that is silent for 40 seconds is given up", () => {
  latest().say({ type: "heartbeat" });
  vi.advanceTimersByTime(39_000);
  latest().say({ type: "heartbeat" });
  vi.advanceTimersByTime(39_999);
  expect(latest().isOpen).toBe(true);
  vi.advanceTimersByTime(1);
  expect(latest().isOpen).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(streams).toHaveLength(2);
});

test("a stream that was replaced stays closed", () => {
  latest().say({ type: "replaced" });
  expect(latest().isOpen).toBe(false);
  vi.advanceTimersByTime(120_000);
  expect(streams).toHaveLength(1);
});

test("the end of the session is passed on, and a newer one of the same browser gets its stream", () => {
  latest().say({ type: "heartbeat" });
  latest().say({ type: "ended" });
  latest().onerror?.();
  expect(told).toEqual([{ type: "missed" }, { type: "ended" }]);
  vi.advanceTimersByTime(1000);
  expect(streams).toHaveLength(2);
});

test("nothing is opened any more once it is over", () => {
  latest().onerror?.();
  over.abort();
  vi.advanceTimersByTime(120_000);
  expect(streams).toHaveLength(1);
});
