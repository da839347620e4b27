import { expect, test } from "vitest";
import { ProcessOverrun, processesOf } from "#server/platform/processes.ts";
import type { SlowTask } from "#tests/support/slow-process.ts";

const slow = new URL("../support/slow-process.ts", import.meta.url);
const slowToStart = new URL("../support/slow-to-start-process.ts", import.meta.url);
const slowProcesses = (milliseconds: number, script = slow) =>
  processesOf<SlowTask, unknown>({
    script,
    limits: { heapMegabytes: 64, milliseconds },
    atOnce: 1,
    maxWaiting: 1,
    busyText: "Too many.",
  });
/** The answer of slow-process.ts: its only option of Node is the documented limit of its heap. */
const done = ["--max-old-space-size=64"];

test("one task runs, one waits for its turn, and a third is refused", async () => {
  const run = slowProcesses(60_000);
  expect(await run({})).toEqual(done);
  const [running, waiting] = [run({ milliseconds: 500 }), run({})];
  await expect(run({})).rejects.toMatchObject({ reason: "unavailable", message: "Too many." });
  expect(await Promise.all([running, waiting])).toEqual([done, done]);
});

test("a task that takes too long ends with its process, and who waited behind it has another", async () => {
  const run = slowProcesses(1000);
  const [long, behind] = [run({ milliseconds: 60_000 }), run({})];
  await expect(long).rejects.toMatchObject({ of: "time" });
  expect(await behind).toEqual(done);
});

test("the time of a task begins when its process is ready for it, however long that took", async () => {
  expect(await slowProcesses(1000, slowToStart)({})).toBe("done");
});

test("an object that outgrows the memory ends its process and not ours, and who waited behind it has another", async () => {
  const run = slowProcesses(60_000);
  const [large, behind] = [run({ names: 5_000_000 }), run({})];
  await expect(large).rejects.toThrow(ProcessOverrun);
  await expect(large).rejects.toMatchObject({ of: "memory" });
  expect(await behind).toEqual(done);
});

test("a process that can't start says why, without waiting for the time to pass", async () => {
  await expect(slowProcesses(60_000, new URL("no-such-process.ts", slow))({})).rejects.toThrow("no-such-process.ts");
});
