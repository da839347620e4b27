import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { markShapes, type PrintedPaper, renderPaper } from "#server/features/papers/pdf/render-paper.ts";
import { formatNairaExact } from "#shared/money.ts";
import type { PaperContent } from "#shared/papers/texts.ts";
import { gona } from "#tests/support/site.ts";

const left = (label: string) => ({ label, align: "left" as const });
const right = (label: string) => ({ label, align: "right" as const });

const content: PaperContent = {
  title: "Payment receipt",
  facts: [
    { label: "Received from", value: "Adéọlá Ọṣun" },
    { label: "For", value: "2 lots of Kaɗuna Snail Village" },
  ],
  tables: [
    {
      heading: "What was paid",
      columns: [left("Lots"), right("Amount")],
      rows: [["2 lots", "₦1,250,000.00"]],
      sums: [["Sum", "₦1,250,000.00"]],
    },
  ],
  notes: ["Nobody guarantees a return."],
};

const paperOf = (over: Partial<PaperContent> = {}): PrintedPaper => ({
  kind: "receipt",
  number: "GR-2026-000123",
  code: "7K3P9Q2MXW4T8HRD",
  issuedAt: new Date("2026-12-31T23:30:00Z"),
  verifyUrl: "https://gona.example/verify/7K3P9Q2MXW4T8HRD",
  site: gona,
  mark: null,
  head: { n: 48_213, hash: "7f3a91c0".repeat(8) },
  content: { ...content, ...over },
});

const linesOf = (count: number): PaperContent["tables"] => [
  {
    heading: "Money in and out",
    columns: [left("Date"), left("What"), left("Reference"), right("In"), right("Out")],
    rows: Array.from({ length: count }, (_, index) => [
      "21 Nov 2026",
      `Line number ${index + 1} of a farm`,
      "GONA-7K3P-9Q2M",
      formatNairaExact(BigInt(index + 1) * 1_000_000_00n),
      "",
    ]),
    sums: [["Sum", "", "", formatNairaExact(500_000_000_000_00n), formatNairaExact(0n)]],
  },
];

type Item = { text: string; x: number; right: number; y: number; height: number };

/** Reads a PDF with another program: the words of each page with their places, in points from the upper left. */
async function readPdf(file: Buffer) {
  const task = getDocument({ data: new Uint8Array(file), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const pages: { width: number; items: Item[]; text: string }[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const items = (await page.getTextContent()).items.flatMap((item) =>
      "str" in item
        ? [
            {
              text: item.str,
              x: item.transform[4],
              right: item.transform[4] + item.width,
              y: height - item.transform[5],
              height: item.height,
            },
          ]
        : [],
    );
    pages.push({
      width,
      items,
      text: items
        .map(({ text }) => text)
        .join(" ")
        .replace(/\s+/g, " "),
    });
  }
  const { info } = (await document.getMetadata()) as { info: Record<string, unknown> };
  await task.destroy();
  return { info, pages, text: pages.map(({ text }) => text).join(" ") };
}

const hashOf = (file: Buffer) => createHash("sha256").update(file).digest("hex");

test("another program reads the words of a paper, with ₦ and the letters of Nigerian names", async () => {
  const { info, pages, text } = await readPdf(await renderPaper(paperOf()));
  expect(pages).toHaveLength(1);
  for (const words of [
    "Adéọlá Ọṣun",
    "Kaɗuna Snail Village",
    "₦1,250,000.00",
    "GR-2026-000123",
    // The day in Lagos, where the year has begun.
    "1 Jan 2027, 00:30 WAT",
    "7K3P 9Q2M XW4T 8HRD",
    "https://gona.example/verify/7K3P9Q2MXW4T8HRD",
    "Page 1 of 1",
    "Nobody guarantees a return.",
  ])
    expect(text).toContain(words);
  expect(info).toMatchObject({
    Title: "Payment receipt GR-2026-000123",
    Language: "en-NG",
    CreationDate: "D:20261231233000Z",
  });
});

test("every letter of the pages' typeface, and marks without a letter of their own, are read as they were written", async () => {
  const names = ["ẸẹỌọṢṣỊịỤụṄṅ", "ƁɓƊɗƘƙƳƴ", "Ẹ̀kọ́ Ọ̀ṣun ń ṣiṣẹ́ ḿ", "Škoda Đặng Łukasz Ærø", "Ελένη Юлия"];
  const facts = names.map((value, index) => ({ label: String(index), value }));
  const composed = await readPdf(await renderPaper(paperOf({ facts })));
  for (const name of names) expect(composed.text).toContain(name.normalize("NFC"));
  const apart = facts.map(({ label, value }) => ({ label, value: value.normalize("NFD") }));
  expect((await readPdf(await renderPaper(paperOf({ facts: apart })))).text).toBe(composed.text);
});

test("500 lines have a head and a number on each page, no line is lost, and amounts end at one edge", async () => {
  const { pages, text } = await readPdf(await renderPaper(paperOf({ tables: linesOf(500) })));
  expect(pages.length).toBeGreaterThan(10);
  for (const [index, page] of pages.entries()) {
    expect(page.text).toContain("Date What Reference In Out");
    expect(page.text).toContain(`Page ${index + 1} of ${pages.length}`);
  }
  for (let line = 1; line <= 500; line++) expect(text).toContain(`Line number ${line} of a farm`);
  const edges = pages.flatMap(({ items }) =>
    items.filter((item) => item.text.startsWith("₦") && item.text !== "₦0.00"),
  );
  expect(edges).toHaveLength(501);
  expect(Math.max(...edges.map((item) => item.right)) - Math.min(...edges.map((item) => item.right))).toBeLessThan(1);
});

test("words without a space, long names and many columns stay on the page, and nothing of them is lost", async () => {
  const long = "Abcdefghij".repeat(40);
  const columns = [
    ...Array.from({ length: 7 }, (_, index) => left(`Column ${index}`)),
    right("Amount"),
    right("Withheld"),
  ];
  const row = [
    ...Array.from({ length: 7 }, (_, index) => `${index} ${long}`),
    "₦999,999,999,999.99",
    "₦999,999,999,999.99",
  ];
  const tables = [{ heading: "Money", columns, rows: [row, row], sums: [] }];
  const { pages } = await readPdf(
    await renderPaper(paperOf({ title: long, tables, facts: [{ label: long, value: long }], notes: [long] })),
  );
  for (const { width, items } of pages)
    for (const item of items) {
      expect(item.x).toBeGreaterThanOrEqual(40);
      expect(item.right).toBeLessThanOrEqual(width - 40);
    }
  const letters = pages.flatMap(({ items }) => items.map(({ text }) => text)).join("");
  // Title, label, value, note, and seven cells of two rows.
  expect(letters.split("j").length - 1).toBe(40 * (4 + 14));
});

test("a row that is higher than a page is printed in full", async () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(" ");
  const tables = [{ heading: "", columns: [left("Note"), right("Amount")], rows: [[words, "₦1.00"]], sums: [] }];
  const { pages, text } = await readPdf(await renderPaper(paperOf({ tables })));
  expect(pages.length).toBeGreaterThan(1);
  for (const word of ["word0 ", "word1500 ", "word2999"]) expect(text).toContain(word);
});

test("a paper without tables, facts and notes is a paper", async () => {
  const { pages, text } = await readPdf(await renderPaper(paperOf({ tables: [], facts: [], notes: [] })));
  expect(pages).toHaveLength(1);
  expect(text).toContain("Payment receipt");
});

test("two makings of a paper are byte-equal, at another time and in another process too", async () => {
  const first = hashOf(await renderPaper(paperOf()));
  expect(hashOf(await renderPaper(structuredClone(paperOf())))).toBe(first);
  const script = `
    import { createHash } from "node:crypto";
    import { renderPaper } from "#server/features/papers/pdf/render-paper.ts";
    const paper = JSON.parse(process.argv[1]);
    const file = await renderPaper({ ...paper, issuedAt: new Date(paper.issuedAt) });
    process.stdout.write(createHash("sha256").update(file).digest("hex"));`;
  const inAnother = execFileSync(process.execPath, ["--input-type=module", "-e", script, JSON.stringify(paperOf())], {
    encoding: "utf8",
    env: { ...process.env, TZ: "Asia/Tokyo", LC_ALL: "C" },
  });
  expect(inAnother).toBe(first);
});

test("papers made at once are each what they are alone", async () => {
  const papers = Array.from({ length: 4 }, (_, index) => ({
    ...paperOf(),
    number: `GR-2026-${String(index).padStart(6, "0")}`,
  }));
  const files = await Promise.all(papers.map((paper) => renderPaper(paper)));
  expect(new Set(files.map(hashOf)).size).toBe(4);
  for (const index of [0, 3]) {
    const alone = papers[index];
    if (alone) expect(files[index]?.equals(await renderPaper(alone))).toBe(true);
  }
  for (const file of files) expect(file.length).toBeLessThan(60_000);
});

test("the mark on papers is the product's", () => {
  expect(readFileSync("public/art/logo-mark.svg", "utf8")).toContain(markShapes);
});
