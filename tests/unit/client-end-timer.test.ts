import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startEndTimer } from "#client/lib/session/end-timer.ts";

const MINUTE = 60_000;

describe("the timer of an end that nothing puts off", () => {
  const calls = { warn: 0, end: 0 };
  let stop = () => {};
  let visibility: string;

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) });
    visibility = "visible";
    const page = new EventTarget();
    Object.defineProperty(page, "visibilityState", { get: () => visibility });
    vi.stubGlobal("document", page);
    Object.assign(calls, { warn: 0, end: 0 });
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function start(minutesLeft: number) {
    stop = startEndTimer({
      endsAt: Date.now() + minutesLeft * MINUTE,
      warnMs: 5 * MINUTE,
      onWarn: () => calls.warn++,
      onEnd: () => calls.end++,
    });
  }

  test("warns once, five minutes before, and tells of the end until it is stopped", () => {
    start(720);
    vi.advanceTimersByTime(715 * MINUTE - 1000);
    expect(calls).toEqual({ warn: 0, end: 0 });
    vi.advanceTimersByTime(1000);
    expect(calls).toEqual({ warn: 1, end: 0 });
    vi.advanceTimersByTime(5 * MINUTE - 1000);
    expect(calls).toEqual({ warn: 1, end: 0 });
    vi.advanceTimersByTime(1000);
    expect(calls).toEqual({ warn: 1, end: 1 });
    vi.advanceTimersByTime(30_000);
    expect(calls).toEqual({ warn: 1, end: 2 });
    stop();
    vi.advanceTimersByTime(MINUTE);
    expect(calls).toEqual({ warn: 1, end: 2 });
  });

  test("warns at once where less is left", () => {
    start(3);
    expect(calls).toEqual({ warn: 1, end: 0 });
  });

  test("looks again when a device wakes up", () => {
    start(720);
    vi.setSystemTime(Date.now() + 717 * MINUTE);
    visibility = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(calls.warn).toBe(0);
    visibility = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(calls).toEqual({ warn: 1, end: 0 });
  });
});
