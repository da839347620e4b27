import { describe, expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import type { StatementFile } from "#server/features/bank/statements/statement.ts";
import { encodings } from "#tests/support/statement-files.ts";

/** Rows that aren't money of this account, or would be taken for something else: none of them vanishes. */

const bytesOf = (...rows: string[]) => encodings.utf8(`${rows.join("\n")}\n`);

async function read(...rows: string[]): Promise<StatementFile> {
  const result = await readStatement(bytesOf(...rows));
  expect(result).toMatchObject({ kind: "read" });
  if (result.kind !== "read") throw new Error("refused");
  return result;
}

async function faultsOf(...rows: string[]): Promise<string[]> {
  const result = await readStatement(bytesOf(...rows));
  expect(result).toMatchObject({ kind: "refused" });
  return result.kind === "refused" ? result.faults.map(({ text }) => text) : [];
}

const amountsOf = ({ lines }: StatementFile) => lines.map(({ amountKobo }) => Number(amountKobo) / 100);

const uba = "TRAN DATE,VALUE DATE,TRAN REF,DEBIT,CREDIT,BALANCE,NARRATION";
const plain = "Date,Narration,Debit,Credit";
const withStatus = "Date,Narration,Debit,Credit,Status";

describe("a row's status", () => {
  const moniepoint = [
    "Account Name,GONA FARMS LTD,,,,,,,,,,,,,,,,,",
    "Account Number,1020304116,,,,,,,,,,,,,,,,,",
    "Date,Account Name,Transaction Type,Transaction Status,Terminal ID,RRN,Transaction Ref,Reversal Status,Transaction Amount (NGN),Settlement Debit (NGN),Settlement Credit (NGN),Balance Before (NGN),Balance After (NGN),Charge (NGN),Beneficiary,Beneficiary Institution,Source,Source Institution,Narration",
    "2026-11-23T09:12:44,GONA FARMS LTD,TRANSFER,SUCCESSFUL,,000012,TRF|1,NOT_REVERSED,50020.00,0.00,50000.00,100000.00,150000.00,20.00,GONA FARMS LTD,Moniepoint,MUSA SANI,Access Bank,FARM GONA-6N93-2W6C",
    "2026-11-23T10:00:00,GONA FARMS LTD,TRANSFER,FAILED,,000013,TRF|2,NOT_REVERSED,70000.00,0.00,70000.00,150000.00,150000.00,0.00,GONA FARMS LTD,Moniepoint,EFE OBA,UBA,GONA-WPG9-Q5NF",
  ];

  test("leaves what failed out, and says so; sums are those that were settled", async () => {
    const statement = await read(...moniepoint);
    expect(statement.lines).toMatchObject([
      {
        date: "2026-11-23",
        amountKobo: 5_000_000n,
        balanceKobo: 15_000_000n,
        narration: "FARM GONA-6N93-2W6C",
        bankReference: "TRF|1",
      },
    ]);
    expect(statement).toMatchObject({
      account: "1020304116",
      table: { bank: "Moniepoint" },
      gaps: [],
      leftOut: { failed: 1 },
      notes: ["1 row is left out because the bank says it failed."],
    });
  });

  test.each([
    ["booked", "Successful", "COMPLETED", "posted", "Paid", "Approved or completed successfully"],
    ["failed", "FAILED", "Declined", "rejected", "Un-successful", "CANCELLED", "Timed out"],
    ["pending", "PENDING", "Processing", "In_Progress", "Not booked"],
  ])("that is %s may be written in many ways", async (kind, ...words) => {
    for (const word of words) {
      const { leftOut, lines } = await read(withStatus, "13/11/2026,A,,5.00,SUCCESS", `14/11/2026,B,,6.00,${word}`);
      expect([word, lines.length]).toEqual([word, kind === "booked" ? 2 : 1]);
      expect(leftOut).toMatchObject(kind === "booked" ? { failed: 0, pending: 0 } : { [kind]: 1 });
    }
  });

  test("that is unknown, or missing where others have one, is refused with its row", async () => {
    const rows = ["13/11/2026,A,,5.00,SUCCESS", "14/11/2026,B,,6.00,QUERIED", "15/11/2026,C,,7.00,"];
    expect(await faultsOf(withStatus, ...rows)).toEqual([
      "Row 3: “QUERIED” in the column “Status” is no status that we know. Ask your bank what it means, or for a file of booked rows only.",
      "Row 4: the column “Status” says nothing, though it does in other rows.",
    ]);
    expect(amountsOf(await read(withStatus, "13/11/2026,A,,5.00,", "14/11/2026,B,5.00,,"))).toEqual([5, -5]);
  });

  test("is found by its words too, where the column is called otherwise or not at all", async () => {
    for (const title of ["Outcome", ""]) {
      const file = [`${plain},${title}`, "13/11/2026,A,,5.00,Successful", "14/11/2026,B,,6.00,Failed"];
      expect(amountsOf(await read(...file))).toEqual([5]);
    }
    // A column of other words isn't one.
    expect(amountsOf(await read(`${plain},State`, "13/11/2026,A,,5.00,Lagos", "14/11/2026,B,,6.00,Kano"))).toEqual([
      5, 6,
    ]);
  });

  test("of what was reversed: the balance tells whether it was booked, and its going back is a row of its own", async () => {
    const heading = "Date,Narration,Debit,Credit,Balance,Status";
    const booked = await read(
      heading,
      "13/11/2026,A,,5.00,105.00,SUCCESSFUL",
      "14/11/2026,B,,6.00,111.00,REVERSED",
      "14/11/2026,RVSL B,6.00,,105.00,SUCCESSFUL",
    );
    expect(amountsOf(booked)).toEqual([5, 6, -6]);
    expect(booked.lines.map(({ isTakenBack = false }) => isTakenBack)).toEqual([false, true, false]);
    const never = await read(
      heading,
      "13/11/2026,A,,5.00,105.00,SUCCESSFUL",
      "14/11/2026,B,,6.00,105.00,REVERSED",
      "14/11/2026,C,6.00,,99.00,SUCCESSFUL",
    );
    expect(amountsOf(never)).toEqual([5, -6]);
    expect(never.notes).toEqual(["1 row is left out because the bank says it was reversed, and no balance counts it."]);
    expect(never.gaps).toEqual([]);
  });

  test("of what was reversed without balances: with the row of its going back it is a line, alone it is none", async () => {
    const rows = ["13/11/2026,A,,5.00,REVERSED", "14/11/2026,B,,6.00,REVERSED", "15/11/2026,RVSL,6.00,,SUCCESSFUL"];
    const statement = await read(withStatus, ...rows);
    expect(amountsOf(statement)).toEqual([6, -6]);
    expect(statement.leftOut.reversed).toBe(1);
  });

  test("of the reversal: one that succeeded took the money back", async () => {
    const heading = "Date,Narration,Debit,Credit,Reversal Status";
    const rows = ["13/11/2026,A,,5.00,NOT_REVERSED", "14/11/2026,B,,6.00,", "15/11/2026,C,,7.00,Reversed"];
    expect(amountsOf(await read(heading, ...rows))).toEqual([5, 6]);
  });
});

describe("another currency is refused in words", () => {
  const dollars = "This statement is in USD. Only statements of accounts in naira are imported.";
  const row = "13/11/2026,A,,5.00";

  test.each([
    ["a heading's code", "Date,Narration,Debit (USD),Credit (USD),Balance (USD)", "13/11/2026,A,,5.00,10.00"],
    ["a heading's sign", "Date,Narration,Debit ($),Credit ($)", row],
    ["a heading's words", "Date,Narration,Debit in US Dollars,Credit in US Dollars", row],
    ["the balance's heading alone", "Date,Narration,Debit,Credit,Balance USD", "13/11/2026,A,,5.00,10.00"],
    ["a column", `${plain},Currency`, `${row},USD`],
    ["a sign before an amount", plain, "13/11/2026,A,,$5.00"],
    ["US and a sign", plain, '13/11/2026,A,,"US$ 5,000.00"'],
    ["a code behind an amount", plain, '13/11/2026,A,,"5,000.00 USD"'],
    ["a sign in the balance", "Date,Narration,Debit,Credit,Balance", "13/11/2026,A,,5.00,$10.00"],
    ["the preamble's label", "Currency,USD", plain, row],
    ["the preamble in one cell", "Account Currency: US Dollar", plain, row],
    ["the preamble's balance", "Opening Balance,$100.00", plain, row],
    ["the preamble's title", "USD STATEMENT OF ACCOUNT", plain, row],
    ["the kind of account", "Account Type: DOMICILIARY (USD)", plain, row],
    ["a sentence", "All amounts in USD", plain, row],
  ])("told by %s", async (_, ...rows) => {
    expect(await faultsOf(...rows)).toEqual([dollars]);
  });

  test("by its own name", async () => {
    const told = async (...rows: string[]) => (await faultsOf(...rows))[0]?.slice(0, 25);
    expect(await told(plain, "13/11/2026,A,,£5.00")).toBe("This statement is in GBP.");
    expect(await told("Date;Narration;Debit;Credit", "13/11/2026;A;;€5.00")).toBe("This statement is in EUR.");
    expect(await told("Currency: GHS", plain, row)).toBe("This statement is in GHS.");
  });

  test("with the row of a single line in another", async () => {
    expect(await faultsOf(`${plain},Ccy`, `${row},NGN`, "14/11/2026,B,,6.00,USD")).toEqual([
      "Row 3: the currency is USD. Only naira accounts are imported.",
    ]);
  });

  test("but naira in any writing, and texts of people and of dollars, are read", async () => {
    for (const rows of [
      ["Currency: NGN", "Date,Narration,Debit (₦),Credit (NGN),Currency", "13/11/2026,A,,₦5.00,NGN"],
      ["Currency,Nigerian Naira", "Account Name: DOLLAR FARMS USD LTD", plain, "13/11/2026,NIP/USD 5/$5,,N5.00"],
      [plain, row, "Your naira card pays up to $4,000 a quarter. Its balance may be in USD. Call us."],
    ]) {
      expect(amountsOf(await read(...rows))).toEqual([5]);
    }
  });

  test("in MT940 and CAMT.053", async () => {
    const mt940 = [":20:S", ":25:1", ":28C:1/1", ":60F:C261120USD1000,00", ":62F:C261120USD1000,00", "-"];
    expect(await faultsOf(...mt940)).toEqual([dollars]);
    const amount = '<Amt Ccy="USD">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>';
    const camt = (inside: string) =>
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${inside}</Stmt></BkToCstmrStmt></Document>`;
    expect(await faultsOf(camt(`<Ntry>${amount}<Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt></Ntry>`))).toEqual(
      [dollars],
    );
    expect(await faultsOf(camt("<Acct><Ccy>USD</Ccy></Acct>"))).toEqual([dollars]);
  });
});

describe("below the headings no row vanishes:", () => {
  test.each([
    ["an unreadable date and amount", '13//11/2026,B,,"5O,000.00"', "“13//11/2026” is not a date."],
    ["an amount in letters and figures", ',B,,"5O,000.00"', "there is an amount, but no date."],
    ["a date that is none, without an amount", "2026-13-45-1,B,,", "“2026-13-45-1” is not a date."],
    ["a date cut short", "13/11/,B,,", "“13/11/” is not a date."],
    ["a total with a day that is none", "13/11/26/1,TOTAL,,5.00", "“13/11/26/1” is not a date."],
    [
      "a second table",
      "Trans. Date,Remarks,Debits,Credits",
      "another table begins here. Export one account at a time.",
    ],
  ])("%s is refused with its row", async (_, row, fault) => {
    expect(await faultsOf(plain, "13/11/2026,A,,5.00", row)).toEqual([`Row 3: ${fault}`]);
  });

  test("a balance without a date is refused as well", async () => {
    expect(await faultsOf(uba, "13/11/2026,,,5.00,,95.00,A", ",,,,,90.00,B")).toEqual([
      "Row 3: there is an amount, but no date.",
    ]);
  });

  test("what is none is counted", async () => {
    const statement = await read(
      uba,
      "13/11/2026,,,,,100.00,Balance B/F",
      "13/11/2026,,,5.00,,95.00,TRF TO",
      ",,,,,,OKAFOR",
      "",
      "Page 2 of 2",
      uba,
      "14/11/2026,,,0.00,,95.00,B",
      "14/11/2026,,,5.00,,90.00,C",
      "Total,,,10.00,,90.00,",
      "Printed on 15/11/2026 by ADMIN,,,,,,",
    );
    expect(statement.leftOut).toEqual({ failed: 0, pending: 0, reversed: 0, zero: 1, other: 7 });
    expect(amountsOf(statement)).toEqual([-5, -5]);
  });
});

describe("what keeps a spreadsheet from changing a cell", () => {
  test("is no part of it", async () => {
    for (const [date, sum] of [
      ["'23/11/2026", `"'50,000.00"`],
      [`="23/11/2026"`, `"=""50,000.00"""`],
    ]) {
      const [line, ...others] = (
        await read(uba, `${date},${date},="0000123",,${sum},"'150,000.00",'NIP/ACCESS/MUSA SANI/GONA-6N93-2W6C`)
      ).lines;
      expect(others).toEqual([]);
      expect(line).toMatchObject({
        date: "2026-11-23",
        valueDate: "2026-11-23",
        amountKobo: 5_000_000n,
        balanceKobo: 15_000_000n,
        bankReference: "0000123",
        narration: "NIP/ACCESS/MUSA SANI/GONA-6N93-2W6C",
      });
    }
  });

  test("in one row's date alone is somebody's change of the file", async () => {
    const rows = ["22/11/2026,NIP/A,,1000.00", `'23/11/2026,NIP/B,,"'50,000.00"`, "24/11/2026,NIP/C,,2000.00"];
    expect(await faultsOf(plain, ...rows)).toEqual([
      "Row 3: “'23/11/2026” is written unlike the other dates. Download the file again, and don't change it.",
    ]);
  });
});

describe("a sum with a minus in its own column", () => {
  const rowsOf = (...sums: [debit: string, credit: string, balance: string][]) =>
    sums.map(([debit, credit, balance], index) => `${13 + index}/11/2026,,,${debit},${credit},${balance},A`);

  test("goes the other way where the balance proves it", async () => {
    const statement = await read(
      uba,
      ...rowsOf(["10.00", "", "90.00"], ["-10.00", "", "100.00"], ["", "-5.00", "95.00"]),
    );
    expect(amountsOf(statement)).toEqual([-10, 10, -5]);
    expect(statement.lines.map(({ isReversal }) => isReversal)).toEqual([false, true, true]);
    expect(statement.gaps).toEqual([]);
    const newestFirst = rowsOf(["-10.00", "", "100.00"], ["10.00", "", "90.00"]).map((row, index) =>
      row.replace(/^\d+/, String(20 - index)),
    );
    expect(amountsOf(await read(uba, ...newestFirst))).toEqual([-10, 10]);
  });

  test("is a debit where all debits are written so", async () => {
    const statement = await read(uba, ...rowsOf(["-10.00", "", "90.00"], ["(10.00)", "", "80.00"]));
    expect(amountsOf(statement)).toEqual([-10, -10]);
    expect(statement.lines.some(({ isReversal }) => isReversal)).toBe(false);
  });

  test("is refused where nothing proves it", async () => {
    expect(await faultsOf(plain, "13/11/2026,A,5.00,", "14/11/2026,B,-5.00,", "15/11/2026,C,,-5.00")).toEqual([
      "Row 3: the debit is negative, and no balance proves whether the money went out or came back.",
      "Row 4: the credit is negative, and no balance proves that the money went out.",
    ]);
  });
});

test.each([
  "11/23/2026, 9:12:44\u202fAM",
  "23/11/2026\u00a009:12:44",
  "2026-11-23T09:12:44.123456Z",
  "2026-11-23 09:12:44.123 +01:00",
  "23/11/2026 09:12 WAT",
  "23/11/2026 9:12 a.m.",
  "Mon, 23 Nov 2026 09:12:44 GMT",
  "Monday 23/11/2026",
  "23/11/2026 (Mon)",
  "23rd November 2026",
  "23rd of November, 2026",
  "November 23rd, 2026",
  "Mon Nov 23 2026 09:12:44 GMT+0100 (West Africa Standard Time)",
])("a day written as %s is read", async (text) => {
  expect((await read(plain, `"${text}",A,,5.00`)).lines.map(({ date }) => date)).toEqual(["2026-11-23"]);
});
