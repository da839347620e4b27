import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  hearActivity,
  noteActivity,
  remainingText,
  resetActivity,
  startIdleTimer,
  warnAfterMs,
} from "#client/lib/idle-timer.ts";

const MINUTE = 60_000;

test("the warning comes before the limit, and at half of a limit too short for that", () => {
  expect(warnAfterMs(60, 5)).toBe(55 * MINUTE);
  expect(warnAfterMs(30, 2)).toBe(28 * MINUTE);
  expect(warnAfterMs(3, 2)).toBe(1 * MINUTE);
  expect(warnAfterMs(2, 2)).toBe(1 * MINUTE);
  expect(warnAfterMs(1, 2)).toBe(30_000);
});

test("the warning says what is left", () => {
  expect(remainingText(30, 2)).toBe("2 minutes");
  expect(remainingText(2, 2)).toBe("1 minute");
  expect(remainingText(1, 2)).toBe("30 seconds");
});

describe("the idle timer", () => {
  const calls = { touch: 0, warn: 0, expire: 0 };
  const resumed: string[] = [];
  let stop = () => {};

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) });
    const stored = new Map<string, string>();
    vi.stubGlobal("window", new EventTarget());
    vi.stubGlobal("document", new EventTarget());
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    Object.assign(calls, { touch: 0, warn: 0, expire: 0 });
    resumed.length = 0;
    stop = startIdleTimer({
      limitMinutes: 30,
      warnMinutes: 2,
      onTouch: () => calls.touch++,
      onWarn: () => calls.warn++,
      onResume: (where) => resumed.push(where),
      onExpire: () => calls.expire++,
    });
  });

  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const act = () => window.dispatchEvent(new Event("mousemove"));

  test("warns once, then ends the session", () => {
    vi.advanceTimersByTime(27.5 * MINUTE);
    expect(calls.warn).toBe(0);
    vi.advanceTimersByTime(2 * MINUTE);
    expect(calls).toEqual({ touch: 0, warn: 1, expire: 0 });
    vi.advanceTimersByTime(5 * MINUTE);
    expect(calls).toEqual({ touch: 0, warn: 1, expire: 1 });
  });

  test("starts again with any activity, which the server is told at most every 30 s", () => {
    vi.advanceTimersByTime(29 * MINUTE);
    for (let second = 0; second < 55; second++) {
      act();
      vi.advanceTimersByTime(1000);
    }
    expect(calls.touch).toBe(2);
    vi.advanceTimersByTime(27 * MINUTE);
    expect(calls.expire).toBe(0);
  });

  test("tells the server of the last event of a burst too", () => {
    act();
    vi.advanceTimersByTime(1000);
    act();
    expect(calls.touch).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(calls.touch).toBe(2);
  });

  test("does not tell the server anything without activity", () => {
    vi.advanceTimersByTime(25 * MINUTE);
    expect(calls.touch).toBe(0);
  });

  test("counts an upload that gets on, and what happens in other tabs", () => {
    vi.advanceTimersByTime(20 * MINUTE);
    noteActivity();
    vi.advanceTimersByTime(20 * MINUTE);
    resetActivity();
    vi.advanceTimersByTime(20 * MINUTE);
    expect(calls.expire).toBe(0);
  });

  test("tells once that somebody is there again after a warning, and where", () => {
    act();
    vi.advanceTimersByTime(28 * MINUTE);
    expect(resumed).toEqual([]);
    act();
    act();
    expect(resumed).toEqual(["here"]);
    vi.advanceTimersByTime(28 * MINUTE);
    hearActivity();
    expect(resumed).toEqual(["here", "elsewhere"]);
    expect(calls).toMatchObject({ warn: 2, expire: 0 });
  });

  test("is not revived by a hand on the mouse after a night's sleep", () => {
    vi.setSystemTime(Date.now() + 8 * 60 * MINUTE);
    act();
    expect(calls).toEqual({ touch: 0, warn: 0, expire: 1 });
  });
});
