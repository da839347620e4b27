import { expect, test, vi } from "vitest";
import { forEachOnItsOwn, oneAtATime } from "#server/platform/async.ts";

test("an item that fails is logged, keeps none behind it waiting, and fails the job at the end", async () => {
  const done: number[] = [];
  const logged: unknown[] = [];
  const run = async (item: number) => {
    if (item === 2) throw new Error("broken");
    done.push(item);
  };
  const log = { error: (entry: unknown) => void logged.push(entry) };
  await expect(forEachOnItsOwn(log, [1, 2, 3], run)).rejects.toThrow("1 of 3 items failed");
  expect(done).toEqual([1, 3]);
  expect(logged).toMatchObject([{ item: 2 }]);
});

test("what never ends is given up after its time, and the next one has its turn", async () => {
  vi.useFakeTimers();
  try {
    const inTurn = oneAtATime(60_000);
    const stuck = expect(inTurn(() => new Promise(() => {}))).rejects.toThrow("no answer within 60000 ms");
    const next = inTurn(async () => "drawn");
    await vi.advanceTimersByTimeAsync(60_000);
    await stuck;
    expect(await next).toBe("drawn");
    expect(inTurn.waiting()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
