import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What a PDF says, one line per piece of text, in the order in which it was laid out. */
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
