import type { FastifyBaseLogger } from "fastify";
import type { StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { isUnavailable } from "#server/platform/errors.ts";
import { type ProcessLimits, ProcessOverrun, processesOf } from "#server/platform/processes.ts";
import { programFile } from "#server/root.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import type { DayOrder } from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";

/** Reading a statement in a process of its own, as a file may be large, or made to take memory or time. */

export type ReadingTask = {
  content: Uint8Array<ArrayBuffer>;
  mapping: StatementMapping | null;
  /** As the account's earlier statements were proved to write their days. */
  dayOrder: DayOrder | null;
};

const usualLimits: ProcessLimits = { heapMegabytes: 256, milliseconds: 30_000 };

export const readingProcesses = (limits: ProcessLimits) =>
  processesOf<ReadingTask, StatementFile | StatementRefusal>({
    script: programFile("features/bank/importing/reading-worker"),
    limits,
    atOnce: 2,
    maxWaiting: 8,
    busyText: texts.busy,
  });
const usualProcesses = readingProcesses(usualLimits);

/**
 * Reads a statement. Whatever goes wrong is a refusal in words. Throws "unavailable" if too many files wait to be read.
 */
export async function readInProcess(
  { log }: { log: Pick<FastifyBaseLogger, "error"> },
  task: ReadingTask,
  read = usualProcesses,
): Promise<StatementFile | StatementRefusal> {
  try {
    return await read(task);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (error instanceof ProcessOverrun) return refusalOf(overrunTexts[error.of]);
    log.error({ err: error }, "a statement's reader failed");
    return refusalOf(texts.readerFailed);
  }
}

const overrunTexts = { memory: texts.tooMuchMemory, time: texts.tookTooLong };

const refusalOf = (text: string): StatementRefusal => ({
  kind: "refused",
  format: null,
  faults: [{ row: null, text }],
  moreFaults: 0,
  table: null,
});
