import { setTimeout as sleep } from "node:timers/promises";
import { answerTasks } from "#server/platform/answer-tasks.ts";

export type SlowTask = { milliseconds?: number; names?: number };

/**
 * A process that takes its time, or all memory in one object: it answers after so many milliseconds and names, with the
 * options of Node that it was started with.
 */
answerTasks(async ({ milliseconds = 0, names = 0 }: SlowTask) => {
  await sleep(milliseconds);
  const one: Record<string, true> = {};
  for (let name = 0; name < names; name++) one[`n${name}`] = true;
  return process.execArgv;
});
