import type { StatementFormat } from "#shared/bank/statement-texts.ts";
import { encodings, writeZip, xlsxFiles } from "./statement-files.ts";

/**
 * Statements made to take memory and time, of each format: none is read, and each would take more than a
 * process has, or did before it was bounded. All fit into what may be uploaded.
 */

const MB = 1024 * 1024;
const { utf8 } = encodings;

/** Names that differ, each with what stands behind it, until they have so many characters. */
function namesUpTo(length: number, behind = ""): string {
  const parts: string[] = [];
  for (let index = 0, sum = 0; sum < length; index++) {
    const part = `a${index.toString(36)}${behind}`;
    parts.push(part);
    sum += part.length + 1;
  }
  return parts.join(" ");
}

const xlsxOf = (sheet: string, strings = "<sst/>") => {
  const files = xlsxFiles(sheet);
  const link = '<Relationship Id="s" Type="http://x/sharedStrings" Target="s.xml"/></Relationships>';
  const rels = (files["xl/_rels/workbook.xml.rels"] ?? "").replace("</Relationships>", link);
  return writeZip({ ...files, "xl/_rels/workbook.xml.rels": rels, "xl/s.xml": strings });
};

const size = 9 * MB;
const camtHead = "<Document><BkToCstmrStmt><Stmt><Ntry>";
const mt940Head = ":20:A\n:25:1\n:60F:C261113NGN1,00\n";
const csvHead = "Date,Narration,Debit,Credit\n";

export const hostileStatements = {
  html: {
    "a tag of millions of attributes": () => utf8(`<table ${namesUpTo(size)}></table>`),
    "more elements than a table has": () => utf8(`<table><tr><td>${"<p></p>".repeat(size / 7)}</table>`),
    "a tag of megabytes": () => utf8(`<table><tr title="${"a".repeat(size)}"><td>1</table>`),
  },
  xlsx: {
    "a tag of 3 million attributes": () => xlsxOf(`<row ${namesUpTo(30 * MB, '=""')}/>`),
    "texts of 90 MB": () => xlsxOf("", `<sst>${`<si><t>${"₦".repeat(10_000)}</t></si>`.repeat(3_000)}</sst>`),
    "a comment of 90 MB": () => xlsxOf(`<!--${"a".repeat(90 * MB)}-->`),
  },
  camt053: {
    "a tag of a million attributes": () => utf8(`${camtHead}<Amt ${namesUpTo(size, '=""')}/>`),
    "an entry of elements that all differ": () =>
      utf8(`${camtHead}${namesUpTo(size / 3).replaceAll(/(\S+) ?/g, "<$1>1</$1>")}`),
    "names as long as the file": () =>
      utf8(`${camtHead}${`<${"a".repeat(200_000)}>`.repeat(30)}${"<a>1</a>".repeat(200_000)}`),
  },
  csv: {
    "a row of millions of cells": () => utf8(",".repeat(size)),
    "rows as wide as a line may be": () => utf8(`${",".repeat(99_000)}\n`.repeat(95)),
    "a cell of megabytes": () => utf8(`${csvHead}"${"x\n".repeat(size / 2)}"`),
  },
  mt940: {
    "a field of megabytes": () => utf8(`${mt940Head}:86:${"x".repeat(size)}`),
    "millions of empty lines": () => utf8(`${mt940Head}:86:${"\n".repeat(size)}`),
    "millions of fields": () => utf8(`${mt940Head}${":20:\n".repeat(size / 5)}`),
  },
} satisfies Record<StatementFormat, Record<string, () => Uint8Array>>;
