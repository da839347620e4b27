import { expect, test } from "vitest";
import { readStatement } from "#server/features/bank/statements/read.ts";
import { encodings } from "#tests/support/statement-files.ts";

/**
 * Statements that other parsers are tested with, re-typed: their days, marks, amounts, references and balances, in naira
 * and with narrations of our own. They know nothing of this reader, and their banks did the sums.
 */

async function read(text: string) {
  const result = await readStatement(encodings.utf8(text));
  expect(result).toMatchObject({ kind: "read" });
  if (result.kind !== "read") throw new Error("refused");
  return result;
}

/** github.com/wolph/mt940, mt940_tests/betterplace/sepa_mt9401.sta, the first statement. */
const overdrawn = `:20:T089413946000001
:25:50880050/0194774600888
:28C:00004/00001
:60F:D070903NGN1234718,36
:61:0709040904CR300,NTRFTFNr 40005 MSGID//0724710345313905
:86:RETURNED, NO REASON GI
VEN
:61:0709040904CR335,33NTRFTFNr 44003 MSGID//0724710351061491
:86:RETURNED
:61:0709040904CR15000,NTRFTFNr 40005 MSGID//0724710345313900
:86:RETURNED
:61:0709040904CR66295,08NMSCNONREF
:86:COLLECTION 200904059001
:61:0709040904CR915311,55NTRFTFNr 44003 MSGID//R724710351061495
:86:ACCOUNT CLOSED
:61:0709040904RCR204,88NRTINONREF
:86:COLLECTION TAKEN BACK
:61:0709040904DR999946,95NMSCNONREF
:86:COLLECTION
:62F:D070904NGN1237628,23
:64:D070904NGN1237628,23
-
`;

test("MT940: an overdrawn account with a reversed credit, whose balances follow from its lines", async () => {
  const statement = await read(overdrawn);
  expect(statement).toMatchObject({
    account: "508800500194774600888",
    openingKobo: -123_471_836n,
    closingKobo: -123_762_823n,
    gaps: [],
  });
  expect(statement.lines.map(({ amountKobo }) => amountKobo)).toEqual([
    30_000n,
    33_533n,
    1_500_000n,
    6_629_508n,
    91_531_155n,
    -20_488n,
    -99_994_695n,
  ]);
  expect(statement.lines[0]).toEqual({
    row: 5,
    date: "2007-09-04",
    valueDate: "2007-09-04",
    amountKobo: 30_000n,
    balanceKobo: null,
    narration: "RETURNED, NO REASON GIVEN",
    bankReference: "0724710345313905",
    customerReference: "TFNr 40005 MSGID",
    counterparty: null,
    sessionId: null,
    isReversal: false,
  });
  expect(statement.lines[5]).toMatchObject({ isReversal: true, bankReference: null, customerReference: null });
});

/** The same, mt940_tests/jejik/abnamro.sta: days on two pages, from which lines were cut out for the sample. */
const cutOut = `ABNANL2A
940
ABNANL2A
:20:ABN AMRO BANK NV
:25:517852257
:28:19321/1
:60F:C110522NGN3236,28
:61:1105240524D9,N192NONREF
:86:GIRO   428428    PAYMENT NO.  000000042188659
5314606715                       INVOICE OF 20-05-2011
INCL. 1,44 VAT
:61:1105210523D11,59N426NONREF
:86:CARD
:61:1105230523D11,63N426NONREF
:86:CARD
:61:1105220523D11,8N426NONREF
:86:CARD
:61:1105210523D13,45N426NONREF
:86:CARD
:61:1105210523D15,49N426NONREF
:86:CARD

:61:1105210523D107,N426NONREF
:86:CARD
:61:1105220523D141,48N426NONREF
:86:CARD
:62F:C110523NGN876,84
-
ABNANL2A
940
ABNANL2A
:20:ABN AMRO BANK NV
:25:517852257
:28C:19322/1
:60M:C110523NGN2876,84
:61:1105240524D9,49N426NONREF
:86:CARD
:61:1105240524D15,N426NONREF
:86:52.89.39.882                    SHOP
:62M:C110524NGN1849,75
-
`;

test("MT940: a sample from which lines were cut out, each gap of it", async () => {
  const statement = await read(cutOut);
  // The first line is a day ahead of the others: the newest comes first.
  expect(statement.lines.map(({ date, valueDate, amountKobo }) => [date, valueDate, amountKobo])).toEqual([
    ["2011-05-23", "2011-05-22", -14_148n],
    ["2011-05-23", "2011-05-21", -10_700n],
    ["2011-05-23", "2011-05-21", -1_549n],
    ["2011-05-23", "2011-05-21", -1_345n],
    ["2011-05-23", "2011-05-22", -1_180n],
    ["2011-05-23", "2011-05-23", -1_163n],
    ["2011-05-23", "2011-05-21", -1_159n],
    ["2011-05-24", "2011-05-24", -900n],
    ["2011-05-24", "2011-05-24", -949n],
    ["2011-05-24", "2011-05-24", -1_500n],
  ]);
  expect(statement.lines[7]?.narration).toBe(
    "GIRO 428428 PAYMENT NO. 0000000421886595314606715 INVOICE OF 20-05-2011INCL. 1,44 VAT",
  );
  // 3,236.28 less 321.44 is 2,914.84 and not 876.84; then 2,876.84; then, less 24.49, 2,852.35 and not 1,849.75.
  expect(statement.gaps.map(({ missingKobo }) => missingKobo)).toEqual([-203_800n, 200_000n, -100_260n]);
  expect(statement).toMatchObject({ openingKobo: 323_628n, closingKobo: 184_975n });
});

/** github.com/OCA/bank-statement-import, account_statement_import_camt/test_files/test-camt053. */
const entry = (sum: string, direction: string, rest: string, details: string) =>
  `<Ntry><Amt Ccy="NGN">${sum}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${rest}<Sts>BOOK</Sts><BookgDt><Dt>2014-01-05</Dt></BookgDt><ValDt><Dt>2014-01-05</Dt></ValDt><NtryDtls>${details}</NtryDtls></Ntry>`;
const transaction = (reference: string, sum: string, rest: string) =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="NGN">${sum}</Amt></TxAmt></AmtDtls>${rest}</TxDtls>`;
const balance = (kind: string, sum: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${sum}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2014-01-05</Dt></Dt></Bal>`;
const camt = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1420561226673</MsgId></GrpHdr><Stmt><Id>1234Test/1</Id>
<Acct><Id><IBAN>NL77ABNA0574908765</IBAN></Id></Acct>${balance("OPBD", "15568.27")}${balance("CLBD", "15121.12")}
${entry(
  "754.25",
  "DBIT",
  "",
  transaction(
    "435005714488-ABNO33052620",
    "754.25",
    "<RltdPties><Cdtr><Nm>INSURER</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Policy 857239</Ustrd></RmtInf><AddtlTxInf>Insurance</AddtlTxInf>",
  ),
)}
${entry(
  "664.05",
  "DBIT",
  "<RvslInd>true</RvslInd>",
  `<Btch><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="NGN">664.05</TtlAmt><CdtDbtInd>DBIT</CdtDbtInd></Btch>${transaction(
    "TESTBANK/NL/20141229/01206408",
    "564.05",
    "<RmtInf><Ustrd>Direct debit S14</Ustrd></RmtInf>",
  )}${transaction("TESTBANK/NL/20141229/01206407", "100.00", "<RmtInf><Ustrd>Direct debit S15</Ustrd></RmtInf>")}`,
)}
${entry(
  "1405.31",
  "CRDT",
  "",
  transaction(
    "115",
    "1405.31",
    "<RltdPties><Dbtr><Nm>3rd party Media</Nm></Dbtr></RltdPties><AddtlTxInf>CUSNO 90782</AddtlTxInf>",
  ),
)}
</Stmt></BkToCstmrStmt></Document>`;

test("CAMT.053: a reversal of two transactions in one entry, and balances that its author didn't sum", async () => {
  const statement = await read(camt);
  expect(statement.lines).toMatchObject([
    { amountKobo: -75_425n, narration: "Policy 857239 Insurance", counterparty: "INSURER", isReversal: false },
    { amountKobo: -66_405n, narration: "Direct debit S14 Direct debit S15", isReversal: true },
    { amountKobo: 140_531n, narration: "CUSNO 90782", counterparty: "3rd party Media", customerReference: "115" },
  ]);
  expect(statement).toMatchObject({ account: "NL77ABNA0574908765", openingKobo: 1_556_827n, closingKobo: 1_512_112n });
  // 15,568.27 − 754.25 − 664.05 + 1,405.31 is 15,555.28.
  expect(statement.gaps).toMatchObject([{ afterRow: 3, missingKobo: -43_416n }]);
});
