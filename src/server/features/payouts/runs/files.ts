import { createHash } from "node:crypto";
import writeExcelFile from "write-excel-file/node";
import { beginsFormula, csvLine } from "#server/platform/csv.ts";
import { decimalText } from "#server/platform/text.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import type { Kobo } from "#shared/money.ts";
import type { PayoutColumn, PayoutField } from "#shared/payouts/columns.ts";
import { payoutTexts } from "#shared/payouts/texts.ts";

/** Writes the bank's files of a run, as bytes. Nothing here asks the database. */

/** A payout and the account that it goes to, as a run froze them. */
export type PayoutLine = {
  reference: string;
  amountKobo: Kobo;
  part: number;
  parts: number;
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
};

/** The hash of a run's lines, in their order. Invariant I15 works it out in SQL. */
export function hashLines(lines: readonly PayoutLine[]): string {
  const text = lines
    .map(({ reference, amountKobo, bankCode, accountNumber, accountName }) =>
      [reference, amountKobo, bankCode, accountNumber, accountName].join("|"),
    )
    .join("\n");
  return createHash("sha256").update(text).digest("hex");
}

const textOf: Record<PayoutField, (line: PayoutLine) => string> = {
  name: ({ accountName }) => accountName,
  account: ({ accountNumber }) => accountNumber,
  bank: ({ bankName }) => bankName,
  bankcode: ({ bankCode }) => bankCode,
  nipcode: ({ bankCode }) => findBank(bankCode)?.nip ?? bankCode,
  amount: ({ amountKobo }) => decimalText(amountKobo, 2),
  // The statement's debit is matched by it, so it is the same for all profiles.
  narration: ({ reference, part, parts }) => payoutTexts.part(reference, part, parts),
  reference: ({ reference }) => reference,
};

/** A spreadsheet would run a cell that begins like a formula: a space before it makes it a text. */
const harmless = (text: string): string => (beginsFormula(text) ? ` ${text}` : text);

const cellsOf = (lines: readonly PayoutLine[], columns: readonly PayoutColumn[]): string[][] => [
  columns.map(({ title }) => harmless(title)),
  ...lines.map((line) => columns.map(({ field }) => harmless(textOf[field](line)))),
];

/** UTF-8 without a byte order mark, which some banks read as a part of the first title. Every cell is quoted. */
const writeCsv = (cells: readonly string[][]): Buffer => Buffer.from(cells.map(csvLine).join(""));

/** Every cell is a text, so that zeros at the beginning of a number stay. */
async function writeXlsx(cells: readonly string[][]): Promise<Buffer> {
  const data = cells.map((row, index) =>
    row.map((value) => ({ value, type: String, format: "@", ...(index === 0 && { fontWeight: "bold" as const }) })),
  );
  return writeExcelFile(data, { sheet: "Payouts" }).toBuffer();
}

/** Both files of a run, with their hashes. */
export async function writeFiles(lines: readonly PayoutLine[], columns: readonly PayoutColumn[]) {
  const cells = cellsOf(lines, columns);
  const files = [
    { format: "csv" as const, bytes: writeCsv(cells) },
    { format: "xlsx" as const, bytes: await writeXlsx(cells) },
  ];
  return files.map((file) => ({ ...file, sha256: createHash("sha256").update(file.bytes).digest("hex") }));
}
