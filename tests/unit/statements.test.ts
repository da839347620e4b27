import { describe, expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import type { StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import { importStatementFields } from "#shared/bank/import-inputs.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import { type StatementMapping, statementMapping } from "#shared/bank/statements.ts";
import { encodings, sheetXml, writeCamt, writeZip, xlsxFiles } from "#tests/support/statement-files.ts";

/** The traps of banks' files, one by one. */

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
const zenith = "Date;Description;Amount;Balance";
/** Narration in the middle, no balance. */
const plain = "Date,Narration,Debit,Credit";

const csv = (heading: string, ...rows: string[]) => `${[heading, ...rows].join("\n")}\n`;
const amountsOf = ({ lines }: StatementFile) => lines.map(({ amountKobo }) => amountKobo);
const datesOf = ({ lines }: StatementFile) => lines.map(({ date }) => date);

describe("what stands around the lines", () => {
  const file = `GUARANTY TRUST BANK PLC
CUSTOMER STATEMENT,,,,,,,
Account Number:,,0123456789

Opening Balance:,"200,000.00",Closing Balance:,"195,550.00"
${gtb}
05-Nov-2026,05-Nov-2026,FT1,"5,000.00",,"195,000.00",HEAD OFFICE,SMS ALERT CHARGE
06-Nov-2026,06-Nov-2026,FT2,,550.00,"195,550.00",HEAD OFFICE,NIP/ACCESS/ADAEZE OKAFOR/GONA-7K3P-9Q2M
Total,,,"5,000.00",550.00,,,
,,,,,,,"Please note, that any error, must be reported, within 30 days"
`;

  test("is told apart: preamble, headings, totals, closing words", async () => {
    const statement = await read(file);
    expect(statement.lines.map(({ row, amountKobo }) => [row, amountKobo])).toEqual([
      [7, -500_000n],
      [8, 55_000n],
    ]);
    expect(statement).toMatchObject({
      format: "csv",
      account: "0123456789",
      openingKobo: 20_000_000n,
      closingKobo: 19_555_000n,
      gaps: [],
      notes: [],
    });
    expect(statement.table).toMatchObject({ bank: "GTBank", headingRow: 6, isAsked: true });
  });

  test("may come again on each page", async () => {
    const statement = await read(
      csv(uba, "13/11/2026,,,5.00,,95.00,A", "Page 2 of 2", uba, "14/11/2026,,,,5.00,100.00,B"),
    );
    expect(statement.lines.map(({ row }) => row)).toEqual([2, 5]);
  });

  test("may be an opening balance with a date, even printed as a credit", async () => {
    const statement = await read(
      csv(
        uba,
        '01/11/2026,,,,"200,000.00","200,000.00",Balance B/F',
        '13/11/2026,,,"5,000.00",,"195,000.00",SMS ALERT CHARGE',
        '30/11/2026,,,,,"195,000.00",CLOSING BALANCE',
      ),
    );
    expect(amountsOf(statement)).toEqual([-500_000n]);
    expect(statement).toMatchObject({ openingKobo: 20_000_000n, closingKobo: 19_500_000n, gaps: [] });
  });

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

  test("is not a payment by somebody who writes of a balance", async () => {
    const statement = await read(csv(uba, '13/11/2026,,,,"5,000.00","9,000.00",Opening balance for the rent'));
    expect(amountsOf(statement)).toEqual([500_000n]);
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

  test("is not a line without its date by somebody called so", async () => {
    const rows = ["13/11/2026,,,5.00,,95.00,A", ",,,5.00,,90.00,TOTAL ENERGIES", ",,,10.00,,90.00,TOTAL"];
    expect(await faultsOf(csv(uba, ...rows))).toEqual(["Row 3: there is an amount, but no date."]);
    expect(await faultsOf(csv(uba, "13/11/2026,,,5.00,,95.00,A", ",,,5.00,,90.00,Balance B. Fashola"))).toEqual([
      "Row 3: there is an amount, but no date.",
    ]);
  });

  test("is not an amount without its date: that is a fault", async () => {
    expect(await faultsOf(csv(uba, "13/11/2026,,,5.00,,95.00,A", ",,,5.00,,90.00,B"))).toEqual([
      "Row 3: there is an amount, but no date.",
    ]);
  });

  test("may be the rest of a narration, on a row of its own", async () => {
    const statement = await read(csv(uba, "13/11/2026,,,5.00,,95.00,TRF TO", ",,,,,,C & F", ",,,,,,OKAFOR"));
    expect(statement.lines).toMatchObject([{ row: 2, narration: "TRF TO C & F OKAFOR" }]);
  });
});

describe("cells are told apart", () => {
  test.each([
    [";", "utf8"],
    ["\t", "utf8"],
    ["|", "utf8"],
    [",", "bom"],
    [";", "utf16le"],
    [",", "utf16be"],
    [",", "cp1252"],
  ] as const)("by %j in %s", async (separator, encoding) => {
    const rows = [zenith.split(";"), ["13/11/2026", "TRF FROM ADÉ SONS - LAGOS", "-50.00", "950.00"]];
    const text = `${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`;
    const statement = await read(encodings[encoding](text));
    expect(statement.lines).toMatchObject([
      { row: 2, amountKobo: -5_000n, balanceKobo: 95_000n, narration: "TRF FROM ADÉ SONS - LAGOS" },
    ]);
  });

  test("in the characters of Windows, which aren't those of Latin-1", async () => {
    const text = Buffer.concat([
      Buffer.from(`${zenith}\n13/11/2026;`),
      Buffer.from([0x93, 0x80, 0x94]),
      Buffer.from(";-50.00;950.00\n"),
    ]);
    expect((await read(text)).lines[0]?.narration).toBe("“€”");
  });

  test("in UTF-16 without its mark", async () => {
    const text = Buffer.from(csv(zenith, "13/11/2026;A;-50.00;950.00"), "utf16le");
    expect(amountsOf(await read(text))).toEqual([-5_000n]);
  });

  test("and a quotation mark that is never closed is a fault", async () => {
    expect(await faultsOf(csv(uba, "13/11/2026,,,5.00,,95.00,A", '14/11/2026,,,5.00,,90.00,"B'))).toEqual([
      "Row 3: a quotation mark is opened and not closed.",
    ]);
  });

  test("and one that another row's closes would swallow the rows between: a fault as well", async () => {
    const rows = ['13/11/2026,,,5.00,,95.00,"ADA', "14/11/2026,,,6.00,,89.00,B", '15/11/2026,,,7.00,,82.00,"OBI'];
    expect(await faultsOf(csv(uba, ...rows))).toEqual(["Row 2: a quotation mark is opened and not closed."]);
  });

  test("by the ends of lines, whichever the file has", async () => {
    const file = `${uba}\r\n13/11/2026,,,5.00,,95.00,A\n14/11/2026,,,5.00,,90.00,B\r15/11/2026,,,5.00,,85.00,C\r\n`;
    expect((await read(file)).lines.map(({ narration }) => narration)).toEqual(["A", "B", "C"]);
  });

  test("and one within a text is only itself", async () => {
    const statement = await read(csv(uba, '13/11/2026,,,5.00,,95.00,PIPE 5" LONG'));
    expect(statement.lines[0]?.narration).toBe('PIPE 5" LONG');
  });

  test("and a cell in quotation marks may go over two lines: rows are counted as a spreadsheet does", async () => {
    const statement = await read(csv(uba, '13/11/2026,,,5.00,,95.00,"TRF TO\nADAEZE"', "14/11/2026,,,,5.00,100.00,B"));
    expect(statement.lines.map(({ row, narration }) => [row, narration])).toEqual([
      [2, "TRF TO ADAEZE"],
      [3, "B"],
    ]);
  });
});

describe("a comma", () => {
  test("in thousands without quotation marks is refused with its row, and never guessed", async () => {
    const last = await refused(
      csv(uba, "13/11/2026,13/11/2026,R1,5,000.00,,1,195,000.00,A", "14/11/2026,14/11/2026,R2,5.00,,95.00,B"),
    );
    expect(last.faults).toEqual([
      { row: 2, text: "Row 2: “5,000.00” may be one amount or two. Amounts with commas need quotation marks." },
    ]);
    const middle = csv("Date,Narration,Debit,Credit,Balance", "13/11/2026,A,5,000.00,,1,195,000.00");
    expect(await faultsOf(middle)).toEqual([
      "Row 2: there are 8 cells, but 5 columns. A comma in an amount or a text needs quotation marks around it.",
    ]);
  });

  test("in thousands without quotation marks in all rows is refused too", async () => {
    const rows = [13, 14, 15].map((day) => `${day}/11/2026,,,5,000.00,,1,195,000.00,A`);
    expect(await faultsOf(csv(uba, ...rows))).toHaveLength(3);
    // Even where what is too much would be empty.
    expect(await faultsOf(csv(plain, "13/11/2026,A,5,000.00,"))).toHaveLength(1);
    expect(await faultsOf(csv(plain, "13/11/2026,A,5,000.00,", "14/11/2026,A,6,000.00,"))).toHaveLength(2);
  });

  test("in a narration in the last column belongs to it", async () => {
    const statement = await read(
      csv(uba, "13/11/2026,,R1,,5.00,95.00,TRF FROM ADA, OBI AND SONS, LAGOS", "14/11/2026,,,5.00,,90.00,B"),
    );
    expect(statement.lines[0]?.narration).toBe("TRF FROM ADA, OBI AND SONS, LAGOS");
  });

  test("in a narration elsewhere shifts the amounts, and is refused", async () => {
    const file = csv(plain, "13/11/2026,TRF FROM ADA, OBI AND SONS,,5.00", "14/11/2026,B,5.00,");
    expect(await faultsOf(file)).toEqual([
      "Row 2: there are 5 cells, but 4 columns. A comma in an amount or a text needs quotation marks around it.",
    ]);
  });

  test("more in all rows, or a column without a heading, is fine where a person has looked at the columns", async () => {
    const file = csv(plain, "13/11/2026,A,,5.00,LAGOS", "14/11/2026,B,5.00,,ABUJA");
    expect(await faultsOf(file)).toHaveLength(2);
    const { table } = await refused(file);
    expect(amountsOf(await read(file, table?.mapping ?? undefined))).toEqual([500n, -500n]);
    const split = csv(plain, "13/11/2026,A,5,000.00,", "14/11/2026,B,6,000.00,");
    expect(await faultsOf(split, table?.mapping ?? undefined)).toHaveLength(2);
  });

  test("that all rows end in is no cell too many", async () => {
    const file = csv(plain, "13/11/2026,A,,5.00,", "14/11/2026,B,5.00,,");
    expect(amountsOf(await read(file))).toEqual([500n, -500n]);
    // Of a single row nobody can tell whether its narration ends in a comma.
    expect(await faultsOf(csv(plain, "13/11/2026,A,,5.00,"))).toHaveLength(1);
  });
});

describe("an amount", () => {
  const debits = ["450.00", "(450.00)", "-450.00", "450.00-", "450.00 DR", "₦450.00", "NGN 450.00", "450", "450.0000"];

  test.each(debits)("of %s in the debit column is that debit", async (text) => {
    expect(amountsOf(await read(csv(uba, `13/11/2026,,,${text},,95.00,A`)))).toEqual([-45_000n]);
  });

  test.each(["-", "--", "–", "", " ", "0.00", "0"])("of %j is none", async (text) => {
    expect(amountsOf(await read(csv(uba, `13/11/2026,,,${text},450.00,95.00,A`)))).toEqual([45_000n]);
  });

  test.each(["-450.00", "(450.00)", "450.00 DR"])("of %j alone, in a column for both, is a debit", async (text) => {
    expect(amountsOf(await read(csv(zenith, `13/11/2026;A;${text};950.00`)))).toEqual([-45_000n]);
  });

  test.each(["450.00", "+450.00", "450.00 CR", "450.00CR"])("of %j alone is a credit", async (text) => {
    expect(amountsOf(await read(csv(zenith, `13/11/2026;A;${text};950.00`)))).toEqual([45_000n]);
  });

  test("may have its direction in a column of its own", async () => {
    const heading = "Date,Narration,Amount,Dr/Cr";
    expect(amountsOf(await read(csv(heading, "13/11/2026,A,450.00,DR", "14/11/2026,B,50.00,C")))).toEqual([
      -45_000n,
      5_000n,
    ]);
    expect(await faultsOf(csv(heading, "13/11/2026,A,450.00,??", "14/11/2026,B,-50.00,CR"))).toEqual([
      "Row 2: “??” says neither debit nor credit.",
      "Row 3: the amount's sign and its mark contradict each other.",
    ]);
  });

  test.each([
    ["450,00", "“450,00” is not an amount."],
    ["450.000", "“450.000” is not an amount."],
    ["1,95,000.00", "“1,95,000.00” is not an amount."],
    ["5.000,00", "“5.000,00” is not an amount."],
    ["4.5E5", "“4.5E5” is not an amount."],
    ["--450.00", "“--450.00” is not an amount."],
    ["99999999999999999", "“99999999999999999” is not an amount."],
    ["450.00 CR", "“450.00 CR” is in the wrong column."],
    ["four", "“four” is not an amount."],
  ])("of %j is refused", async (text, fault) => {
    expect(await faultsOf(csv(uba, `13/11/2026,,,"${text}",,95.00,A`))).toEqual([`Row 2: ${fault}`]);
  });

  test("is not on both sides, nor on none, nor a negative credit", async () => {
    const file = csv(uba, "13/11/2026,,,5.00,5.00,1.00,A", "14/11/2026,,,,,1.00,B", "15/11/2026,,,,-5.00,1.00,C");
    expect(await faultsOf(file)).toEqual([
      "Row 2: there is a debit and a credit.",
      "Row 3: there is a date, but no amount.",
      "Row 4: the credit is negative, and no balance proves that the money went out.",
    ]);
  });

  test("of nothing is left out and told of", async () => {
    const statement = await read(csv(uba, "13/11/2026,,,0.00,0.00,95.00,A", "14/11/2026,,,5.00,,90.00,B"));
    expect(amountsOf(statement)).toEqual([-500n]);
    expect(statement.notes).toEqual(["1 line of ₦0.00 was left out."]);
  });

  test("may leave an overdrawn account", async () => {
    const statement = await read(
      csv(uba, "13/11/2026,,,50.00,,(45.00),A", "14/11/2026,,,5.00,,50.00 DR,B", "15/11/2026,,,5.00,,-55.00,C"),
    );
    expect(statement.lines.map(({ balanceKobo }) => balanceKobo)).toEqual([-4_500n, -5_000n, -5_500n]);
    expect(statement.gaps).toEqual([]);
  });
});

describe("a date", () => {
  const dates = async (...texts: string[]) =>
    datesOf(await read(csv(plain, ...texts.map((text) => `"${text}",A,5.00,`))));

  test.each([
    "13/11/2026",
    "13-11-2026",
    "13.11.2026",
    "13/11/26",
    "13-Nov-2026",
    "13-NOV-26",
    "13 November 2026",
    "13Nov2026",
    "Nov 13, 2026",
    "2026-11-13",
    "2026/11/13",
    "20261113",
    "13/11/2026 14:05",
    "13/11/2026 02:05:09 PM",
    "2026-11-13T14:05:09+01:00",
    "13-Nov-2026, 14:05",
  ])("like %s is read", async (text) => {
    expect(await dates(text)).toEqual(["2026-11-13"]);
  });

  test("above 12 tells that the day stands first, or the month", async () => {
    expect(await dates("05/11/2026", "13/11/2026")).toEqual(["2026-11-05", "2026-11-13"]);
    expect(await dates("11/05/2026", "11/13/2026")).toEqual(["2026-11-05", "2026-11-13"]);
  });

  test("counts for that in the value dates as well", async () => {
    const statement = await read(csv(uba, "05/11/2026,11/13/2026,,5.00,,95.00,A"));
    expect(statement.lines).toMatchObject([{ date: "2026-05-11", valueDate: "2026-11-13" }]);
  });

  test("with the day first and one with the month first contradict each other", async () => {
    expect(await faultsOf(csv(plain, "13/11/2026,A,5.00,", "11/14/2026,B,5.00,"))).toEqual([
      "Row 2 writes the day first and row 3 the month first. Choose one date format at your bank, and download the file again.",
    ]);
  });

  test("that could be either is read as in Nigeria, with a note", async () => {
    const statement = await read(csv(plain, "05/11/2026,A,5.00,", "06/11/2026,B,5.00,"));
    expect(datesOf(statement)).toEqual(["2026-11-05", "2026-11-06"]);
    expect(statement.notes).toEqual([
      "No day of this file is above 12, so it can't tell days from months. The day was read first.",
    ]);
    expect((await read(csv(plain, "11/11/2026,A,5.00,"))).notes).toEqual([]);
  });

  const balanced = (...rows: string[]) => csv("Date,Narration,Debit,Credit,Balance", ...rows);

  test("that could be either follow the balances where only one order does, the newest first too", async () => {
    const rows = ["12/10/2026,A,,5.00,105.00", "01/11/2026,B,,6.00,111.00", "02/11/2026,C,7.00,,104.00"];
    for (const given of [rows, rows.toReversed()]) {
      const statement = await read(balanced(...given));
      expect(datesOf(statement)).toEqual(["2026-10-12", "2026-11-01", "2026-11-02"]);
      expect(statement).toMatchObject({ notes: [], dayOrder: { order: "day_first", isProved: true } });
    }
    const american = await read(balanced("10/12/2026,A,,5.00,105.00", "11/01/2026,B,,6.00,111.00"));
    expect(datesOf(american)).toEqual(["2026-10-12", "2026-11-01"]);
    expect(american).toMatchObject({ notes: [], dayOrder: { order: "month_first", isProved: true } });
  });

  test("that could be either aren't proved by balances that don't follow, or by days that go on in both orders", async () => {
    for (const rows of [
      ["12/10/2026,A,,5.00,105.00", "01/11/2026,B,,6.00,112.00"],
      ["12/10/2026,A,,5.00,105.00", "01/11/2026,B,,6.00,"],
      ["05/11/2026,A,,5.00,105.00", "06/11/2026,B,,6.00,111.00"],
      ["05/11/2026,A,,5.00,105.00"],
    ]) {
      expect((await read(balanced(...rows))).dayOrder).toEqual({ order: "day_first", isProved: false });
    }
  });

  test("that could be either are read as it was proved before, with a note; a day above 12 outweighs that", async () => {
    const readKept = async (...rows: string[]) => {
      const result = await readStatement(bytesOf(csv(plain, ...rows)), null, "month_first");
      if (result.kind !== "read") throw new Error("refused");
      return result;
    };
    const either = await readKept("05/11/2026,A,5.00,");
    expect(datesOf(either)).toEqual(["2026-05-11"]);
    expect(either).toMatchObject({
      dayOrder: { order: "month_first", isProved: false },
      notes: [
        "No day of this file is above 12, so it can't tell days from months. The month was read first, as in this account's earlier statements.",
      ],
    });
    const proved = await readKept("05/11/2026,A,5.00,", "13/11/2026,B,5.00,");
    expect(datesOf(proved)).toEqual(["2026-11-05", "2026-11-13"]);
    expect(proved).toMatchObject({ dayOrder: { order: "day_first", isProved: true }, notes: [] });
    expect((await readKept("11/11/2026,A,5.00,", "12-Nov-2026,B,5.00,")).dayOrder).toBeNull();
  });

  test("that could be either follows what somebody has chosen", async () => {
    const file = csv(plain, "05/11/2026,A,5.00,");
    const { table } = await read(file);
    if (!table?.mapping) throw new Error("no mapping");
    const statement = await read(file, { ...table.mapping, dayOrder: "month_first" });
    expect(datesOf(statement)).toEqual(["2026-05-11"]);
    expect(statement.notes).toEqual([]);
  });

  test.each([
    "31/02/2026",
    "30-Feb-2026",
    "2026-02-30",
    "29/02/2026",
    "13/13/2026",
    "01/01/1999",
    "13-Foo-2026",
    "00/01/2026",
  ])("like %s is refused", async (text) => {
    expect(await faultsOf(csv(plain, `${text},A,5.00,`))).toEqual([`Row 2: ${text} is not a day of the calendar.`]);
  });

  test("that is none is refused where there is an amount", async () => {
    expect(await faultsOf(csv(plain, "13/11/2026,A,5.00,", "yesterday,B,5.00,"))).toEqual([
      "Row 3: “yesterday” is not a date.",
    ]);
    expect(await faultsOf(csv(uba, "13/11/2026,soon,,5.00,,95.00,A"))).toEqual(["Row 2: “soon” is not a date."]);
  });
});

describe("lines", () => {
  test("that are equal, on one day, are two", async () => {
    const line = "13/11/2026,NIP/ACCESS/ADA,,5.00";
    expect(amountsOf(await read(csv(plain, line, line)))).toEqual([500n, 500n]);
  });

  test("come oldest first, though the file has the newest first", async () => {
    const statement = await read(
      csv(uba, "15/11/2026,,,,5.00,105.00,C", "14/11/2026,,,5.00,,100.00,B", "13/11/2026,,,5.00,,105.00,A"),
    );
    expect(statement.lines.map(({ row, narration }) => [row, narration])).toEqual([
      [4, "A"],
      [3, "B"],
      [2, "C"],
    ]);
    expect(statement).toMatchObject({ openingKobo: 11_000n, closingKobo: 10_500n, gaps: [] });
  });

  test("of one day are put in order by their balances", async () => {
    const statement = await read(csv(uba, "13/11/2026,,,,7.00,102.00,B", "13/11/2026,,,5.00,,95.00,A"));
    expect(statement.lines.map(({ narration }) => narration)).toEqual(["A", "B"]);
  });

  test("whose balances don't follow from each other leave a gap", async () => {
    const statement = await read(
      csv(
        uba,
        "13/11/2026,,,5.00,,95.00,A",
        '15/11/2026,,,,5.00,"18,500.00",B',
        '16/11/2026,,,,5.00,"18,505.00",C',
        'Closing Balance,,,,,"18,500.00",',
      ),
    );
    expect(statement.gaps).toEqual([
      { afterRow: 2, fromDate: "2026-11-13", beforeRow: 3, toDate: "2026-11-15", missingKobo: 1_840_000n },
      { afterRow: 4, fromDate: "2026-11-16", beforeRow: null, toDate: null, missingKobo: -500n },
    ]);
  });

  test("hold the transfer's session id, which has 30 digits and not more", async () => {
    const id = "000014261113140509123456789012";
    const file = csv(plain, `13/11/2026,NIP/${id}/ADA,,5.00`, `14/11/2026,NIP/${id}3/ADA,,5.00`);
    expect((await read(file)).lines.map(({ sessionId }) => sessionId)).toEqual([id, null]);
  });

  test("hold no control characters, which the database can't store", async () => {
    const { lines } = await read(csv(plain, "13/11/2026,A\u0007\tB\u009f C,,5.00"));
    expect(lines[0]?.narration).toBe("A B C");
  });

  test("with faults are all named, up to a hundred", async () => {
    const rows = Array.from({ length: 130 }, (_, index) => `31/02/2026,A,,${index + 1}.00`);
    const { faults, moreFaults } = await refused(csv(plain, ...rows));
    expect(faults).toHaveLength(100);
    expect(faults[99]).toEqual({ row: 101, text: "Row 101: 31/02/2026 is not a day of the calendar." });
    expect(moreFaults).toBe(30);
  });

  test("have texts of a bounded length", async () => {
    const file = csv(uba, `13/11/2026,,${"R".repeat(201)},5.00,,95.00,${"N".repeat(1001)}`);
    expect(await faultsOf(file)).toEqual([
      "Row 2: the narration is longer than 1,000 characters.",
      "Row 2: the reference is longer than 200 characters.",
    ]);
  });
});

describe("a file that was cut off", () => {
  const whole = csv(plain, "13/11/2026,A,,5.00", "14/11/2026,B,,6000.00").trimEnd();

  test("within its last line is refused, even where an amount would be left", async () => {
    expect((await read(whole)).lines).toHaveLength(2);
    for (const end of [1, 3, 4, 6, 7, 8]) {
      expect(await faultsOf(whole.slice(0, -end))).toEqual([
        end === 7
          ? "Row 3: there is a date, but no amount."
          : "Row 3: the file ends in the middle of this row. Download it again.",
      ]);
    }
  });
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
});

describe("a spreadsheet", () => {
  const sheet = (...rows: Parameters<typeof sheetXml>[0]) =>
    writeZip(xlsxFiles(sheetXml([zenith.split(";"), ...rows])));

  test.each([
    ["20000.009999999998", 2_000_001n],
    ["450", 45_000n],
    ["-0.1", -10n],
    ["1.125E7", 1_125_000_000n],
    ["1.1200000000000001E3", 112_000n],
    ["9.9999999999999995E-1", 100n],
  ])("stores %s, which is rounded to the kobo", async (number, kobo) => {
    const statement = await read(sheet(["13/11/2026", "A", { number }, { number: "950" }]));
    expect(statement.lines).toMatchObject([{ row: 2, amountKobo: kobo, balanceKobo: 95_000n }]);
    expect(statement.format).toBe("xlsx");
  });

  test("with the statement on its second sheet is read there", async () => {
    const files = xlsxFiles(sheetXml([["SUMMARY"], ["Closing", { number: "950" }]]));
    const more = xlsxFiles(sheetXml([zenith.split(";"), ["13/11/2026", "A", { number: "5" }, null]]));
    const statement = await read(
      writeZip({
        "xl/workbook.xml": (files["xl/workbook.xml"] ?? "").replace(
          "</sheets>",
          '<sheet name="2" r:id="rId2"/></sheets>',
        ),
        "xl/_rels/workbook.xml.rels": (files["xl/_rels/workbook.xml.rels"] ?? "").replace(
          "</Relationships>",
          '<Relationship Id="rId2" Type="http://x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
        ),
        "xl/worksheets/sheet1.xml": files["xl/worksheets/sheet1.xml"] ?? "",
        "xl/worksheets/sheet2.xml": more["xl/worksheets/sheet1.xml"] ?? "",
      }),
    );
    expect(amountsOf(statement)).toEqual([500n]);
    expect(statement.notes).toEqual(["This file has several sheets. Only the first with a statement was read."]);
  });

  test("rounds no text", async () => {
    expect(await faultsOf(sheet(["13/11/2026", "A", "20000.009999999998", "950"]))).toEqual([
      "Row 2: “20000.009999999998” is not an amount.",
    ]);
  });

  test("has its dates as numbers, by the standard formats or its own, since 1900 or 1904", async () => {
    const files: Record<string, string> = {
      ...xlsxFiles(
        sheetXml([zenith.split(";")]).concat(
          '<row r="2"><c r="A2" s="1"><v>46339.75</v></c><c r="B2" t="inlineStr"><is><r><t>A</t></r><r><t>B</t></r></is></c><c r="C2"><v>5</v></c></row>',
          '<row r="3"><c s="2"><v>46340</v></c><c t="str"><v>C &amp; D</v></c><c><v>7</v></c></row>',
        ),
      ),
      "xl/styles.xml":
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\/mm\\/yyyy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    };
    files["xl/_rels/workbook.xml.rels"] = files["xl/_rels/workbook.xml.rels"]?.replace(
      "</Relationships>",
      '<Relationship Id="rId2" Type="http://x/styles" Target="/xl/styles.xml"/></Relationships>',
    ) as string;
    const statement = await read(writeZip(files));
    expect(statement.lines.map(({ date, narration }) => [date, narration])).toEqual([
      ["2026-11-13", "AB"],
      ["2026-11-14", "C & D"],
    ]);
    files["xl/workbook.xml"] = files["xl/workbook.xml"]?.replace(
      "<sheets>",
      '<workbookPr date1904="1"/><sheets>',
    ) as string;
    expect((await read(writeZip(files))).lines[0]?.date).toBe("2030-11-14");
  });

  test("in which Excel has swapped days and months is refused", async () => {
    const files = {
      ...xlsxFiles(
        sheetXml([zenith.split(";")]).concat(
          '<row r="2"><c r="A2" t="d"><v>2026-05-11T00:00:00</v></c><c r="B2" t="str"><v>A</v></c><c r="C2"><v>5</v></c></row>',
          '<row r="3"><c r="A3" t="str"><v>13/11/2026</v></c><c r="B3" t="str"><v>A</v></c><c r="C3"><v>5</v></c></row>',
        ),
      ),
    };
    expect(await faultsOf(writeZip(files))).toEqual([
      "Row 2 has a real date and row 3 a date as text. Excel may have swapped days and months. Download the file again, and don't save it in Excel.",
    ]);
  });
});

describe("a web page that is called .xls", () => {
  const page = (rows: string) => `<!DOCTYPE html><HTML><head><style>td{x:y}</style></head><body>
    <table><tr><td>Account No</td><td>0123456789</td></tr></table>
    <table><tr><td><table><tr><td colspan=8>&nbsp;GTBank</td></tr>
    <tr>${gtb
      .split(",")
      .map((title) => `<th>${title}</th>`)
      .join("")}${rows}</table></td></tr></table></body>`;

  test("is read with its tables, left-out ends, spans and entities", async () => {
    const statement = await read(
      page(
        "<tr><td>13-Nov-2026<td>13-Nov-2026<td>'R1<td>5,000.00<td>&nbsp;<td>195,000.00<td>HEAD<td>ADA &amp; SONS<br>LAGOS" +
          "<tr><td colspan=2>14-Nov-2026<td>R2<td><td>5.00<td>195,005.00<td>HEAD<td>B",
      ),
    );
    expect(statement).toMatchObject({ format: "html", account: "0123456789", table: { bank: "GTBank" } });
    expect(statement.lines).toMatchObject([
      { row: 5, date: "2026-11-13", amountKobo: -500_000n, narration: "ADA & SONS LAGOS" },
      { row: 6, date: "2026-11-14", valueDate: null, amountKobo: 500n, balanceKobo: 19_500_500n, narration: "B" },
    ]);
  });
});

test("a web page that ends within its table is refused", async () => {
  const row = "<tr><td>13/11/2026<td>A<td><td>5.00";
  const heading = `<table><tr><td>${plain.replaceAll(",", "<td>")}`;
  expect(amountsOf(await read(`${heading}${row}</table>`))).toEqual([500n]);
  expect(await faultsOf(`${heading}${row}0`)).toEqual(["This file is damaged or cut off. Download it again."]);
});

describe("MT940", () => {
  const file = (...fields: string[]) =>
    [":20:A", ":25:0123456789", ":28C:1/1", ":60F:C261113NGN100,00", ...fields, ":62F:C261114NGN100,00", "-"].join(
      "\r\n",
    );

  test("reverses a credit by RC and a debit by RD", async () => {
    const statement = await read(
      file(":61:2611131113RC50,00NTRFNONREF//B1", ":86:RVSL", ":61:2611141114RD50,NTRFGONA7K3P9Q2M//B2", ":86:REV"),
    );
    expect(statement.lines).toMatchObject([
      { row: 5, amountKobo: -5_000n, isReversal: true, bankReference: "B1", customerReference: null },
      { row: 7, amountKobo: 5_000n, isReversal: true, bankReference: "B2", customerReference: "GONA7K3P9Q2M" },
    ]);
    expect(statement).toMatchObject({ account: "0123456789", openingKobo: 10_000n, closingKobo: 10_000n, gaps: [] });
  });

  test("has the currency's last letter after the mark, and a booking day without its year", async () => {
    const statement = await read(
      file(":61:2612310102CN50,5NTRFNONREF", ":61:2701021231DN50,50NTRFNONREF", ":61:261113C1,NTRFNONREF"),
    );
    expect(statement.lines.map(({ date, valueDate, amountKobo }) => [date, valueDate, amountKobo])).toEqual([
      ["2026-11-13", "2026-11-13", 100n],
      ["2026-12-31", "2027-01-02", -5_050n],
      ["2027-01-02", "2026-12-31", 5_050n],
    ]);
  });

  test("holds no control characters in the payer's reference", async () => {
    const statement = await read(
      file(":61:2611131113C50,00NTRFGONA\u00077K3P//B1", ":61:2611131113C50,00NTRF\u0007//B2"),
    );
    expect(statement.lines.map(({ customerReference }) => customerReference).sort()).toEqual(["GONA 7K3P", null]);
  });

  test("joins the lines of a narration without a space, and several fields of one line with it", async () => {
    const lines = [
      ...[":61:2611131113C50,00NTRFNONREF//B1", "NIP INWARD", ":86:NIP/ACCESS/GONA-7K3", "P-9Q2M", ":86:FROM ADA"],
      ...[":61:2611131113D5,00NTRFNONREF", ":86:FEE", ":62F:C261113NGN145,00", ":86:of the statement", "-"],
    ];
    const [line, fee] = (await read(file().replace(/:62F.*/s, lines.join("\r\n")))).lines;
    expect(line?.narration).toBe("NIP INWARD NIP/ACCESS/GONA-7K3P-9Q2M FROM ADA");
    expect(fee?.narration).toBe("FEE");
  });

  test("has texts that begin like a field or the end of a message", async () => {
    const statement = await read(
      file(":61:2611131113C50,00NTRFNONREF", ":86:PAID AT", ":26:37 ", ":20:15 OR", "-", "- GONA-7K3P-9Q2M"),
    );
    expect(statement.lines.map(({ narration }) => narration)).toEqual(["PAID AT:26:37 :20:15 OR-- GONA-7K3P-9Q2M"]);
  });

  test.each([
    ["166?00NIP INWARD?20NIP/ADA/GONA-HTF4?21-WYYF/FARM?32ADA OKA?33FOR", "NIP INWARD NIP/ADA/GONA-HTF4-WYYF/FARM"],
    ["166>00NIP INWARD>20FARM GONA-6N9>213-2W6C LOT>32ADA OKAFOR", "NIP INWARD FARM GONA-6N93-2W6C LOT"],
    [
      "166~00NIP INWARD~20FARM PAY GONA-NM\r\n~21D3-6S69~30044150149~32ADA OKAFOR",
      "NIP INWARD FARM PAY GONA-NMD3-6S69 044150149",
    ],
  ])("joins what stands in subfields: %s", async (text, narration) => {
    expect((await read(file(":61:2611131113C50,00NTRFNONREF", `:86:${text}`))).lines).toMatchObject([
      { narration, counterparty: "ADA OKAFOR" },
    ]);
  });

  test("of a quiet day has no lines, and tells of its day", async () => {
    expect(await read(file())).toMatchObject({
      lines: [],
      days: { first: "2026-11-14", last: "2026-11-14" },
      openingKobo: 10_000n,
      closingKobo: 10_000n,
    });
  });

  test("of another currency, of several accounts, or cut off is refused", async () => {
    const line = ":61:2611131113C50,00NTRFNONREF";
    expect(await faultsOf(file(line).replaceAll("NGN", "USD"))).toEqual([
      "This statement is in USD. Only statements of accounts in naira are imported.",
    ]);
    expect(await faultsOf(file(line) + file(line).replace("0123456789", "9876543210"))).toEqual([
      "This file holds statements of several accounts. Export them one by one.",
    ]);
    expect(await faultsOf(file(line).split(":62F")[0] ?? "")).toEqual([
      "This file is damaged or cut off. Download it again.",
    ]);
  });

  test("names the rows that can't be read", async () => {
    expect(
      await faultsOf(
        file(":61:2611131113C50.00NTRFNONREF", ":61:2613131113C50,00NTRFNONREF", ":61:2611130231C50,00NTRFNONREF"),
      ),
    ).toEqual([
      "Row 5: :61: can't be “2611131113C50.00NTRFNONREF”.",
      "Row 6: 2613131113 is not a day of the calendar.",
      "Row 7: 2611130231 is not a day of the calendar.",
    ]);
  });

  test("of several pages and days is one statement, the oldest first, with its gaps", async () => {
    const day = (date: string, opening: string, closing: string, mark: string) =>
      [
        `:20:A`,
        `:25:1`,
        `:28C:1/1`,
        `:60${mark}:C${date}NGN${opening}`,
        `:61:${date}C5,00NTRFNONREF`,
        `:62${mark}:C${date}NGN${closing}`,
        "-",
      ].join("\n");
    const statement = await read(
      [day("261114", "107,00", "112,00", "F"), day("261113", "100,00", "105,00", "M")].join("\n"),
    );
    expect(datesOf(statement)).toEqual(["2026-11-13", "2026-11-14"]);
    expect(statement).toMatchObject({ openingKobo: 10_000n, closingKobo: 11_200n });
    expect(statement.gaps).toMatchObject([{ fromDate: "2026-11-13", toDate: "2026-11-14", missingKobo: 200n }]);
  });
});

describe("CAMT.053", () => {
  const truth = { valueDate: null, bankReference: null };
  const statement = {
    openingKobo: 100_00n,
    truths: [
      { ...truth, date: "2026-11-13", amountKobo: 50_00n, narration: "NIP/ADA & SONS" },
      { ...truth, date: "2026-11-14", amountKobo: -50_00n, narration: "RVSL" },
    ],
  };

  test("keeps the direction of a reversal, and skips and counts what is pending", async () => {
    const file = await read(writeCamt(statement, { reversals: new Set([1]), pending: 2 }));
    expect(file.lines).toMatchObject([
      { row: 1, amountKobo: 5_000n, isReversal: false, narration: "NIP/ADA & SONS" },
      { row: 2, amountKobo: -5_000n, isReversal: true },
    ]);
    expect(file).toMatchObject({
      account: "0123456789",
      openingKobo: 10_000n,
      closingKobo: 10_000n,
      leftOut: { pending: 2 },
    });
    expect(file.notes).toEqual(["2 lines not booked yet were left out."]);
  });

  test("tells what the payer gave as a reference, and who it is", async () => {
    const text = writeCamt(statement).replace(
      "<TxDtls>",
      "<TxDtls><Refs><EndToEndId>GONA7K3P9Q2M</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>ADAEZE OKAFOR</Nm></Pty></Dbtr></RltdPties>",
    );
    expect((await read(text)).lines[0]).toMatchObject({
      customerReference: "GONA7K3P9Q2M",
      counterparty: "ADAEZE OKAFOR",
    });
  });

  test("has its narration in AddtlNtryInf where no other is", async () => {
    const text = writeCamt(statement).replace(
      "<NtryDtls><TxDtls><RmtInf><Ustrd>RVSL</Ustrd></RmtInf></TxDtls></NtryDtls>",
      "<AddtlNtryInf>SMS ALERT <![CDATA[CHARGE & VAT]]></AddtlNtryInf>",
    );
    expect((await read(text)).lines[1]?.narration).toBe("SMS ALERT CHARGE & VAT");
  });

  test("names the entries that can't be read", async () => {
    const text = writeCamt(statement)
      .replace("BOOK", "GONE")
      .replace('<Ntry><Amt Ccy="NGN">50.00</Amt><CdtDbtInd>DBIT', '<Ntry><Amt Ccy="NGN">5,000.00</Amt><CdtDbtInd>DBIT');
    expect(await faultsOf(text)).toEqual([
      "Entry 1: the status (Sts) can't be “GONE”.",
      "Entry 2: “5,000.00” is not an amount.",
    ]);
    expect(await faultsOf(writeCamt(statement).replaceAll("2026-11-13", "2026-02-31"))).toEqual([
      "Entry 1: 2026-02-31 is not a day of the calendar.",
      "Entry 1: the booking date (BookgDt) is missing.",
    ]);
    expect(await faultsOf(writeCamt(statement).replace('<Ntry><Amt Ccy="NGN"', '<Ntry><Amt Ccy="USD"'))).toEqual([
      "This statement is in USD. Only statements of accounts in naira are imported.",
    ]);
  });

  test("has our reference wherever a bank may put it", async () => {
    const entry = (details: string, rest = "") =>
      `<Ntry><Amt Ccy="NGN">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt><NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>${rest}</Ntry>`;
    const entries = [
      entry("<RmtInf><Ustrd>TRANSFER</Ustrd><Strd><CdtrRefInf><Ref>GONA-T5CD-8HR2</Ref></CdtrRefInf></Strd></RmtInf>"),
      entry("<RmtInf><Strd><AddtlRmtInf>GONA-RCS6-2RCX</AddtlRmtInf></Strd></RmtInf>"),
      entry("<RmtInf><Ustrd>FARM</Ustrd></RmtInf>", "<AddtlNtryInf>NIP/ADA/GONA-4WSG-AC33</AddtlNtryInf>"),
      entry(
        "<RmtInf><Ustrd>NIP/ADA</Ustrd></RmtInf><AddtlTxInf>ADA</AddtlTxInf>",
        "<AddtlNtryInf>NIP/ADA</AddtlNtryInf>",
      ),
    ];
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
    expect((await read(text)).lines.map(({ narration }) => narration)).toEqual([
      "TRANSFER GONA-T5CD-8HR2",
      "GONA-RCS6-2RCX",
      "FARM NIP/ADA/GONA-4WSG-AC33",
      "NIP/ADA",
    ]);
  });
});
