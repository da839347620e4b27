import { setTimeout as sleep } from "node:timers/promises";
import { answerTasks } from "#server/platform/answer-tasks.ts";

/** A process that takes longer to start than it may for a task, as on a busy machine. */
await sleep(1500);
answerTasks(async () => "done");
