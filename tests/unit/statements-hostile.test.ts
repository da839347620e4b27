import { describe, expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { hostileStatements } from "#tests/support/hostile-statements.ts";
import { encodings, sheetXml, writeCamt, writeZip, xlsxFiles } from "#tests/support/statement-files.ts";

/** Files that nobody's bank would send: each is refused in words, in little time and memory. */

async function refusalOf(file: string | Uint8Array): Promise<string> {
  const result = await readStatement(typeof file === "string" ? encodings.utf8(file) : file);
  if (result.kind === "read") throw new Error("read");
  expect(result.faults).toHaveLength(1);
  return result.faults[0]?.text ?? "";
}

const damaged = "This file is damaged or cut off. Download it again.";
const tooMany = "A statement has at most 20,000 lines. Choose fewer days.";
const MB = 1024 * 1024;

describe("too much is refused in words", () => {
  test.each([
    ["bytes", new Uint8Array(10 * MB + 1), "A statement is at most 10 MB. Choose fewer days."],
    ["cells in a row", ",".repeat(10 * MB), "Row 1: this row is too long."],
    ["text in a cell", `<table><tr><td>${"a ".repeat(5_000_000)}</table>`, damaged],
  ])("%s", async (_name, file, text) => {
    expect(await refusalOf(file)).toBe(text);
  });

  test("lines, in every format", async () => {
    const rows = Array.from({ length: 20_001 }, () => "13/11/2026,A,,5.00");
    expect(await refusalOf(`Date,Narration,Debit,Credit\n${rows.join("\n")}\n`)).toBe(tooMany);
    expect(await refusalOf(`Date,Narration,Debit,Credit\n${"\n".repeat(5_000_000)}`)).toBe(tooMany);
    expect(await refusalOf(`<table>${"<tr><td>1".repeat(30_000)}</table>`)).toBe(tooMany);
    expect(await refusalOf(`:20:A\n:60F:C261113NGN1,00\n${":61:2611131113C5,00NTRFNONREF\n".repeat(20_001)}`)).toBe(
      tooMany,
    );
    const truths = Array.from({ length: 20_001 }, () => {
      return { date: "2026-11-13", valueDate: null, amountKobo: 1n, narration: "", bankReference: null };
    });
    expect(await refusalOf(writeCamt({ openingKobo: 0n, truths }))).toBe(tooMany);
    expect(await refusalOf(writeZip(xlsxFiles(sheetXml(rows.concat(rows).map((row) => [row])))))).toBe(tooMany);
  }, 120_000);
});

describe("a file made to take memory or time is refused in words", () => {
  const tooLong = "Row 1: this row is too long.";
  const wide = "A statement has at most 60 columns.";
  const openQuote = "Row 2: a quotation mark is opened and not closed.";
  const said = {
    html: [damaged, damaged, damaged],
    xlsx: [damaged, "This file is empty.", damaged],
    camt053: [damaged, damaged, damaged],
    csv: [tooLong, wide, openQuote],
    mt940: [damaged, tooMany, tooMany],
  };
  const shapes = Object.entries(hostileStatements).flatMap(([format, ofFormat]) =>
    Object.entries<() => Uint8Array>(ofFormat).map(([shape, make], index) => {
      return { name: `${format}: ${shape}`, make, text: said[format as keyof typeof said][index] };
    }),
  );

  test.each(shapes)("$name", async ({ make, text }) => {
    expect(await refusalOf(make())).toBe(text);
  });
});

describe("XML", () => {
  const camt = writeCamt({
    openingKobo: 0n,
    truths: [{ date: "2026-11-13", valueDate: null, amountKobo: 5n, narration: "LOL", bankReference: null }],
  });
  test.each([
    ["nested a million times", () => `<Document><BkToCstmrStmt>${"<a>".repeat(1_000_000)}`],
    ["closed a million times", () => `<Document><BkToCstmrStmt>${"<a></b>".repeat(1_000_000)}`],
    ["of one tag", () => "<Document><BkToCstmrStmt a=".padEnd(5_000_000, "x")],
  ])("%s is refused at once", async (_name, file) => {
    expect(await refusalOf(file())).toBe(damaged);
  });

  test("of a million elements that mean nothing is read through", async () => {
    const text = camt.replace("<Ntry>", `<Ntry>${"<a>x</a>".repeat(600_000)}`);
    expect(await readStatement(encodings.utf8(text))).toMatchObject({ kind: "read" });
  });

  test.each(["<table>", "<table><div>", "<table><tr><td>"])(
    "a web page of %s a million times is refused",
    async (part) => {
      expect(await refusalOf(part.repeat(600_000))).toBe(damaged);
    },
  );
});

describe("an archive", () => {
  /** The archive's memory is that of what is read; a bomb would take a hundred megabytes and more. */
  async function refusalAndMemory(bytes: Uint8Array) {
    let most = 0;
    const before = process.memoryUsage();
    const timer = setInterval(() => {
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      most = Math.max(most, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
    }, 5);
    const text = await refusalOf(bytes);
    clearInterval(timer);
    return { text, most };
  }
  const bomb = () => Buffer.alloc(120 * MB, " ");

  test("that declares too much is refused before it is opened", async () => {
    const files = { ...xlsxFiles(""), "xl/sharedStrings.xml": "<sst/>" };
    const bytes = writeZip({ ...files, "xl/workbook.xml": bomb() });
    expect(bytes.length).toBeLessThan(MB);
    const { text, most } = await refusalAndMemory(bytes);
    expect(text).toBe("This Excel file holds more than 100 MB. Save only the statement's sheet.");
    expect(most).toBeLessThan(40 * MB);
  });

  test("that declares less than comes out is refused while it is read", async () => {
    const bytes = writeZip({ ...xlsxFiles(""), "xl/workbook.xml": bomb() }, { "xl/workbook.xml": 1000 });
    const { text, most } = await refusalAndMemory(bytes);
    expect(text).toBe(damaged);
    expect(most).toBeLessThan(40 * MB);
  });

  test("whose files are too much together is refused", async () => {
    const files = xlsxFiles("");
    const padded = (name: string) => `${files[name]}${" ".repeat(60 * MB)}`;
    const bytes = writeZip({
      ...files,
      "xl/workbook.xml": padded("xl/workbook.xml"),
      "xl/_rels/workbook.xml.rels": padded("xl/_rels/workbook.xml.rels"),
    });
    expect(await refusalOf(bytes)).toBe("This Excel file holds more than 100 MB. Save only the statement's sheet.");
  });

  test("with a text of tens of megabytes in a cell is refused", async () => {
    const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>${"A".repeat(60 * MB)}</t></is></c></row>`;
    const { text, most } = await refusalAndMemory(writeZip(xlsxFiles(cell)));
    expect(text).toBe(damaged);
    expect(most).toBeLessThan(60 * MB);
  });

  test("that names its sheet a million times is refused", async () => {
    const files = xlsxFiles("");
    const sheets = '<sheet r:id="rId1"/>'.repeat(1_000_000);
    files["xl/workbook.xml"] = (files["xl/workbook.xml"] ?? "").replace("<sheets>", `<sheets>${sheets}`);
    expect(await refusalOf(writeZip(files))).toBe(damaged);
  });

  test("with a long text in a million cells is read in little time", async () => {
    const files = xlsxFiles(`<row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`.repeat(20_000));
    const strings = `<sst><si><t>${" ".repeat(40_000)}</t></si></sst>`;
    const relationship = '<Relationship Id="s" Type="http://x/sharedStrings" Target="s.xml"/></Relationships>';
    const rels = (files["xl/_rels/workbook.xml.rels"] ?? "").replace("</Relationships>", relationship);
    expect(await refusalOf(writeZip({ ...files, "xl/_rels/workbook.xml.rels": rels, "xl/s.xml": strings }))).toBe(
      "This file is empty.",
    );
  });
});
