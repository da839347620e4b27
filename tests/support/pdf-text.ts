import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Reads a PDF's texts, one line per piece, in the order in which they were laid out. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(bytes) });
  try {
    const pdf = await loading.promise;
    const lines: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      for (const item of items) if ("str" in item && item.str.trim()) lines.push(item.str.trim());
    }
    return lines.join("\n");
  } finally {
    await loading.destroy();
  }
}
