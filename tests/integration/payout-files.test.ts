import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { desc, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { Parser } from "htmlparser2";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { payoutFiles } from "#server/db/schema/payouts.ts";
import { settings } from "#server/db/schema/settings.ts";
import { textOf } from "#server/features/bank/statements/cells.ts";
import { readSpreadsheet } from "#server/features/bank/statements/spreadsheet.ts";
import { hashLines, type PayoutLine, writeFiles } from "#server/features/payouts/runs/files.ts";
import { fixedPayoutColumns, parsePayoutColumns } from "#shared/payouts/columns.ts";
import { payoutFilePath } from "#shared/payouts/runs-texts.ts";
import { payoutColumnsKey, settingTexts } from "#shared/settings/texts.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import { giveAccount, oweRefund } from "#tests/support/payouts.ts";
import { type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";

/** The files that banks get, as programs other than their writer read them. */

const line: PayoutLine = {
  reference: "GP-7K3P-9Q2M",
  amountKobo: 125_000_050n,
  part: 1,
  parts: 1,
  bankCode: "044",
  bankName: "Access Bank",
  accountNumber: "0000000012",
  accountName: "Adaeze Ọlá Okafor",
};
const hostile = ['=HYPERLINK("http://x","y")', "+234", "-1+1", "@SUM(A1)", "\t=1", "\r=1", 'say "hi", twice', "a,b;c"];
const lines: PayoutLine[] = [
  line,
  { ...line, reference: "GP-AAAA-BBBB", part: 2, parts: 3, amountKobo: 500_000_000n, bankCode: "090267" },
  ...hostile.map((accountName, index) => ({
    ...line,
    accountName,
    reference: `GP-CCCC-222${index + 2}`,
    amountKobo: 5n,
  })),
];
const { generic, compact } = fixedPayoutColumns;

const expectedOf = ({ accountName, accountNumber, bankCode, amountKobo, reference, part, parts }: PayoutLine) => [
  /^[=+\-@\t\r]/.test(accountName) ? ` ${accountName}` : accountName,
  accountNumber,
  bankCode,
  `${amountKobo / 100n}.${String(amountKobo % 100n).padStart(2, "0")}`,
  parts === 1 ? reference : `${reference} ${part}/${parts}`,
  reference,
];
const titles = ["Beneficiary Name", "Account Number", "Bank Code", "Amount", "Narration", "Reference"];

const filesOf = async (some: PayoutLine[], columns = generic) => {
  const [csv, xlsx] = await writeFiles(some, columns);
  if (!csv || !xlsx) throw new Error("a file is missing");
  return { csv, xlsx };
};

/** The files of a zip archive, by its central directory, as the format's description has it. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from("504b0506", "hex"));
  const entries = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    entries.set(name, (method === 8 ? inflateRawSync(packed) : packed).toString("utf8"));
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

/** The type and the text of each cell, and whether any is a formula, from the sheet's own XML. */
function cellsOf(bytes: Buffer) {
  const entries = unzip(bytes);
  const sheet = entries.get("xl/worksheets/sheet1.xml") ?? "";
  const shared = textsIn(entries.get("xl/sharedStrings.xml") ?? "", "si").map(({ text }) => text);
  const cells = textsIn(sheet, "c").map(({ type, text }) => ({
    type,
    text: type === "s" ? shared[Number(text)] : text,
  }));
  return { cells, hasFormula: /<f[\s>]/.test(sheet) };
}

function textsIn(xml: string, name: string): { type: string | undefined; text: string }[] {
  const found: { type: string | undefined; text: string }[] = [];
  let isInside = false;
  const parser = new Parser(
    {
      onopentag(tag, { t }) {
        if (tag !== name) return;
        isInside = true;
        found.push({ type: t, text: "" });
      },
      ontext(text) {
        const last = found.at(-1);
        if (isInside && last) last.text += text;
      },
      onclosetag(tag) {
        if (tag === name) isInside = false;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

describe("the CSV", () => {
  test("is read by another library with its zeros, and formulas in names are texts", async () => {
    const { csv } = await filesOf(lines);
    const read = parse(csv.bytes, { relaxColumnCount: false }) as string[][];
    expect(read).toEqual([titles, ...lines.map(expectedOf)]);
    for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(csv.bytes.toString()).toMatch(/^"Beneficiary Name",/);
    expect(csv.sha256).toBe(createHash("sha256").update(csv.bytes).digest("hex"));
  });

  test("has the columns that were chosen", async () => {
    expect((await filesOf([line], compact)).csv.bytes.toString()).toBe(
      '"amount","bankCode","accountNumber","narration"\r\n"1250000.50","044","0000000012","GP-7K3P-9Q2M"\r\n',
    );
    const own = parsePayoutColumns("Acct=account, =Bank=bank, NIP=nipcode,Amt=amount,Ref=narration") ?? [];
    expect((await filesOf([line], own)).csv.bytes.toString()).toBe(
      '"Acct"," =Bank","NIP","Amt","Ref"\r\n"0000000012","Access Bank","000014","1250000.50","GP-7K3P-9Q2M"\r\n',
    );
    const quoted = parsePayoutColumns('The "NUBAN"=account,Name=name,Amt=amount,Bank=bank,Ref=reference') ?? [];
    expect((await filesOf([{ ...line, accountName: 'Ada "Biz" Ltd' }], quoted)).csv.bytes.toString()).toBe(
      '"The ""NUBAN""","Name","Amt","Bank","Ref"\r\n"0000000012","Ada ""Biz"" Ltd","1250000.50","Access Bank","GP-7K3P-9Q2M"\r\n',
    );
  });
});

describe("the Excel file", () => {
  test("is read by the reader of statements as it was written", async () => {
    const { xlsx } = await filesOf(lines);
    const { table } = await readSpreadsheet(xlsx.bytes, () => true);
    const trimmed = (row: readonly string[]) => row.map((cell) => cell.trim());
    expect(table.rows.map((row) => trimmed(row.map(textOf)))).toEqual([titles, ...lines.map(expectedOf).map(trimmed)]);
  });

  test("has texts only in its own XML: no number loses its zeros, and nothing is a formula", async () => {
    const { xlsx } = await filesOf(lines);
    const { cells, hasFormula } = cellsOf(xlsx.bytes);
    expect(hasFormula).toBe(false);
    expect(new Set(cells.map(({ type }) => type))).toEqual(new Set(["s"]));
    const expected = [titles, ...lines.map(expectedOf)].flat();
    // A carriage return is a line break in XML, whoever reads it.
    const plain = (text: string | undefined) => text?.replaceAll("\r", "\n");
    expect(cells.map(({ text }) => plain(text))).toEqual(expected.map(plain));
  });
});

test("the hash of lines is of all that tells them apart", () => {
  const hash = hashLines([line]);
  expect(hash).toMatch(/^[\da-f]{64}$/);
  for (const change of [
    { reference: "GP-7K3P-9Q2N" },
    { amountKobo: 125_000_051n },
    { bankCode: "058" },
    { accountNumber: "0000000013" },
    { accountName: "Adaeze Okafor" },
  ]) {
    expect(hashLines([{ ...line, ...change }])).not.toBe(hash);
  }
});

describe("own columns", () => {
  test("name a title and a field each, and say to whom, how much and with which reference", () => {
    for (const wrong of [
      ...[
        "",
        "none",
        "account",
        "Acct=account",
        "Acct=account,Amt=amount,Bank=bankcode",
        "A=account,B=amount,C=bank,D=email",
      ],
      ...["A=account,A=amount,C=bank,D=reference", `${"A".repeat(51)}=account,B=amount,C=bank,D=reference`],
      `${Array.from({ length: 20 }, (_, index) => `T${index}=account`).join(",")},B=amount,C=bank,D=reference`,
    ]) {
      expect(parsePayoutColumns(wrong)).toBe(null);
    }
    expect(parsePayoutColumns("a=b=account,B=amount,C=bank,D=reference")?.[0]).toEqual({
      title: "a=b",
      field: "account",
    });
  });
});

describe("a download", async () => {
  const deps = await openTestDeps();
  const { db } = deps;
  let app: FastifyInstance;
  let maker: TestUser;
  let asMaker: Caller;
  let asOther: Caller;
  let runId: number;
  let account: string;

  beforeAll(async () => {
    app = await buildApp(deps);
    maker = await createAdmin(db, "owner");
    asMaker = await callAs(deps, maker);
    asOther = await callAs(deps, "owner");
    const ownAccountId = await keepOwnAccount(db);
    // ₦12,000,000 is more than one transfer may have.
    const project = await createProject(db, { fundingGoalKobo: 1_200_000_000n });
    const owed = await oweRefund(deps, { owner: maker, project });
    const given = await giveAccount(
      deps,
      { userId: owed.backer.id },
      { addedBy: owed.backer.id, accountName: '=HYPERLINK("http://x")' },
    );
    account = given.accountNumber;
    ({ runId } = await asMaker.payouts.makeRun({ payoutIds: owed.payouts.map(({ id }) => id), ownAccountId }));
    await asOther.payouts.approveRun({ runId });
  });
  afterEach(() => expectMoneyHolds(deps));
  afterAll(() => app.close());

  async function download(person: TestUser | null, format: "csv" | "xlsx", id: number | string = runId) {
    const kind = person?.isAdmin ? "admin" : "backer";
    const from = { device: "Test browser", ipAddress: "203.0.113.9" };
    const token = person && (await startSession(deps, { userId: person.id, kind, ...from }));
    const url = payoutFilePath(":runId", format).replace(":runId", String(id));
    return app.inject({ url, cookies: token ? { session: token } : {} });
  }

  test("is not there before the export, nor of a run that isn't", async () => {
    for (const id of [runId, 999_999, "x", "1e3", "99999999999999999"]) {
      expect((await download(maker, "csv", id)).statusCode).toBe(404);
    }
  });

  test("gives the stored bytes, the same ever after, and is audited with their hash", async () => {
    await asMaker.payouts.exportRun({ runId, profile: "compact" });
    const stored = await db.select().from(payoutFiles).where(eq(payoutFiles.runId, runId));
    for (const { format, bytes, sha256 } of stored) {
      const first = await download(maker, format);
      expect(first.statusCode).toBe(200);
      expect(first.rawPayload.equals(bytes)).toBe(true);
      expect(createHash("sha256").update(first.rawPayload).digest("hex")).toBe(sha256);
      expect(first.headers).toMatchObject({
        "cache-control": "no-store",
        "content-disposition": `attachment; filename="payout-run-${runId}.${format}"`,
      });
      const [entry] = await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
      expect(entry).toMatchObject({
        actionType: "download_payout_file",
        userId: maker.id,
        details: { runId, format, sha256 },
      });
      deps.clock.advance({ minutes: 5 });
      await asOther.payouts.exportRun({ runId, profile: "generic" });
      expect((await download(maker, format)).rawPayload.equals(bytes)).toBe(true);
      const shown = await asMaker.payouts.run({ runId });
      expect(shown.files.find((file) => file.format === format)?.sha256).toBe(sha256);
    }
  });

  test("has a sum beyond one transfer in parts, each with its own reference", async () => {
    const read = parse((await download(maker, "csv")).rawPayload) as string[][];
    const { lines: shown } = await asMaker.payouts.run({ runId });
    expect(read.slice(1)).toEqual(
      ["5000000.00", "5000000.00", "2000000.00"].map((amount, index) => [
        ...[amount, "044", account],
        `${shown[index]?.reference} ${index + 1}/3`,
      ]),
    );
    expect(new Set(shown.map(({ reference }) => reference)).size).toBe(3);
  });

  test("is an owner's alone, and a refused one isn't audited", async () => {
    const before = await db.$count(auditLogs);
    const people = [await createAdmin(db, "viewer"), await createAdmin(db, "manager"), await createUser(db), null];
    for (const person of people) {
      expect((await download(person, "csv")).statusCode).toBe(person === null ? 401 : 403);
    }
    expect(await db.$count(auditLogs)).toBe(before);
  });

  test("has own columns once the setting says them", async () => {
    const value = "Acct=account,Bank=bankcode,Amt=amount,Ref=reference";
    await expect(asMaker.settings.add({ key: payoutColumnsKey, value: "Acct=account" })).rejects.toThrow(
      settingTexts.payoutColumnsInvalid,
    );
    await asMaker.settings.add({ key: payoutColumnsKey, value });
    expect(await asMaker.payouts.run({ runId })).toMatchObject({
      ownColumns: [{ title: "Acct" }, { title: "Bank" }, { title: "Amt" }, { title: "Ref" }],
    });
    const owed = await oweRefund(deps, { owner: maker });
    const { accountNumber } = await giveAccount(deps, { userId: owed.backer.id }, { addedBy: owed.backer.id });
    const [ownAccount] = await asMaker.bank.accounts();
    const made = await asMaker.payouts.makeRun({
      payoutIds: owed.payouts.map(({ id }) => id),
      ownAccountId: ownAccount?.id ?? 0,
    });
    await asOther.payouts.approveRun({ runId: made.runId });
    await asMaker.payouts.exportRun({ runId: made.runId, profile: "own" });
    const read = parse((await download(maker, "csv", made.runId)).rawPayload) as string[][];
    expect(read).toEqual([
      ["Acct", "Bank", "Amt", "Ref"],
      [accountNumber, "044", "500000.00", owed.payouts[0]?.reference],
    ]);
    await db.update(settings).set({ value: "none" }).where(eq(settings.key, payoutColumnsKey));
    expect(await asMaker.payouts.run({ runId })).toMatchObject({ ownColumns: null });
    await expect(asMaker.settings.save({ values: { [payoutColumnsKey]: "Acct=account" } })).rejects.toThrow();
  });
});
