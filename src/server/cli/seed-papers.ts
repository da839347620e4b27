import type { DemoPaper } from "./demo-data.ts";

/** A one-page PDF of a paper, which says that it is none. ASCII only. */
export function demoPdf(lines: DemoPaper): Uint8Array {
  const escaped = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, "-").replace(/[\\()]/g, (character) => `\\${character}`);
  const texts = [
    `/F1 22 Tf 50 760 Td (${escaped(lines.title)}) Tj`,
    "/F1 11 Tf 0 -26 Td (Made for the demo. Not a real paper.) Tj",
    ...lines.rows.flatMap(([label, value], index) => [
      `/F1 11 Tf 0 ${index === 0 ? -44 : -34} Td (${escaped(label)}) Tj`,
      `/F1 15 Tf 0 -18 Td (${escaped(value)}) Tj`,
    ]),
  ];
  const content = `q 0.12 0.36 0.23 rg 0 800 595 42 re f Q\nBT\n${texts.join("\n")}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return new TextEncoder().encode(`${file}${end}startxref\n${file.length}\n%%EOF\n`);
}
