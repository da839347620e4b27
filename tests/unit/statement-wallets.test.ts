import { expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { encodings, sheetXml, writeZip, xlsxFiles } from "#tests/support/statement-files.ts";

/** Statements as OPay, PalmPay, Kuda and Moniepoint export them: their headings, dates and sums, with money of our own. */

async function read(file: string | Uint8Array) {
  const result = await readStatement(typeof file === "string" ? encodings.utf8(file) : file);
  expect(result).toMatchObject({ kind: "read" });
  if (result.kind !== "read") throw new Error("refused");
  return result;
}

type Line = Awaited<ReturnType<typeof read>>["lines"][number];
const told = ({ date, amountKobo, balanceKobo, narration, bankReference }: Line) => [
  ...[date, Number(amountKobo) / 100, balanceKobo === null ? null : Number(balanceKobo) / 100],
  ...[narration, bankReference],
];

const opayRows = [
  ["Wallet Account Transactions"],
  ["Account Name", "Account Number", "Statement Period"],
  ["GONA FARMS LTD", "8012345678", "01 Nov 2026 - 30 Nov 2026"],
  ["Opening Balance", "₦100,000.00", "Total Debit", "₦5,050.00", "Debit Count", "2"],
  ["Closing Balance", "₦144,950.00", "Total Credit", "₦50,000.00", "Credit Count", "1"],
  [],
  [
    ...["Trans. Date", "Value Date", "Description", "Debit(₦)", "Credit(₦)", "Balance After(₦)", "Channel"],
    "Transaction Reference",
  ],
  [
    ...["07 Nov 2026 01:25:48", "07 Nov 2026", "Transfer from MUSA SANI GONA-6N93-2W6C", "--", "50,000.00"],
    ...["150,000.00", "Mobile", "261107010201496141065410"],
  ],
  [
    ...["2026 Nov 08 06:22:57", "08 Nov 2026", "Transfer to ADA OBI", "5,000.00", "--"],
    ...["145,000.00", "E-Channel", "261108010201496141065411"],
  ],
  ["2026 Nov 08 06:22:58", "08 Nov 2026", "Stamp Duty", "50.00", "--", "144,950.00", "E-Channel", "261108550101496141"],
];

test("OPay: Balance After, dashes in empty cells, the year first, the account's number under its label", async () => {
  const statement = await read(writeZip(xlsxFiles(sheetXml(opayRows))));
  expect(statement.lines.map(told)).toEqual([
    ["2026-11-07", 50_000, 150_000, "Transfer from MUSA SANI GONA-6N93-2W6C", "261107010201496141065410"],
    ["2026-11-08", -5_000, 145_000, "Transfer to ADA OBI", "261108010201496141065411"],
    ["2026-11-08", -50, 144_950, "Stamp Duty", "261108550101496141"],
  ]);
  expect(statement).toMatchObject({
    format: "xlsx",
    account: "8012345678",
    table: { bank: "OPay" },
    gaps: [],
    notes: [],
    openingKobo: 10_000_000n,
    closingKobo: 14_495_000n,
  });
});

test("OPay, as it was before: one column of sums with their signs, and a counterparty beside the narration", async () => {
  const statement = await read(`Account Number,,8012345678
Trans. Time,Value Date,Description,Debit/Credit(₦),Balance(₦),Channel,Transaction Reference,Counterparty
2026 Nov 07 01:25:48,07 Nov 2026,Transfer from GONA-6N93-2W6C,"+50,000.00","150,000.00",E-Channel,2611070102,MUSA SANI
2026 Nov 08 06:22:57,08 Nov 2026,Transfer to,-50.00,"149,950.00",E-Channel,2611080102,ADA OBI
`);
  expect(statement.lines.map(told)).toEqual([
    ["2026-11-07", 50_000, 150_000, "Transfer from GONA-6N93-2W6C MUSA SANI", "2611070102"],
    ["2026-11-08", -50, 149_950, "Transfer to ADA OBI", "2611080102"],
  ]);
  expect(statement).toMatchObject({ account: "8012345678", table: { bank: "OPay" }, gaps: [] });
});

test("PalmPay: Money In and Money Out in naira, each with its sign, the month first, and no balance", async () => {
  const statement = await read(`Account Statement
Total Money In,"₦50,000.00",Statement Period,11/01/2026 - 11/30/2026
Total Money Out,"₦5,000.00",Print Time,11/30/2026 10:55:53 AM
Transaction Date,Transaction Detail,Money In (NGN),Money Out (NGN),Transaction ID
11/09/2026 08:58:34 AM,Received from MUSA SANI GONA-6N93-2W6C,"+50,000.00",,033ari88eb05
11/14/2026 08:58:34 PM,Send to ADA OBI,,"-5,000.00",033ari88eb06
`);
  expect(statement.lines.map(told)).toEqual([
    ["2026-11-09", 50_000, null, "Received from MUSA SANI GONA-6N93-2W6C", "033ari88eb05"],
    ["2026-11-14", -5_000, null, "Send to ADA OBI", "033ari88eb06"],
  ]);
  expect(statement).toMatchObject({ table: { bank: "PalmPay" }, openingKobo: null, gaps: [] });
});

test("Kuda: Money In before Money out, years of two figures, and who paid in a column of its own", async () => {
  const statement = await read(`Account Number,Account Name
2003640955,GONA FARMS LTD
Date/Time,Money In,Money out,Category,To / From,Description,Balance
07/11/26 13:05:08,"₦50,000.00",,inward transfer,Musa Sani,GONA-6N93-2W6C,"₦150,000.00"
13/11/26 21:39:58,,"₦5,000.00",outward transfer,Ada Obi,loan/0242986234/Wema Bank,"₦145,000.00"
`);
  expect(statement.lines.map(told)).toEqual([
    ["2026-11-07", 50_000, 150_000, "GONA-6N93-2W6C Musa Sani", null],
    ["2026-11-13", -5_000, 145_000, "loan/0242986234/Wema Bank Ada Obi", null],
  ]);
  expect(statement).toMatchObject({
    account: "2003640955",
    table: { bank: "Kuda" },
    openingKobo: 10_000_000n,
    closingKobo: 14_500_000n,
    gaps: [],
  });
});

test("Moniepoint: what was settled counts and not what was paid, with the balance after it", async () => {
  const statement = await read(`Account Name,GONA FARMS LTD
Account Number,1020304116
Date,Account Name,Transaction Type,Transaction Status,Terminal ID,RRN,Transaction Ref,Reversal Status,Transaction Amount (NGN),Settlement Debit (NGN),Settlement Credit (NGN),Balance Before (NGN),Balance After (NGN),Charge (NGN),Beneficiary,Beneficiary Institution,Source,Source Institution,Narration
2026-11-23T09:12:44,GONA FARMS LTD,PURCHASE,SUCCESSFUL,2101AB,000012,PUR|1,NOT_REVERSED,50000.00,0.00,49750.00,100000.00,149750.00,250.00,GONA FARMS LTD,Moniepoint,MUSA SANI,Access Bank,GONA-6N93-2W6C
2026-11-23T09:40:00,GONA FARMS LTD,TRANSFER,SUCCESSFUL,,000013,TRF|2,NOT_REVERSED,5000.00,5020.00,0.00,149750.00,144730.00,20.00,ADA OBI,UBA,GONA FARMS LTD,Moniepoint,FEED
2026-11-23T10:00:00,GONA FARMS LTD,TRANSFER,FAILED,,000014,TRF|3,NOT_REVERSED,70000.00,70000.00,0.00,144730.00,144730.00,0.00,EFE OBA,UBA,GONA FARMS LTD,Moniepoint,SEED
`);
  expect(statement.lines.map(told)).toEqual([
    ["2026-11-23", 49_750, 149_750, "GONA-6N93-2W6C", "PUR|1"],
    ["2026-11-23", -5_020, 144_730, "FEED", "TRF|2"],
  ]);
  expect(statement).toMatchObject({
    account: "1020304116",
    table: { bank: "Moniepoint" },
    gaps: [],
    leftOut: { failed: 1 },
  });
});

test("a balance in naira is still a balance, and money paid in is still paid in", async () => {
  const statement = await read(`Date,Narration,Paid Out in NGN,Paid In NGN,Balance in Naira
13/11/2026,A,,5.00,105.00
`);
  expect(statement.lines.map(told)).toEqual([["2026-11-13", 5, 105, "A", null]]);
});
