import { expect, test } from "vitest";
import { ThreadOverrun, threadsOf } from "#server/platform/threads.ts";

const slow = new URL("../support/slow-thread.ts", import.meta.url);
const slowThreads = (milliseconds: number, script = slow) =>
  threadsOf<number, string>({
    script,
    ...{ limits: { heapMegabytes: 64, milliseconds }, atOnce: 1, maxWaiting: 1, busyText: "Too many." },
  });

test("one task runs, one waits for its turn, and a third is refused", async () => {
  const run = slowThreads(60_000);
  expect(await run(0)).toBe("done");
  const [running, waiting] = [run(500), run(0)];
  await expect(run(0)).rejects.toMatchObject({ reason: "unavailable", message: "Too many." });
  expect(await Promise.all([running, waiting])).toEqual(["done", "done"]);
});

test("a task that takes too long ends with its thread, and who waited behind it has another", async () => {
  const run = slowThreads(2000);
  const [long, behind] = [run(60_000), run(0)];
  await expect(long).rejects.toThrow(ThreadOverrun);
  expect(await behind).toBe("done");
});

test("a thread that can't start says why, without waiting for the time to pass", async () => {
  await expect(slowThreads(60_000, new URL("no-such-thread.ts", slow))(0)).rejects.toThrow("no-such-thread.ts");
});
