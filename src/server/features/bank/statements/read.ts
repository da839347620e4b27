import {
  type DayOrder,
  type StatementFormat,
  statementBytes,
  statementFormats,
  statementTexts,
} from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { readCamt } from "./camt.ts";
import { readCsv } from "./csv.ts";
import { readHtmlTable } from "./html-table.ts";
import { readMt940 } from "./mt940.ts";
import { readSpreadsheet } from "./spreadsheet.ts";
import { Refusal, type StatementFile, type StatementRefusal } from "./statement.ts";
import { hasKnownColumns, readTable } from "./table.ts";

/**
 * Reads a bank's statement. Its format is found by its content; its name proves nothing. `kept` is the mapping of the
 * account, or one that a person has just chosen, `keptDayOrder` is how its earlier statements were proved to write their
 * days; MT940 and CAMT.053 need neither.
 *
 * Either every line is read, or the file is refused with what is wrong and where. Nothing is thrown for a bad file.
 */
export async function readStatement(
  bytes: Uint8Array,
  kept: StatementMapping | null = null,
  keptDayOrder: DayOrder | null = null,
): Promise<StatementFile | StatementRefusal> {
  let format: StatementFormat | null = null;
  try {
    if (bytes.length > statementBytes) throw new Refusal(statementTexts.tooLarge);
    const content = contentOf(bytes);
    format = formatOf(content);
    return await formats[format].read(content, { kept, keptDayOrder });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", format, faults: error.faults, moreFaults: error.moreFaults, table: error.table };
  }
}

/** A file's bytes, and what they say where they are text; "" of a workbook. */
type Content = { bytes: Uint8Array; text: string };
type Mapped = { kept: StatementMapping | null; keptDayOrder: DayOrder | null };

type Format = {
  /** True if the content is of this format. The first one that says so reads it. */
  isIt: (content: Content) => boolean;
  /** Throws a Refusal. */
  read: (content: Content, mapped: Mapped) => StatementFile | Promise<StatementFile>;
};

/** The beginning of a text, by which its format is recognised. */
const startOf = ({ text }: Content): string => text.slice(0, 4000).trimStart();

const formats: Record<StatementFormat, Format> = {
  xlsx: {
    isIt: ({ bytes }) => begins(bytes, magic.zip),
    read: async ({ bytes }, mapped) => {
      const { table, notes } = await readSpreadsheet(bytes, (sheet) => hasKnownColumns(sheet, mapped.kept));
      const statement = readTable(table, "xlsx", mapped);
      return { ...statement, notes: [...notes, ...statement.notes] };
    },
  },
  html: {
    isIt: (content) => {
      const start = startOf(content);
      // Excel's own XML has tables too, of other elements.
      return start.startsWith("<") && /<!doctype html|<html|<table/i.test(start) && !start.includes("<Workbook");
    },
    read: ({ text }, mapped) => readTable(readHtmlTable(text), "html", mapped),
  },
  camt053: {
    isIt: (content) => startOf(content).startsWith("<") && startOf(content).includes("BkToCstmrStmt"),
    read: ({ text }) => readCamt(text),
  },
  mt940: {
    isIt: (content) => {
      const tags = Array.from(startOf(content).matchAll(/^:(20|25|28C?|60[FM]|61):/gm), ([, tag]) => tag);
      return new Set(tags).size >= 2;
    },
    read: ({ text }) => readMt940(text),
  },
  /** Any other text that isn't markup. */
  csv: {
    isIt: ({ bytes, text }) => !begins(bytes, magic.zip) && !text.trimStart().startsWith("<"),
    read: ({ text }, mapped) => readTable(readCsv(text), "csv", mapped),
  },
};
const inOrder: readonly StatementFormat[] = [...statementFormats].sort(
  (one, other) => Number(one === "csv") - Number(other === "csv"),
);

function formatOf(content: Content): StatementFormat {
  const found = inOrder.find((format) => formats[format].isIt(content));
  if (found) return found;
  throw new Refusal(/<!(?:doctype|entity)/i.test(startOf(content)) ? statementTexts.doctype : statementTexts.unknown);
}

const magic = {
  zip: [0x50, 0x4b, 0x03, 0x04],
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
  /** Microsoft's compound file: the .xls of old, and the wrapping of an .xlsx with a password. */
  compound: [0xd0, 0xcf, 0x11, 0xe0],
} as const;

const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");

const begins = (bytes: Uint8Array, wanted: readonly number[]): boolean =>
  wanted.every((byte, index) => bytes[index] === byte);

/** Refuses in words what is known to be no statement. */
function contentOf(bytes: Uint8Array): Content {
  if (begins(bytes, magic.zip)) return { bytes, text: "" };
  if (begins(bytes, magic.pdf)) throw new Refusal(statementTexts.pdf);
  if (begins(bytes, magic.compound)) {
    const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encryptedPackage);
    throw new Refusal(isEncrypted ? statementTexts.password : statementTexts.oldExcel);
  }
  const text = decodeText(bytes);
  if (text.trim() === "") throw new Refusal(statementTexts.empty);
  return { bytes, text };
}

/** UTF-16 by its mark or its zeros, UTF-8 if it is that, else the characters of Windows. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const zeros = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 1000).entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = Math.min(bytes.length, 1000) / 2;
  if (odd > half * 0.7) return new TextDecoder("utf-16le").decode(bytes);
  if (even > half * 0.7) return new TextDecoder("utf-16be").decode(bytes);
  // Neither text nor table has zeros.
  if (bytes.includes(0)) throw new Refusal(statementTexts.unknown);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
