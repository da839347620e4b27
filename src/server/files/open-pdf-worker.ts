import { getDocument, PasswordException, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { answerTasks } from "#server/platform/answer-tasks.ts";
import type { PdfOpening } from "./open-pdf.ts";

/** The process of open-pdf.ts opens one PDF after the other. */
answerTasks(async ({ bytes }: { bytes: Uint8Array }): Promise<PdfOpening> => {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS });
  try {
    await loading.promise;
    return "open";
  } catch (error) {
    return error instanceof PasswordException ? "password" : "unreadable";
  } finally {
    await loading.destroy();
  }
});
