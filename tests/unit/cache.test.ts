import { describe, expect, test } from "vitest";
import { openCache, openPublicCache } from "#server/platform/cache.ts";
import type { Events } from "#server/platform/events.ts";
import { testClock } from "#tests/support/deps.ts";

type Listener = Parameters<Events["subscribe"]>[0];

const never = () => Promise.reject(new Error("made again"));

/** A cache of public answers, and the means to say that something changed, and to let time pass. */
function openTestCache() {
  const listeners = new Set<Listener>();
  const events: Events = {
    publish: () => Promise.resolve(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const clock = testClock();
  const cache = openPublicCache<string>({ events, clock }, { maxBytes: 100, bytesOf: (text) => text.length });
  const say = (type: "public" | "missed") => {
    for (const listener of listeners) listener({ type });
  };
  return { cache, clock, say, listeners };
}

describe("the cache of public answers", () => {
  test("makes an answer once until a change is heard, or may have been missed", async () => {
    const { cache, say } = openTestCache();
    expect(await cache.get("list", async () => "first")).toBe("first");
    expect(await cache.get("list", never)).toBe("first");
    say("public");
    expect(await cache.get("list", async () => "second")).toBe("second");
    say("missed");
    expect(await cache.get("list", async () => "third")).toBe("third");
  });

  test("gives what was begun before a change to nobody who asks after it", async () => {
    const { cache, say } = openTestCache();
    const { promise, resolve } = Promise.withResolvers<string>();
    const early = cache.get("list", () => promise);
    const alsoEarly = cache.get("list", never);
    say("public");
    expect(cache.has("list")).toBe(false);
    const late = cache.get("list", async () => "new");
    resolve("old");
    expect(await early).toBe("old");
    expect(await alsoEarly).toBe("old");
    expect(await late).toBe("new");
    expect(await cache.get("list", never)).toBe("new");
  });

  test("keeps an answer for five seconds from when it was begun", async () => {
    const { cache, clock } = openTestCache();
    await cache.get("list", async () => {
      clock.advance({ ms: 1000 });
      return "old";
    });
    clock.advance({ ms: 4000 });
    expect(await cache.get("list", never)).toBe("old");
    clock.advance({ ms: 1 });
    expect(await cache.get("list", async () => "new")).toBe("new");
  });

  test("no longer listens once closed", () => {
    const { cache, listeners } = openTestCache();
    expect(listeners.size).toBe(1);
    cache.close();
    expect(listeners.size).toBe(0);
  });
});

describe("a cache", () => {
  const open = () => openCache<string>({ maxBytes: 100, bytesOf: (text) => text.length });
  const forty = "x".repeat(40);

  test("lets the least recently used go where the bytes run short", async () => {
    const cache = open();
    await cache.get("a", async () => forty);
    await cache.get("b", async () => forty);
    await cache.get("a", never);
    await cache.get("c", async () => forty);
    expect(["a", "b", "c"].map(cache.has)).toEqual([true, false, true]);
  });

  test("counts the keys, which askers make up", async () => {
    const cache = open();
    await cache.get("a".repeat(40), async () => "");
    await cache.get("b".repeat(40), async () => "");
    expect(["a".repeat(40), "b".repeat(40)].map(cache.has)).toEqual([false, true]);
  });

  test("gives what is too large, and keeps nothing of it", async () => {
    const cache = open();
    expect(await cache.get("a", async () => "x".repeat(200))).toHaveLength(200);
    expect(cache.has("a")).toBe(false);
  });

  test("doesn't keep a failure", async () => {
    const cache = open();
    await expect(cache.get("a", never)).rejects.toThrow("made again");
    expect(await cache.get("a", async () => "fine")).toBe("fine");
  });

  test("keeps an empty text too", async () => {
    const cache = open();
    await cache.get("a", async () => "");
    expect(await cache.get("a", never)).toBe("");
  });
});
