import { expect, test } from "vitest";
import { forEachOnItsOwn } from "#server/platform/async.ts";

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
