import { describe, expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import type { StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { importStatementFields } from "#shared/bank/import-inputs.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import { type StatementMapping, statementMapping } from "#shared/bank/statements.ts";
import { encodings } from "#tests/support/statement-files.ts";

/** The parts of reading that no single file shows: columns and day order known beforehand, and variants of spelling. */

const bytesOf = (file: string | Uint8Array) => (typeof file === "string" ? encodings.utf8(file) : file);

async function read(file: string | Uint8Array, mapping?: StatementMapping): Promise<StatementFile> {
  const result = await readStatement(bytesOf(file), mapping);
  expect(result).toMatchObject({ kind: "read" });
  if (result.kind !== "read") throw new Error("refused");
  return result;
}

async function refused(file: string | Uint8Array, mapping?: StatementMapping): Promise<StatementRefusal> {
  const result = await readStatement(bytesOf(file), mapping);
  expect(result).toMatchObject({ kind: "refused" });
  if (result.kind !== "refused") throw new Error("read");
  return result;
}
const faultsOf = async (file: string | Uint8Array, mapping?: StatementMapping) =>
  (await refused(file, mapping)).faults.map(({ text }) => text);

const uba = "TRAN DATE,VALUE DATE,TRAN REF,DEBIT,CREDIT,BALANCE,NARRATION";
const gtb = "Trans. Date,Value Date,Reference,Debits,Credits,Balance,Originating Branch,Remarks";
/** Narration in the middle, no balance. */
const plain = "Date,Narration,Debit,Credit";

const csv = (heading: string, ...rows: string[]) => `${[heading, ...rows].join("\n")}\n`;
const amountsOf = ({ lines }: StatementFile) => lines.map(({ amountKobo }) => amountKobo);
const datesOf = ({ lines }: StatementFile) => lines.map(({ date }) => date);

describe("the first row", () => {
  test.each([
    "B/F",
    "b f",
    "B.F.",
    "01/11/2026 B/F",
    "B/F NGN200",
    "B/F01/11",
    "B/FWD",
    "BALANCE BF",
    "Bal. b/fwd",
    "Balance: B/F â‚¦200",
    "Balance B/F 01-NOV-2026 200.00 CR",
    "Balance brought forward: N200",
  ])("may be an opening balance that is called %j", async (label) => {
    const statement = await read(csv(uba, `01/11/2026,,,,200.00,200.00,${label}`, "13/11/2026,,,5.00,,195.00,A"));
    expect(amountsOf(statement)).toEqual([-500n]);
    expect(statement).toMatchObject({ openingKobo: 20_000n, gaps: [] });
  });

  test.each([
    "bẹf",
    "bẹf".normalize("NFD"),
    "Cọf",
    "B2F",
    "B²F",
    "B٢F",
    "B & F",
    "C+F",
    "Ọ b f",
    "B fẹ",
    "B/F ẹ",
    "B f Okoro",
    "Balance B. Fashola",
    "Balance bẹf",
    "Balance BFN",
    "Balance c from Ada",
  ])("is not the first payment to an empty account by somebody who writes %j", async (narration) => {
    const statement = await read(csv(uba, `13/11/2026,,,,"5,000.00","5,000.00",${narration}`));
    expect(amountsOf(statement)).toEqual([500_000n]);
    expect(statement.gaps).toEqual([]);
  });
});

describe("days and months that could be either", () => {
  test("are read as it was proved before, with a note; a day above 12 outweighs that", async () => {
    const readMonthFirst = async (...rows: string[]) => {
      const result = await readStatement(bytesOf(csv(plain, ...rows)), null, "month_first");
      if (result.kind !== "read") throw new Error("refused");
      return result;
    };
    const either = await readMonthFirst("05/11/2026,A,5.00,");
    expect(datesOf(either)).toEqual(["2026-05-11"]);
    expect(either).toMatchObject({
      dayOrder: { order: "month_first", isProved: false },
      notes: [
        "No day of this file is above 12, so it can't tell days from months. The month was read first, as in this account's earlier statements.",
      ],
    });
    const proved = await readMonthFirst("05/11/2026,A,5.00,", "13/11/2026,B,5.00,");
    expect(datesOf(proved)).toEqual(["2026-11-05", "2026-11-13"]);
    expect(proved).toMatchObject({ dayOrder: { order: "day_first", isProved: true }, notes: [] });
    expect((await readMonthFirst("11/11/2026,A,5.00,", "12-Nov-2026,B,5.00,")).dayOrder).toBeNull();
  });

  test("follow what somebody has chosen", async () => {
    const file = csv(plain, "05/11/2026,A,5.00,");
    const { table } = await read(file);
    if (!table?.mapping) throw new Error("no mapping");
    const statement = await read(file, { ...table.mapping, dayOrder: "month_first" });
    expect(datesOf(statement)).toEqual(["2026-05-11"]);
    expect(statement.notes).toEqual([]);
  });
});

test("faults are all named, up to a hundred", async () => {
  const rows = Array.from({ length: 130 }, (_, index) => `31/02/2026,A,,${index + 1}.00`);
  const { faults, moreFaults } = await refused(csv(plain, ...rows));
  expect(faults).toHaveLength(100);
  expect(faults[99]).toEqual({ row: 101, text: "Row 101: 31/02/2026 is not a day of the calendar." });
  expect(moreFaults).toBe(30);
});

describe("the mapping of a table", () => {
  const own = csv("When,What,Out,In", "13/11/2026,A,5.00,", "14/11/2026,B,,5.00");
  const mapping: StatementMapping = {
    titles: ["When", "What", "Out", "In"],
    date: 0,
    valueDate: null,
    narration: 1,
    reference: null,
    balance: null,
    money: { kind: "two_columns", debit: 2, credit: 3 },
    dayOrder: "by_file",
  };

  test("is asked for where no names are known, and shows the first rows", async () => {
    const { faults, table } = await refused(own);
    expect(faults).toEqual([
      { row: null, text: "We could not find the columns of this file by their names. Please choose them." },
    ]);
    expect(table?.rows[0]).toEqual(["When", "What", "Out", "In"]);
    expect(table).toMatchObject({ mapping: null, isAsked: true });
  });

  test("is used again for a file with the same headings, wherever they stand", async () => {
    for (const file of [own, `Statement\n\n${own.replace("When,What", "WHEN , what")}`]) {
      const statement = await read(file, mapping);
      expect(amountsOf(statement)).toEqual([-500n, 500n]);
      expect(statement.table?.isAsked).toBe(false);
    }
  });

  test("can be kept as JSON", async () => {
    const { table } = await read(csv(gtb, '13-Nov-2026,,,"5,000.00",,"195,000.00",HEAD,A'));
    expect(statementMapping.parse(JSON.parse(JSON.stringify(table?.mapping)))).toEqual(table?.mapping);
  });

  test("has headings that the database can store, though they are cut off within a character", async () => {
    const long = `Branch ${"x".repeat(192)}`;
    const found = await read(csv(`Date,Narration\u0007,Debit,Credit,${long}\u{1f69c}`, "13/11/2026,A,,5.00,B"));
    const titles = ["Date", "Narration", "Debit", "Credit", `${long}\ufffd`];
    expect(found.table?.mapping?.titles).toEqual(titles);
    const kept = { ...mapping, titles: ["When\u0000", "What\ud800", "Out", "In"] };
    expect((await read(own, kept)).table?.mapping?.titles).toEqual(["When", "What\ufffd", "Out", "In"]);
  });

  test("comes from the browser without what it isn't of", () => {
    const given = JSON.stringify({ ...mapping, other: "\u0000" });
    expect(importStatementFields.parse({ accountId: "1", mapping: given }).mapping).toEqual(mapping);
    for (const bad of ["{", "[]", JSON.stringify({ ...mapping, date: -1 })]) {
      expect(importStatementFields.safeParse({ accountId: "1", mapping: bad }).error?.issues).toMatchObject([
        { path: ["mapping"], message: bankImportTexts.mappingInvalid },
      ]);
    }
  });

  test("is asked for again when the bank has changed its headings", async () => {
    const statement = await read(csv(plain, "13/11/2026,A,,5.00"), mapping);
    expect(statement.table).toMatchObject({ isAsked: true, headingRow: 1 });
    expect(statement.table?.mapping?.titles).toEqual(["Date", "Narration", "Debit", "Credit"]);
  });

  test("may be of a file without headings", async () => {
    const statement = await read("13/11/2026,A,5.00,\n14/11/2026,B,,5.00\n", { ...mapping, titles: [] });
    expect(amountsOf(statement)).toEqual([-500n, 500n]);
    expect(statement.table).toMatchObject({ headingRow: null, isAsked: false });
  });

  test("is shown with what a wrong one leads to, so that another can be chosen", async () => {
    const { faults, table } = await refused(own, {
      ...mapping,
      narration: 2,
      money: { kind: "one_column", amount: 1, mark: null },
    });
    expect(faults[0]?.text).toBe("Row 2: “A” is not an amount.");
    expect(table?.rows).toHaveLength(3);
  });

  test("takes more commas than headings where a person has looked at the columns", async () => {
    const file = csv(plain, "13/11/2026,A,,5.00,LAGOS", "14/11/2026,B,5.00,,ABUJA");
    expect(await faultsOf(file)).toHaveLength(2);
    const { table } = await refused(file);
    expect(amountsOf(await read(file, table?.mapping ?? undefined))).toEqual([500n, -500n]);
    const split = csv(plain, "13/11/2026,A,5,000.00,", "14/11/2026,B,6,000.00,");
    expect(await faultsOf(split, table?.mapping ?? undefined)).toHaveLength(2);
  });
});
