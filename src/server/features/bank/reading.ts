import { Worker } from "node:worker_threads";
import type { FastifyBaseLogger } from "fastify";
import type { StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankImportTexts as texts } from "#shared/bank-import-texts.ts";
import type { StatementMapping } from "#shared/statements.ts";

/**
 * Reading a statement in a thread of its own: a large file doesn't keep other requests waiting, and one that is made to
 * take memory or time ends its thread and nothing else.
 */

export type ReadingTask = { content: Uint8Array<ArrayBuffer>; mapping: StatementMapping | null };

export type ReadingLimits = { heapMegabytes: number; milliseconds: number };
const usualLimits: ReadingLimits = { heapMegabytes: 256, milliseconds: 30_000 };

const atOnce = 2;
const maxWaiting = 8;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a statement; its bytes are given away. Whatever goes wrong is a refusal in words. Throws "unavailable" if too many
 * files wait to be read.
 */
export async function readInThread(
  { log }: { log: Pick<FastifyBaseLogger, "error"> },
  task: ReadingTask,
  limits = usualLimits,
): Promise<StatementFile | StatementRefusal> {
  if (waiting.length >= maxWaiting) throw new AppError("unavailable", texts.busy);
  if (running < atOnce) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await runThread(task, limits);
  } catch (error) {
    log.error({ err: error }, "a statement's reader failed");
    return refusalOf(texts.readerFailed);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function runThread(task: ReadingTask, limits: ReadingLimits): Promise<StatementFile | StatementRefusal> {
  const { heapMegabytes, milliseconds } = limits;
  const worker = new Worker(new URL("./reading-worker.ts", import.meta.url), {
    workerData: task,
    transferList: [task.content.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  return new Promise<StatementFile | StatementRefusal>((resolve, reject) => {
    const timer = setTimeout(() => resolve(refusalOf(texts.tookTooLong)), milliseconds);
    worker.once("message", resolve);
    worker.once("error", (error: Error & { code?: unknown }) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(refusalOf(texts.tooMuchMemory));
      else reject(error);
    });
    worker.once("exit", (code) => reject(new Error(`the reader ended with ${code} and no answer`)));
    worker.once("exit", () => clearTimeout(timer));
  }).finally(() => worker.terminate());
}

const refusalOf = (text: string): StatementRefusal => ({
  kind: "refused",
  format: null,
  faults: [{ row: null, text }],
  moreFaults: 0,
  table: null,
});
