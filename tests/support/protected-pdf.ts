import pdfmake from "pdfmake";
import type { TDocumentDefinitions } from "pdfmake/interfaces.js";
// It says what the library may open, for the whole process.
import "#server/features/papers/pdf/render-paper.ts";

type Protection = Pick<TDocumentDefinitions, "userPassword" | "ownerPassword" | "version">;

/** A whole PDF of one page, encrypted if it has passwords: RC4 by default, AES-256 by version 1.7ext3. */
export function pdfFile(protection: Protection = {}): Promise<Buffer> {
  const content = [{ canvas: [{ type: "rect" as const, x: 0, y: 0, w: 200, h: 100, color: "green" }] }];
  return pdfmake.createPdf({ content, ...protection }).getBuffer();
}
