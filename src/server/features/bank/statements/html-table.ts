import { statementLimits, statementTexts } from "#shared/bank/statement-texts.ts";
import type { Table } from "./cells.ts";
import { BoundedParser } from "./markup.ts";
import { Refusal } from "./statement.ts";

/** GTBank's ".xls" is a web page with a table. Elements nested deeper than this are no table of a bank. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 1_000_000;
const MAX_TEXT = 50_000;
const CHUNK = 65_536;

interface OpenRow {
  cells: string[];
  /** The columns that the last cell also covers: empty ones follow it, so that the columns stay where they are. */
  covered: number;
}

/** The rows of all tables of a web page, in their order; a table within a cell has its rows after that of the cell. */
export function readHtmlTable(text: string): Table {
  const rows: string[][] = [];
  /** The row that is being read, and those that it stands in. */
  const open: OpenRow[] = [];
  let depth = 0;
  let hidden = 0;
  let isWhole = false;
  const parser = new BoundedParser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new Refusal(statementTexts.damaged);
        if (isHidden(name)) hidden += 1;
        if (name === "tr") openRow(rows, open);
        const row = open.at(-1);
        if (!row) return;
        if (name === "td" || name === "th") openCell(row, attributes.colspan);
        if (name === "br" && row.cells.length > 0) addText(row, " ");
      },
      ontext(part) {
        const row = open.at(-1);
        if (row && row.cells.length > 0 && hidden === 0) addText(row, part);
      },
      onclosetag(name, isImplied) {
        depth -= 1;
        if (isHidden(name)) hidden -= 1;
        if (name === "tr") open.pop();
        // Banks leave out </html>; a page that ends within its table was cut off.
        if (name === "table") isWhole = !isImplied;
      },
    },
    { maxElements: MAX_ELEMENTS },
  );
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.end();
  if (!isWhole) throw new Refusal(statementTexts.damaged);
  return { rows: rows.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim())), separator: null };
}

const isHidden = (name: string): boolean => name === "script" || name === "style";

function openRow(rows: string[][], open: OpenRow[]): void {
  const cells: string[] = [];
  open.push({ cells, covered: 0 });
  rows.push(cells);
  if (rows.length > statementLimits.lines + statementLimits.otherRows) throw new Refusal(statementTexts.tooManyLines);
}

function openCell(row: OpenRow, colspan: string | undefined): void {
  for (; row.covered > 0; row.covered--) row.cells.push("");
  row.cells.push("");
  row.covered = Math.max(/^\d{1,3}$/.test(colspan ?? "") ? Number(colspan) - 1 : 0, 0);
  if (row.cells.length + row.covered > statementLimits.columns) throw new Refusal(statementTexts.tooManyColumns);
}

function addText({ cells }: OpenRow, text: string): void {
  const cell = `${cells.pop() ?? ""}${text}`;
  if (cell.length > MAX_TEXT) throw new Refusal(statementTexts.damaged);
  cells.push(cell);
}
