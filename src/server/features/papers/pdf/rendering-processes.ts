import { AppError, isUnavailable } from "#server/platform/errors.ts";
import { type ProcessLimits, processesOf } from "#server/platform/processes.ts";
import { programFile } from "#server/root.ts";
import { paperTexts } from "#shared/papers/texts.ts";
import type { PrintedPaper } from "./render-paper.ts";

/** Making a PDF in a process of its own: 500 lines take the processor for half a second. */

const usualLimits: ProcessLimits = { heapMegabytes: 256, milliseconds: 60_000 };

export const renderingProcesses = (limits: ProcessLimits) =>
  processesOf<PrintedPaper, Uint8Array>({
    script: programFile("features/papers/pdf/rendering-worker"),
    limits,
    atOnce: 2,
    maxWaiting: 64,
    busyText: paperTexts.notStored,
  });
const usualProcesses = renderingProcesses(usualLimits);

/** Gives the file. Throws "unavailable" if it can't be made, or if too many wait for theirs. */
export async function renderApart(paper: PrintedPaper, render = usualProcesses): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = await render(paper);
    return Buffer.from(buffer, byteOffset, byteLength);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new AppError("unavailable", paperTexts.notStored, { cause: error });
  }
}
