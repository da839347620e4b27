import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Events } from "#server/core/events.ts";
import { keepPublicAnswers } from "#server/core/public-answers.ts";
import { testClock } from "#tests/support/deps.ts";

type Listener = Parameters<Events["subscribe"]>[0];

/** Kept answers, and the means to say that something changed. */
function keeping(options: { remakes?: number } = {}) {
  const listeners = new Set<Listener>();
  const events: Events = {
    publish: () => Promise.resolve(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const clock = testClock();
  const answers = keepPublicAnswers<string>(
    { events, clock },
    { maxBytes: 100, bytesOf: (text) => text.length, ...options },
  );
  const say = (type: "public" | "missed") => {
    for (const listener of listeners) listener({ type });
  };
  return { answers, clock, say, listeners };
}

const never = () => Promise.reject(new Error("made again"));

describe("public answers", () => {
  test("are made once until a change is heard, or may have been missed", async () => {
    const { answers, say } = keeping();
    expect(await answers.get("list", async () => "first")).toBe("first");
    expect(await answers.get("list", never)).toBe("first");
    say("public");
    expect(await answers.get("list", async () => "second")).toBe("second");
    say("missed");
    expect(await answers.get("list", async () => "third")).toBe("third");
  });

  test("begun before a change are given to nobody who asks after it", async () => {
    const { answers, say } = keeping();
    let finish = (_value: string) => {};
    const early = answers.get("list", () => new Promise((resolve) => (finish = resolve)));
    say("public");
    const late = answers.get("list", async () => "new");
    finish("old");
    expect(await early).toBe("old");
    expect(await late).toBe("new");
    expect(await answers.get("list", never)).toBe("new");
  });

  test("made elsewhere are waited for by those who ask before a change, whether they come to something or not", async () => {
    const { answers, say } = keeping();
    expect(answers.whenMade("list")).toBeUndefined();
    const end = answers.begin("list");
    const early = answers.whenMade("list");
    say("public");
    expect(answers.whenMade("list")).toBeUndefined();
    const endLater = answers.begin("list");
    const late = answers.whenMade("list");
    end("old");
    expect(await early).toBe("old");
    expect(answers.peek("list")).toBeUndefined();
    endLater("new");
    expect(await late).toBe("new");
    expect(answers.peek("list")).toBe("new");
    expect(answers.whenMade("list")).toBeUndefined();

    const endInVain = answers.begin("other");
    const vain = answers.whenMade("other");
    endInVain(undefined);
    expect(await vain).toBeUndefined();
    expect(answers.whenMade("other")).toBeUndefined();
  });

  test("asked for since the last change are made again at the next, so many of them, and no others", async () => {
    const made: string[] = [];
    const making = (name: string) => async () => {
      made.push(name);
      return `${name} ${made.length}`;
    };
    const { answers, say } = keeping({ remakes: 2 });
    for (const name of ["first", "second", "third"]) await answers.get(name, making(name));
    say("public");
    await vi.waitFor(() => expect(made).toEqual(["first", "second", "third", "first", "second"]));
    expect(await answers.get("first", making("first"))).toBe("first 4");
    say("public");
    expect(made.slice(5)).toEqual(["first"]);
    say("public");
    expect(made.slice(6)).toEqual([]);

    const failing = () => Promise.reject(new Error("no database"));
    await expect(answers.get("other", failing)).rejects.toThrow("no database");
    say("missed");
    expect(await answers.get("other", making("other"))).toBe("other 7");
  });

  test("that take long are made only for those who ask", async () => {
    const { answers, say } = keeping({ remakes: 2 });
    let times = 0;
    const slowly = async () => {
      times += 1;
      await sleep(60);
      return "late";
    };
    await answers.get("search", slowly);
    say("public");
    expect(times).toBe(1);
    await answers.get("search", slowly);
    expect(times).toBe(2);
  });

  test("give way to newer ones where the bytes run short, the least recently used first", async () => {
    const { answers } = keeping();
    const forty = "x".repeat(40);
    await answers.get("a", async () => forty);
    await answers.get("b", async () => forty);
    expect(answers.peek("a")).toBe(forty);
    await answers.get("c", async () => forty);
    expect(answers.peek("a")).toBe(forty);
    expect(answers.peek("b")).toBeUndefined();
    expect(answers.peek("c")).toBe(forty);
  });

  test("live five seconds, also where the clock is set back", async () => {
    const { answers, clock } = keeping();
    await answers.get("list", async () => "old");
    clock.advance({ ms: 4999 });
    expect(await answers.get("list", never)).toBe("old");
    clock.advance({ ms: 1 });
    expect(await answers.get("list", async () => "new")).toBe("new");
    clock.advance({ hours: -1 });
    expect(await answers.get("list", async () => "newer")).toBe("newer");
  });

  test("stay within their bytes, and a failure is not kept", async () => {
    const { answers } = keeping();
    await answers.get("a", async () => "x".repeat(60));
    await answers.get("b", async () => "y".repeat(60));
    expect(await answers.get("a", async () => "again")).toBe("again");
    await expect(answers.get("c", never)).rejects.toThrow("made again");
    expect(await answers.get("c", async () => "fine")).toBe("fine");
  });

  test("under names that askers made long stay within their bytes too", async () => {
    const { answers } = keeping();
    const name = (letter: string) => letter.repeat(40);
    await answers.get(name("a"), async () => "");
    await answers.get(name("b"), async () => "");
    expect(await answers.get(name("b"), never)).toBe("");
    expect(await answers.get(name("a"), async () => "again")).toBe("again");
  });

  test("no longer listen once closed", () => {
    const { answers, listeners } = keeping();
    expect(listeners.size).toBe(1);
    answers.close();
    expect(listeners.size).toBe(0);
  });
});
