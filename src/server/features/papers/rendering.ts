import { AppError, isUnavailable } from "#server/platform/errors.ts";
import { type ThreadLimits, threadsOf } from "#server/platform/threads.ts";
import { paperTexts } from "#shared/papers-texts.ts";
import type { PrintedPaper } from "./pdf.ts";

/** Making a PDF in a thread of its own: 500 lines take the processor for half a second. */

const usualLimits: ThreadLimits = { heapMegabytes: 256, milliseconds: 60_000 };

const render = threadsOf<PrintedPaper, Uint8Array>({
  script: new URL("./rendering-worker.ts", import.meta.url),
  ...{ atOnce: 2, maxWaiting: 64, busyText: paperTexts.notStored },
});

/** Gives the file. Throws "unavailable" if it can't be made, or if too many wait for theirs. */
export async function renderInThread(paper: PrintedPaper, limits = usualLimits): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = await render(paper, limits);
    return Buffer.from(buffer, byteOffset, byteLength);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new AppError("unavailable", paperTexts.notStored, { cause: error });
  }
}
