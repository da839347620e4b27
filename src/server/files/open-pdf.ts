import type { FastifyBaseLogger } from "fastify";
import { AppError, isUnavailable } from "#server/platform/errors.ts";
import { processesOf } from "#server/platform/processes.ts";
import { programFile } from "#server/root.ts";
import { pdfTexts } from "#shared/files.ts";
import { isCutPdf } from "./content.ts";

/** How a PDF opens for who knows no password. */
export type PdfOpening = "open" | "password" | "unreadable";

const openPdf = processesOf<{ bytes: Uint8Array }, PdfOpening>({
  script: programFile("files/open-pdf-worker"),
  limits: { heapMegabytes: 256, milliseconds: 20_000 },
  atOnce: 1,
  maxWaiting: 32,
  busyText: pdfTexts.busy,
});

/**
 * Throws AppError "invalid" for a PDF that is cut off, or that asks for a password. One that names an encryption is opened
 * with the library that shows it later, in a process of its own: whoever sends a file may have made it to take memory.
 */
export async function requireOpenPdf(
  { log }: { log: Pick<FastifyBaseLogger, "warn"> },
  bytes: Buffer,
  open = openPdf,
): Promise<void> {
  if (isCutPdf(bytes)) throw refusal(pdfTexts.unreadable);
  if (!bytes.includes("/Encrypt")) return;
  const opening = await open({ bytes }).catch((error: unknown): PdfOpening => {
    if (isUnavailable(error)) throw error;
    log.warn({ err: error }, "an encrypted PDF could not be opened");
    return "unreadable";
  });
  if (opening !== "open") throw refusal(pdfTexts[opening]);
}

const refusal = (text: string) => new AppError("invalid", text, { fields: { file: [text] } });
