import { readStatement } from "#server/features/bank/statements/read.ts";
import { answerTasks } from "#server/platform/answer-tasks.ts";
import type { ReadingTask } from "./reading.ts";

/** The processes of reading.ts read one file after the other. */
answerTasks(({ content, mapping, dayOrder }: ReadingTask) => readStatement(content, mapping, dayOrder));
