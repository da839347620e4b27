import { posix } from "node:path";
import { statementLimits, statementNotes, statementTexts } from "#shared/bank/statement-texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Cell, Table } from "./cells.ts";
import { Refusal } from "./statement.ts";
import { FEW_ELEMENTS, MAX_TEXT, readXml } from "./xml.ts";
import { Zip } from "./zip.ts";

/**
 * Reads .xlsx: a zip archive of XML files. Cells stay as the file writes them: numbers as text, dates as days. Rows and
 * columns are kept only where something stands in them, because a cell's address may be as large as it likes.
 */

const MAX_SHEETS = 50;
const MAX_ROWS = statementLimits.lines + statementLimits.otherRows;

/** The formats for dates that a workbook needn't declare. */
const dateFormats = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);

interface Workbook {
  sheets: string[];
  has1904Dates: boolean;
  sharedStrings: string[];
  /** By the number of a cell's style. */
  isDate: boolean[];
}

/** The first sheet that `isStatement`, or else the first with anything in it. Hidden ones aren't looked at. */
export async function readSpreadsheet(bytes: Uint8Array, isStatement: (table: Table) => boolean) {
  const zip = new Zip(bytes);
  if (!zip.has("xl/workbook.xml")) throw new Refusal(statementTexts.unknown);
  const workbook = await readWorkbook(zip);
  let found: Table | null = null;
  for (const sheet of workbook.sheets) {
    const table = { rows: await readSheet(zip, sheet, workbook), separator: null };
    if (table.rows.length === 0) continue;
    found ??= table;
    if (!isStatement(table)) continue;
    found = table;
    break;
  }
  if (!found) throw new Refusal(statementTexts.empty);
  return { table: found, notes: workbook.sheets.length > 1 ? [statementNotes.otherSheets] : [] };
}

async function readWorkbook(zip: Zip): Promise<Workbook> {
  const targets = new Map<string, { type: string; path: string }>();
  await readXml(
    zip.read("xl/_rels/workbook.xml.rels"),
    {
      open(path, { Id = "", Type = "", Target = "" }) {
        if (path.at(-1) !== "Relationship") return;
        const type = Type.slice(Type.lastIndexOf("/") + 1);
        targets.set(Id, {
          type,
          path: posix.resolve("/xl", Target).slice(1),
        });
      },
    },
    FEW_ELEMENTS,
  );
  const sheets = new Set<string>();
  let has1904Dates = false;
  await readXml(
    zip.read("xl/workbook.xml"),
    {
      open(path, attributes) {
        const name = path.at(-1);
        if (name === "workbookPr") has1904Dates = ["1", "true"].includes(attributes.date1904 ?? "");
        if (name !== "sheet" || attributes.state === "hidden" || attributes.state === "veryHidden") return;
        // The prefix of the attribute is the file's own choice.
        const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? "";
        const target = targets.get(id);
        if (target?.type === "worksheet") sheets.add(target.path);
      },
    },
    FEW_ELEMENTS,
  );
  const pathOf = (type: string) => [...targets.values()].find((target) => target.type === type)?.path ?? "";
  return {
    sheets: [...sheets].slice(0, MAX_SHEETS),
    has1904Dates,
    sharedStrings: await readSharedStrings(zip, pathOf("sharedStrings")),
    isDate: await readStyles(zip, pathOf("styles")),
  };
}

async function readSharedStrings(zip: Zip, file: string): Promise<string[]> {
  const strings: string[] = [];
  if (!zip.has(file)) return strings;
  let text = "";
  await readXml(zip.read(file), {
    close(path, own) {
      const name = path.at(-1);
      // How a word is pronounced stands beside it in Japanese sheets.
      if (name === "t" && !path.includes("rPh")) text += own;
      if (text.length > MAX_TEXT) damaged();
      if (name !== "si") return;
      strings.push(text.trim());
      text = "";
    },
  });
  return strings;
}

/** Which styles show a number as a date: those with a standard format for dates, or one of the file's own. */
async function readStyles(zip: Zip, file: string): Promise<boolean[]> {
  const isDate: boolean[] = [];
  if (!zip.has(file)) return isDate;
  const own = new Set<number>();
  await readXml(
    zip.read(file),
    {
      open(path, { numFmtId = "", formatCode = "" }) {
        const name = path.at(-1);
        if (name === "numFmt" && showsDate(formatCode)) own.add(Number(numFmtId));
        if (name !== "xf" || path.at(-2) !== "cellXfs") return;
        isDate.push(dateFormats.has(Number(numFmtId)) || own.has(Number(numFmtId)));
      },
    },
    FEW_ELEMENTS,
  );
  return isDate;
}

/** "dd/mm/yyyy" and the like, but for what stands in quotation marks, brackets or behind a backslash. */
function showsDate(format: string): boolean {
  let isEscaped = false;
  let end = "";
  for (const character of format) {
    if (isEscaped) isEscaped = false;
    else if (end !== "") end = character === end ? "" : end;
    else if (character === "\\") isEscaped = true;
    else if (character === '"') end = '"';
    else if (character === "[") end = "]";
    else if (/[dy]/i.test(character)) return true;
  }
  return false;
}

async function readSheet(zip: Zip, file: string, workbook: Workbook): Promise<Cell[][]> {
  const rows = new Map<number, Cell[]>();
  let [row, column] = [0, 0];
  let attributes: Readonly<Record<string, string>> = {};
  let [value, inline] = ["", ""];
  let last = 0;
  await readXml(zip.read(file), {
    open(path, given) {
      const name = path.at(-1);
      if (name === "row") {
        row = given.r === undefined ? row + 1 : readIndex(given.r);
        column = 0;
      } else if (name === "c") {
        const address = given.r === undefined ? null : readAddress(given.r);
        row = address?.row ?? row;
        column = address?.column ?? column + 1;
        attributes = given;
        [value, inline] = ["", ""];
      }
    },
    close(path, own) {
      const name = path.at(-1);
      if (name === "v") value = own;
      else if (name === "t" && path.includes("is") && !path.includes("rPh")) inline += own;
      if (inline.length > MAX_TEXT) damaged();
      if (name !== "c") return;
      const cell = cellOf(attributes, value, inline, workbook);
      if (cell === "") return;
      if (row > MAX_ROWS) throw new Refusal(statementTexts.tooManyLines);
      if (column > statementLimits.columns) throw new Refusal(statementTexts.tooManyColumns);
      last = Math.max(last, row);
      const cells = rows.get(row) ?? [];
      rows.set(row, cells);
      while (cells.length < column) cells.push("");
      cells[column - 1] = cell;
    },
  });
  return Array.from({ length: last }, (_, index) => rows.get(index + 1) ?? []);
}

const readIndex = (text: string): number => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : damaged());

function readAddress(address: string): { row: number; column: number } {
  const [, letters = "", digits = ""] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? [];
  if (letters === "") return damaged();
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits), column };
}

function damaged(): never {
  throw new Refusal(statementTexts.damaged);
}

function cellOf(
  { t = "n", s = "" }: Readonly<Record<string, string>>,
  value: string,
  inline: string,
  { sharedStrings, isDate, has1904Dates }: Workbook,
): Cell {
  if (t === "s") return sharedStrings[Number(value)] ?? damaged();
  if (t === "inlineStr") return inline.trim();
  if (t === "d") return { day: value.slice(0, 10) };
  if (t !== "n" || value === "") return value.trim();
  if (isDate[Number(s)]) return dayOfSerial(value, has1904Dates) ?? { number: value };
  return { number: value };
}

/** A date is stored as the days since the end of 1899, or since 1904; the part after the point is the time. */
function dayOfSerial(value: string, has1904Dates: boolean): { day: string } | null {
  const [, days = ""] = /^(\d{1,6})(?:\.\d{1,20})?$/.exec(value) ?? [];
  if (days === "") return null;
  const start = has1904Dates ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  return { day: new Date(start + Number(days) * dayMs).toISOString().slice(0, 10) };
}
