import { crc32, deflateRawSync } from "node:zlib";
import writeExcelFile from "write-excel-file/node";
import { bankLayouts } from "#server/features/bank/statements/columns.ts";
import type { StatementLine } from "#server/features/bank/statements/statement.ts";

/** Writes statements as banks do, from what is true. Reading such a file must give back the truths. */
export type Truth = Pick<StatementLine, "date" | "valueDate" | "amountKobo" | "narration" | "bankReference">;

export interface Statement {
  openingKobo: bigint;
  /** Oldest first. */
  truths: Truth[];
}

/** A truth with the balance after it. */
type Booked = Truth & { balanceKobo: bigint };

export function withBalances({ openingKobo, truths }: Statement): Booked[] {
  let balanceKobo = openingKobo;
  return truths.map((truth) => {
    balanceKobo += truth.amountKobo;
    return { ...truth, balanceKobo };
  });
}

const grouped = (digits: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, ",");

/** "1,250,000.50" of a sum without its sign. */
function writeAmount(kobo: bigint, separator = ","): string {
  const digits = `${kobo < 0n ? -kobo : kobo}`.padStart(3, "0");
  const naira = separator === "" ? digits.slice(0, -2) : grouped(digits.slice(0, -2));
  return `${naira}.${digits.slice(-2)}`;
}

export const dayStyles = {
  slashes: (day: string) => day.split("-").reverse().join("/"),
  short: (day: string) => {
    const [year = "", month = "", date = ""] = day.split("-");
    return `${Number(date)}/${Number(month)}/${year.slice(2)}`;
  },
  named: (day: string) => {
    const [year, month, date] = day.split("-");
    const names = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
    return `${date}-${names[Number(month) - 1]}-${year}`;
  },
  iso: (day: string) => day,
  compact: (day: string) => day.replaceAll("-", ""),
  timed: (day: string) => `${day.split("-").reverse().join("/")} 14:05:09`,
  /** Only for files with a day above 12. */
  american: (day: string) => {
    const [year, month, date] = day.split("-");
    return `${month}/${date}/${year}`;
  },
} as const;

export const moneyStyles = {
  grouped: (kobo: bigint) => writeAmount(kobo),
  plain: (kobo: bigint) => writeAmount(kobo, ""),
  naira: (kobo: bigint) => `₦${writeAmount(kobo)}`,
} as const;

export interface TableStyle {
  /** The place of its layout in {@link bankLayouts}. */
  layout: number;
  day: keyof typeof dayStyles;
  money: keyof typeof moneyStyles;
  isNewestFirst: boolean;
  hasPreamble: boolean;
  hasClosing: boolean;
  emptyCell: "" | "-" | "0.00";
}

const kinds = {
  date: [
    ...["trans. date", "post date", "trans date", "date", "tran date", "transaction date", "trans. time"],
    "date/time",
  ],
  valueDate: ["value date"],
  reference: ["reference", "trans id", "tran ref", "transaction ref", "transaction reference", "transaction id"],
  debit: [
    ...["debits", "debit amt", "dr amount", "debit", "settlement debit (ngn)", "debit(₦)", "money out (ngn)"],
    "money out",
  ],
  credit: [
    ...["credits", "credit amt", "cr amount", "credit", "settlement credit (ngn)", "credit(₦)", "money in (ngn)"],
    "money in",
  ],
  amount: ["amount", "debit/credit(₦)"],
  balance: ["balance", "balance after (ngn)", "balance after(₦)", "balance(₦)"],
  narration: ["remarks", "narration", "description", "transaction detail"],
  /** Who paid or was paid, which is read as a part of the narration. */
  party: ["counterparty", "to / from"],
  branch: ["originating branch"],
  status: ["transaction status"],
  reversal: ["reversal status"],
  /** Headings of the payer's sum, which isn't what moved the account. */
  gross: ["transaction amount (ngn)"],
  unread: [
    ...["account name", "transaction type", "terminal id", "rrn", "balance before (ngn)", "charge (ngn)"],
    ...["beneficiary", "beneficiary institution", "source", "source institution", "channel", "category"],
  ],
} as const;
type Kind = keyof typeof kinds;

function kindOf(title: string): Kind {
  for (const [kind, titles] of Object.entries(kinds)) {
    if ((titles as readonly string[]).includes(title.toLowerCase())) return kind as Kind;
  }
  throw new Error(`no kind of column is called ${title}`);
}

/** The kinds of columns of a layout. */
export const columnsOf = (layout: number): Kind[] => (bankLayouts[layout]?.titles ?? []).map(kindOf);

/** The rows of a table as the bank of the layout writes them. */
export function tableRows(statement: Statement, style: TableStyle): string[][] {
  const titles = bankLayouts[style.layout]?.titles ?? [];
  const money = moneyStyles[style.money];
  const day = dayStyles[style.day];
  const balance = (kobo: bigint) => (kobo < 0n ? `(${money(kobo)})` : money(kobo));
  const cells: Record<Kind, (line: Booked) => string> = {
    date: ({ date }) => day(date),
    valueDate: ({ valueDate }) => (valueDate === null ? "" : day(valueDate)),
    reference: ({ bankReference }) => bankReference ?? "",
    debit: ({ amountKobo }) => (amountKobo < 0n ? money(amountKobo) : style.emptyCell),
    credit: ({ amountKobo }) => (amountKobo > 0n ? money(amountKobo) : style.emptyCell),
    amount: ({ amountKobo }) => `${amountKobo < 0n ? "-" : ""}${money(amountKobo)}`,
    balance: ({ balanceKobo }) => balance(balanceKobo),
    narration: ({ narration }) => narration,
    party: () => "",
    branch: () => "HEAD OFFICE",
    status: () => "SUCCESSFUL",
    reversal: () => "NOT_REVERSED",
    gross: ({ amountKobo }) => money(amountKobo + (amountKobo < 0n ? -5000n : 5000n)),
    unread: () => "SOMETHING ELSE",
  };
  const booked = withBalances(statement);
  const lines = style.isNewestFirst ? booked.toReversed() : booked;
  const closing = booked.at(-1)?.balanceKobo ?? statement.openingKobo;
  return [
    ...(style.hasPreamble
      ? [
          ["STATEMENT OF ACCOUNT"],
          ["Account Name", "GONA FARMS LTD"],
          ["Account Number", "0123456789"],
          [],
          ["Opening Balance", balance(statement.openingKobo)],
        ]
      : []),
    titles,
    ...lines.map((line) => titles.map((title) => cells[kindOf(title)](line))),
    ...(style.hasClosing
      ? [["Closing Balance", balance(closing)], ["This is a computer generated statement, and needs no signature."]]
      : []),
  ];
}

/** Rows as CSV, with quotation marks where they are needed. */
export function writeCsv(rows: string[][], separator = ",", newline = "\r\n"): string {
  const needsQuotes = (cell: string) => [separator, '"', "\n", "\r"].some((part) => cell.includes(part));
  const write = (cell: string) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(write).join(separator)).join(newline) + newline;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Rows as the web page that GTBank calls .xls. */
export const writeHtml = (rows: string[][]): string =>
  `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td { mso-number-format: "\\@"; }</style></head><body>
<table border="1">${rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join("")}</tr>`).join("\n")}</table></body></html>`;

export const encodings = {
  utf8: (text: string) => Buffer.from(text, "utf8"),
  bom: (text: string) => Buffer.from(`\uFEFF${text}`, "utf8"),
  utf16le: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  utf16be: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  /** Only for characters that Windows-1252 shares with Latin-1. */
  cp1252: (text: string) => Buffer.from(text, "latin1"),
} as const;

export interface SheetStyle {
  /** Numbers and dates as such, or all cells as text. */
  isTyped: boolean;
}

/** Rows as .xlsx, by a library that has nothing to do with the reader. */
export async function writeXlsx(statement: Statement, style: TableStyle, { isTyped }: SheetStyle): Promise<Uint8Array> {
  const rows = tableRows(statement, { ...style, day: "iso", money: "plain" });
  const kindsOfColumns = columnsOf(style.layout);
  const heading = rows.findIndex(
    (row) => row.length === kindsOfColumns.length && row[0] === bankLayouts[style.layout]?.titles[0],
  );
  const data = rows.map((row, index) =>
    row.map((cell, column) => {
      const kind = kindsOfColumns[column];
      const isLine = index > heading && index <= heading + statement.truths.length;
      if (cell === "") return null;
      if (!isTyped || !isLine) return { value: cell, type: String };
      if (kind === "date" || kind === "valueDate") {
        return { value: new Date(`${cell}T00:00:00Z`), type: Date, format: "dd/mm/yyyy" };
      }
      const isMoney = kind === "debit" || kind === "credit" || kind === "amount" || kind === "balance";
      const number = Number(cell.replace(/^\((.*)\)$/, "-$1"));
      if (isMoney && cell !== "-") return { value: number, type: Number, format: "#,##0.00" };
      return { value: cell, type: String };
    }),
  );
  return new Uint8Array(await writeExcelFile(data).toBuffer());
}

const mtDay = (day: string) => day.slice(2).replaceAll("-", "");
const mtAmount = (kobo: bigint) => writeAmount(kobo, "").replace(".", ",");

function mtBalance(tag: string, kobo: bigint, day: string): string {
  return `:${tag}:${kobo < 0n ? "D" : "C"}${mtDay(day)}NGN${mtAmount(kobo)}`;
}

/** One MT940 message, with narrations in lines of 65 characters. `reversals` writes RC and RD. */
export function writeMt940(statement: Statement, reversals: ReadonlySet<number> = new Set()): string {
  const booked = withBalances(statement);
  const [first, last] = [booked[0]?.date ?? "2026-01-01", booked.at(-1)?.date ?? "2026-01-01"];
  return [
    "{1:F01GTBINGLAXXXX0000000000}{2:I940GONAXXXXXXXXN}{4:",
    ":20:STATEMENT",
    ":25:0123456789",
    ":28C:00001/001",
    mtBalance("60F", statement.openingKobo, first),
    ...booked.flatMap(({ date, valueDate, amountKobo, narration, bankReference }, index) => {
      const isCredit = amountKobo > 0n;
      const mark = reversals.has(index) ? (isCredit ? "RD" : "RC") : isCredit ? "C" : "D";
      const booking = date.slice(5).replace("-", "");
      const reference = bankReference === null ? "" : `//${bankReference}`;
      return [
        `:61:${mtDay(valueDate ?? date)}${booking}${mark}${mtAmount(amountKobo)}NTRFNONREF${reference}`,
        ...(narration.match(/.{1,65}/g) ?? []).map((part, at) => (at === 0 ? `:86:${part}` : part)),
      ];
    }),
    mtBalance("62F", booked.at(-1)?.balanceKobo ?? statement.openingKobo, last),
    "-}",
    "",
  ].join("\r\n");
}

const camtAmount = (kobo: bigint) =>
  `<Amt Ccy="NGN">${writeAmount(kobo, "")}</Amt><CdtDbtInd>${kobo < 0n ? "DBIT" : "CRDT"}</CdtDbtInd>`;

/** One CAMT.053 statement, of version .02 or .08. */
export function writeCamt(
  statement: Statement,
  { version = "02", prefix = "", reversals = new Set<number>(), pending = 0 } = {},
): string {
  const booked = withBalances(statement);
  const balance = (kind: string, kobo: bigint, day = "2026-01-01") =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>${camtAmount(kobo)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const status = (code: string) => (version === "02" ? `<Sts>${code}</Sts>` : `<Sts><Cd>${code}</Cd></Sts>`);
  const reversal = (index: number) => (reversals.has(index) ? "<RvslInd>true</RvslInd>" : "");
  const entry = ({ date, valueDate, amountKobo, narration, bankReference }: Truth, code: string, index: number) =>
    `<Ntry>${camtAmount(amountKobo)}${reversal(index)}${status(code)}<BookgDt><Dt>${date}</Dt></BookgDt>${
      valueDate === null ? "" : `<ValDt><Dt>${valueDate}</Dt></ValDt>`
    }${bankReference === null ? "" : `<AcctSvcrRef>${escapeXml(bankReference)}</AcctSvcrRef>`}<NtryDtls><TxDtls><RmtInf><Ustrd>${escapeXml(
      narration,
    )}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  const [example] = booked;
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>0123456789</Id></Othr></Id></Acct>${balance(
    "OPBD",
    statement.openingKobo,
    booked[0]?.date,
  )}${balance("CLBD", booked.at(-1)?.balanceKobo ?? statement.openingKobo, booked.at(-1)?.date)}
${booked.map((line, index) => entry(line, "BOOK", index)).join("\n")}
${example ? Array.from({ length: pending }, () => entry(example, "PDNG", -1)).join("\n") : ""}</Stmt></BkToCstmrStmt></Document>`;
  if (prefix === "") return text;
  return text.replaceAll(/<(\/?)([A-Z])/g, `<$1${prefix}:$2`).replace("xmlns=", `xmlns:${prefix}=`);
}

/** A zip archive of these files. `declared` is what it says of their sizes, if not the truth. */
export function writeZip(
  files: Record<string, string | Uint8Array>,
  declared: Record<string, number> = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const data = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(declared[name] ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), Buffer.from([20, 0]), common, tail, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, entries, end]));
}

const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The smallest .xlsx around the XML of one sheet's rows, as a zip archive's files. */
export const xlsxFiles = (sheetData: string): Record<string, string> => ({
  "xl/workbook.xml": `<workbook xmlns:r="${relationships}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`,
});

/** Rows of a sheet as XML: texts inline, and numbers as they are written here. */
export const sheetXml = (rows: (string | { number: string } | null)[][]): string =>
  rows
    .map((row, index) => {
      const cells = row.map((cell, column) => {
        const address = `${String.fromCharCode(65 + column)}${index + 1}`;
        if (cell === null) return "";
        if (typeof cell === "object") return `<c r="${address}"><v>${cell.number}</v></c>`;
        return `<c r="${address}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
      });
      return `<row r="${index + 1}">${cells.join("")}</row>`;
    })
    .join("");
