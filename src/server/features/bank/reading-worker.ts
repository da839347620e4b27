import { parentPort, workerData } from "node:worker_threads";
import { readStatement } from "#server/features/bank/statements/read.ts";
import type { ReadingTask } from "./reading.ts";

/** The thread of reading.ts: it reads one file, and ends. */

const { content, mapping } = workerData as ReadingTask;
parentPort?.postMessage(await readStatement(content, mapping));
