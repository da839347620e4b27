import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  hearActivity,
  noteActivity,
  noteSessionEnd,
  remainingText,
  resetActivity,
  startIdleTimer,
  warnAfterMs,
} from "#client/lib/session/idle-timer.ts";

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
  let timer: ReturnType<typeof startIdleTimer>;
  /** Answers a touch as the server would; `undefined` while it can't be reached. */
  let answer: (() => void) | undefined;

  function start(limitMinutes: number) {
    return startIdleTimer({
      limitMinutes,
      warnMinutes: 2,
      hasSession: true,
      onTouch: async () => {
        calls.touch++;
        if (!answer) throw new Error("no connection");
        answer();
      },
      onWarn: () => calls.warn++,
      onResume: (where) => resumed.push(where),
      onExpire: () => calls.expire++,
    });
  }

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
    answer = () => {};
    resetActivity();
    timer = start(30);
  });

  afterEach(() => {
    timer.stop();
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

  test("warns and ends at the very second, counted from the last activity, however short the limit", () => {
    timer.stop();
    timer = start(1);
    vi.advanceTimersByTime(7000);
    act();
    vi.advanceTimersByTime(29_999);
    expect(calls.warn).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls.warn).toBe(1);
    vi.advanceTimersByTime(29_999);
    expect(calls.expire).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls.expire).toBe(1);
  });

  describe("with a server that says when the session ends", () => {
    const told = () => noteSessionEnd(Date.now() + 30 * MINUTE);

    test("the warning goes once the server has extended the session, not before", async () => {
      told();
      vi.advanceTimersByTime(28.5 * MINUTE);
      act();
      expect(resumed).toEqual([]);
      answer = told;
      await vi.advanceTimersByTimeAsync(1000);
      expect(resumed).toEqual(["here"]);
      await vi.advanceTimersByTimeAsync(20 * MINUTE);
      expect(calls).toMatchObject({ warn: 1, expire: 0 });
    });

    test("ends when the server's session does, which could not be told of any activity", async () => {
      told();
      answer = undefined;
      for (let minute = 0; minute < 28; minute++) {
        act();
        await vi.advanceTimersByTimeAsync(MINUTE);
      }
      expect(calls).toMatchObject({ warn: 1, expire: 0 });
      act();
      timer.stay();
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(resumed).toEqual([]);
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(calls).toMatchObject({ warn: 1, expire: 1 });
    });

    test("tries again by itself to tell of activity once the connection is back", async () => {
      told();
      await vi.advanceTimersByTimeAsync(29 * MINUTE);
      answer = undefined;
      act();
      await vi.advanceTimersByTimeAsync(1000);
      answer = told;
      await vi.advanceTimersByTimeAsync(30_000);
      expect(resumed).toEqual(["here"]);
    });

    test("hears of what another tab has told the server", () => {
      told();
      vi.advanceTimersByTime(29 * MINUTE);
      localStorage.setItem("sessionEndsAt", String(Date.now() + 30 * MINUTE));
      hearActivity();
      expect(resumed).toEqual(["elsewhere"]);
    });
  });
});
