import pdfmake from "pdfmake";
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from "pdfmake/interfaces.js";
import { encode } from "uqr";
import { formatDateTime } from "#shared/dates.ts";
import type { PaperKind } from "#shared/papers/kinds.ts";
import {
  type BooksHead,
  codeInGroups,
  headText,
  type PaperContent,
  type PaperTable,
  paperKindLabels,
} from "#shared/papers/texts.ts";
import { rolesOf } from "#shared/site/look.ts";
import { companyOf, productColor, type SiteProfile } from "#shared/site/site.ts";
import { columnWidths, naturalWidth, type PaperPage, pageOf } from "./columns.ts";
import { noto, printable } from "./letters.ts";

/**
 * A paper as PDF: A4, text that can be selected and searched, and a QR code that leads to the page that knows whether the
 * paper is genuine. The same paper gives the same bytes: nothing in it comes from the clock or from chance.
 */

export type PrintedPaper = {
  kind: PaperKind;
  number: string;
  code: string;
  issuedAt: Date;
  content: PaperContent;
  /** The last head of the books before it; null where there was none. */
  head: BooksHead | null;
  verifyUrl: string;
  /** The operator when the paper was issued. */
  site: SiteProfile;
  /** Their mark then, as the address of its data; null for the product's own leaf. */
  mark: string | null;
};

/** The operator's colour: of titles, rules and links, and behind the heads of tables. */
type Colors = { strong: string; tint: string };

function colorsOf({ look }: SiteProfile): Colors {
  const roles = rolesOf(look);
  return roles ? { strong: roles.text.light, tint: roles.tint } : { strong: productColor, tint: "#eff7ee" };
}

pdfmake.setFonts({ Noto: noto });
// Text is data: nothing in a paper may load a file or an address.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path === noto.normal || path === noto.bold);

const ink = "#24221c";
const pale = "#6e6859";
const hairline = "#ddd4c2";

/** public/art/logo-mark.svg; a test compares the two. */
export const markShapes =
  '<path fill="#2f8a55" d="M30 40C30 18 42 8 61 7c1 21-9 34-31 33"/><path fill="#6fae6a" d="M31 50c0-17-10-26-28-26 0 18 10 28 28 26"/><path fill="none" stroke="#2f8a55" stroke-linecap="round" stroke-linejoin="round" stroke-width="4.5" d="M31 60V46c0-10 5-18 14-25"/>';
const leafMark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${markShapes}</svg>`;

/** Gives the file. */
export function renderPaper(paper: PrintedPaper): Promise<Buffer> {
  return pdfmake.createPdf(layOut(paper)).getBuffer();
}

function layOut({
  kind,
  number,
  code,
  issuedAt,
  content,
  head,
  verifyUrl,
  site,
  mark,
}: PrintedPaper): TDocumentDefinitions {
  const page = pageOf(content.tables.map(naturalWidth));
  const title = printable(content.title);
  const colors = colorsOf(site);
  return {
    info: {
      // Readers of PDFs show it in letters of their own.
      title: `${content.title} ${number}`,
      author: companyOf(site),
      subject: paperKindLabels[kind],
      creator: site.name,
      producer: site.name,
      creationDate: issuedAt,
      modDate: issuedAt,
    },
    language: "en-NG",
    displayTitle: true,
    version: "1.7",
    pageSize: "A4",
    pageOrientation: page.orientation,
    pageMargins: [page.margin, 92, page.margin, 58],
    defaultStyle: { font: "Noto", fontSize: 10, lineHeight: 1.15, color: ink },
    header: () => letterhead(page, { site, mark, number, issuedAt }, colors),
    footer: (current, count) => footLine(page, { site, number, current, count }),
    content: [
      { text: title, fontSize: 20, bold: true, color: colors.strong, margin: [0, 0, 0, 10] },
      ...factsOf(content, page),
      ...content.tables.map((table) => tableOf(table, page, colors)),
      ...content.notes.map((note): Content => ({ text: printable(note), fontSize: 9, margin: [0, 0, 0, 5] })),
      proofOf({ code, verifyUrl, head }, colors),
    ],
  };
}

const letterhead = (
  page: PaperPage,
  { site, mark, number, issuedAt }: Pick<PrintedPaper, "site" | "mark" | "number" | "issuedAt">,
  { strong }: Colors,
): Content => ({
  margin: [page.margin, 30, page.margin, 0],
  stack: [
    {
      columns: [
        mark === null ? { svg: leafMark, width: 30 } : { image: mark, width: 30 },
        {
          width: "*",
          margin: [9, -1, 0, 0],
          stack: [
            { text: printable(site.name), fontSize: 16, bold: true, color: strong, lineHeight: 1 },
            { text: printable(site.legalName ?? ""), fontSize: 8, color: pale },
          ],
        },
        {
          width: "auto",
          alignment: "right",
          margin: [0, 1, 0, 0],
          stack: [
            { text: number, fontSize: 11, bold: true },
            { text: formatDateTime(issuedAt), fontSize: 8, color: pale },
          ],
        },
      ],
    },
    ruleOf(page.width, strong, 1.2, 8),
  ],
});

type Foot = Pick<PrintedPaper, "site" | "number"> & { current: number; count: number };

const footLine = (page: PaperPage, { site, number, current, count }: Foot): Content => ({
  margin: [page.margin, 14, page.margin, 0],
  stack: [
    ruleOf(page.width, hairline, 0.6, 0),
    {
      margin: [0, 6, 0, 0],
      fontSize: 8,
      color: pale,
      columns: [
        { text: printable([companyOf(site), site.supportEmail].filter(Boolean).join(" · ")), width: "*" },
        { text: `${number} · Page ${current} of ${count}`, width: "auto", alignment: "right" },
      ],
    },
  ],
});

const ruleOf = (width: number, color: string, lineWidth: number, above: number): Content => ({
  canvas: [{ type: "line", x1: 0, y1: 0, x2: width, y2: 0, lineWidth, lineColor: color }],
  margin: [0, above, 0, 0],
});

function factsOf({ facts }: PaperContent, page: PaperPage): Content[] {
  if (facts.length === 0) return [];
  const labels = 150;
  return [
    {
      margin: [0, 0, 0, 16],
      layout: ruledRows,
      table: {
        widths: [labels, page.width - labels],
        body: facts.map(({ label, value }): TableCell[] => [
          { text: printable(label), color: pale, fontSize: 9 },
          { text: printable(value) },
        ]),
      },
    },
  ];
}

function tableOf(table: PaperTable, page: PaperPage, { strong, tint }: Colors): Content {
  const { heading, columns, rows, sums } = table;
  const cell = (text: string, index: number, look: object = {}): TableCell => ({
    text: printable(text),
    alignment: columns[index]?.align ?? "left",
    ...look,
  });
  const head = columns.map(({ label }, index) => cell(label, index, { bold: true, color: strong, fillColor: tint }));
  const body = rows.map((row) => row.map((text, index) => cell(text, index)));
  const below = sums.map((row) => row.map((text, index) => cell(text, index, { bold: true })));
  const over: TableCell = {
    text: printable(heading),
    fontSize: 12,
    bold: true,
    colSpan: columns.length,
    margin: [-5, 0, 0, 2],
  };
  const above: TableCell[][] = heading ? [columns.map((_, index) => (index === 0 ? over : ""))] : [];
  const heads = [...above, head];
  // A row that may not be broken and can't stand on one page would be left out.
  const isBroken = rows.some((row) => row.some((text) => text.length > maxUnbroken));
  return {
    margin: [0, 0, 0, 16],
    fontSize: page.tableSize,
    layout: tableLines(heads.length, rows.length, strong),
    table: {
      headerRows: heads.length,
      ...(isBroken ? {} : { dontBreakRows: true, keepWithHeaderRows: 1 }),
      widths: columnWidths(table, page),
      body: [...heads, ...body, ...below],
    },
  };
}

/** Letters of a cell that fill half a page where a column is narrow. */
const maxUnbroken = 400;

const ruledRows: CustomTableLayout = {
  hLineWidth: (index) => (index === 0 ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => hairline,
  paddingLeft: () => 0,
  paddingRight: () => 0,
  paddingTop: () => 4,
  paddingBottom: () => 3,
};

/** A line below the head and below each row; a dark one also above the sums and below the last of them. */
function tableLines(headCount: number, rowCount: number, strong: string): CustomTableLayout {
  const firstSum = headCount + rowCount;
  const isDark = (index: number, count: number) =>
    index === headCount || (count > firstSum && (index === firstSum || index === count));
  return {
    hLineWidth: (index, node) => (index < headCount ? 0 : isDark(index, node.table.body.length) ? 0.9 : 0.5),
    hLineColor: (index, node) => (isDark(index, node.table.body.length) ? strong : hairline),
    vLineWidth: () => 0,
    paddingLeft: () => 5,
    paddingRight: () => 5,
    paddingTop: () => 3.5,
    paddingBottom: () => 2.5,
  };
}

/** The place where anybody can check that the paper is genuine. */
const proofOf = (
  { code, verifyUrl, head }: Pick<PrintedPaper, "code" | "verifyUrl" | "head">,
  { strong }: Colors,
): Content => ({
  unbreakable: true,
  margin: [0, 14, 0, 0],
  columns: [
    { svg: qrOf(verifyUrl), width: 84 },
    {
      width: "*",
      margin: [14, 6, 0, 0],
      stack: [
        { text: "Is this paper genuine?", bold: true, fontSize: 10, margin: [0, 0, 0, 2] },
        { text: "Scan the square, or open the address and compare what it shows with this paper.", fontSize: 9 },
        { text: verifyUrl, link: verifyUrl, fontSize: 9, color: strong, margin: [0, 3, 0, 3] },
        {
          text: [
            { text: "Code  ", color: pale, fontSize: 9 },
            { text: codeInGroups(code), bold: true, fontSize: 14, characterSpacing: 0.5 },
          ],
        },
        ...(head ? [{ text: headText(head), color: pale, fontSize: 9, margin: [0, 3, 0, 0] } as Content] : []),
      ],
    },
  ],
});

/** The runs of dark squares of each row, as one path. */
function qrOf(text: string): string {
  const { data, size } = encode(text, { border: 0 });
  const path = data
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(""),
    )
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path d="${path}" fill="#000"/></svg>`;
}

function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  let start = -1;
  for (let x = 0; x <= row.length; x++) {
    if (row[x] && start < 0) start = x;
    if (!row[x] && start >= 0) {
      runs.push([start, x - start]);
      start = -1;
    }
  }
  return runs;
}
