import { and, asc, eq, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { sumOfEntries } from "#server/books/sums.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { holds } from "#server/db/schema/holds.ts";
import { ledgerEntries } from "#server/db/schema/ledger.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decimalText } from "#server/platform/text.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { Kobo } from "#shared/money.ts";

/** A statement for trying the product: it fits the payments that wait. In local use only. */

type OwnAccount = typeof ownAccounts.$inferSelect;
type SampleLine = { day: string; kobo: Kobo; narration: string };
type Expected = { reference: string; fullName: string; amountKobo: Kobo; day: string };

/**
 * A CSV as Access Bank writes one, which goes on where the account's ledger stands: transfers for payments that wait (most of
 * them right, one short, one too large, one without our reference), one for held lots without a receipt, and charges. Throws
 * "not_found".
 */
export async function writeSampleStatement(
  { db, clock }: Pick<ActorContext, "clock" | "db">,
  { accountId }: { accountId: number },
): Promise<string> {
  const account = await findAccount({ db, clock }, accountId);
  const today = dayInLagos(clock.now());
  const [last] = await db
    .select({ day: sql<string | null>`max(${statementLines.date})::text` })
    .from(statementLines)
    .where(eq(statementLines.ownAccountId, accountId));
  const earliest = last?.day ?? "";
  const payments = (await listWaiting(db)).map(sampleLineOf);
  const held = (await listHeldWithoutReceipt(db)).slice(0, 1).map(transferOf);
  const charges = [
    { day: today, kobo: -50_00n, narration: "STAMP DUTY" },
    { day: today, kobo: -1_075_00n, narration: "ACCOUNT MAINTENANCE CHARGE" },
  ];
  const lines = [...payments, ...held]
    .map((line) => (line.day < earliest ? { ...line, day: earliest } : line))
    .sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  return writeStatement({ db, clock }, account, [...lines, ...charges]);
}

type Ctx = Pick<ActorContext, "clock" | "db">;

/** A statement of these lines, which goes on where the account's ledger stands. Throws "not_found". */
export async function writeStatementOf(
  ctx: Ctx,
  { accountId, lines }: { accountId: number; lines: SampleLine[] },
): Promise<string> {
  return writeStatement(ctx, await findAccount(ctx, accountId), lines);
}

async function findAccount({ db }: Ctx, accountId: number): Promise<OwnAccount> {
  const [account] = await db.select().from(ownAccounts).where(eq(ownAccounts.id, accountId));
  if (!account) throw new AppError("not_found", texts.accountNotFound);
  return account;
}

const writeStatement = async ({ db, clock }: Ctx, account: OwnAccount, lines: SampleLine[]): Promise<string> =>
  writeCsv(account.accountNumber, lines, {
    openingKobo: await sumOfBank(db, account),
    mark: clock.now().getTime().toString(36).toUpperCase(),
  });

const transferOf = ({ reference, fullName, amountKobo, day }: Expected): SampleLine => ({
  day,
  kobo: amountKobo,
  narration: `NIP/ACCESS/${fullName.toUpperCase()}/${reference}`,
});

const tooMuchKobo = 5_000_00n;

/** The first line is right. The next three each show what can be wrong with a transfer: its sum or its reference. */
function sampleLineOf(expected: Expected, index: number): SampleLine {
  const line = transferOf(expected);
  if (index === 1) return { ...line, kobo: line.kobo / 2n };
  if (index === 2) return { ...line, narration: `MOBILE TRANSFER FROM ${expected.fullName.toUpperCase()}` };
  if (index === 3) return { ...line, kobo: line.kobo + tooMuchKobo };
  return line;
}

/** Payments that wait, and whose reference no line has yet. */
async function listWaiting(db: DbOrTx): Promise<Expected[]> {
  const found = await db
    .select({
      reference: projectPayments.reference,
      fullName: users.fullName,
      amountKobo: projectPayments.amountKobo,
      at: projectPayments.createdAt,
    })
    .from(projectPayments)
    .innerJoin(users, eq(users.id, projectPayments.userId))
    .where(and(eq(projectPayments.status, "pending"), hasNoLine(db, projectPayments.reference)))
    .orderBy(asc(projectPayments.id))
    .limit(20);
  return found.map(({ at, ...expected }) => ({ ...expected, day: dayInLagos(at) }));
}

async function listHeldWithoutReceipt(db: DbOrTx): Promise<Expected[]> {
  const pending = alias(projectPayments, "pending");
  const found = await db
    .select({
      reference: paymentReferences.reference,
      fullName: users.fullName,
      amountKobo: sql`${paymentReferences.lotPriceKobo} * ${paymentReferences.lots}`.mapWith(
        paymentReferences.lotPriceKobo,
      ),
      at: holds.createdAt,
    })
    .from(holds)
    .innerJoin(paymentReferences, eq(paymentReferences.reference, holds.reference))
    .innerJoin(users, eq(users.id, holds.userId))
    .leftJoin(pending, eq(pending.reference, holds.reference))
    .where(and(eq(holds.state, "live"), isNull(pending.id), hasNoLine(db, paymentReferences.reference)))
    .orderBy(asc(holds.id))
    .limit(1);
  return found.map(({ at, ...expected }) => ({ ...expected, day: dayInLagos(at) }));
}

const hasNoLine = (db: DbOrTx, reference: typeof projectPayments.reference | typeof paymentReferences.reference) =>
  notExists(db.select({ one: sql`1` }).from(statementLines).where(sql`${statementLines.reference} = ${reference}`));

/** Returns the ledger's balance of an account, in kobo; 0 before its opening. */
async function sumOfBank(db: DbOrTx, { id }: OwnAccount): Promise<Kobo> {
  const isOwn = and(eq(ledgerEntries.account, "bank"), eq(ledgerEntries.ownAccountId, id));
  const [sum] = await db.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isOwn);
  return sum?.kobo ?? 0n;
}

const months = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

/** "05-NOV-2026". */
function writeDay(day: string): string {
  const [year, month, date] = day.split("-");
  return `${date}-${months[Number(month) - 1]}-${year}`;
}

/** "1250000.50" of a sum without its sign. */
const writeAmount = (kobo: Kobo): string => decimalText(kobo < 0n ? -kobo : kobo, 2);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function writeCsv(
  accountNumber: string,
  lines: SampleLine[],
  { openingKobo, mark }: { openingKobo: Kobo; mark: string },
): string {
  let balanceKobo = openingKobo;
  const rows = lines.map(({ day, kobo, narration }, index) => {
    balanceKobo += kobo;
    const debit = kobo < 0n ? writeAmount(kobo) : "";
    const credit = kobo > 0n ? writeAmount(kobo) : "";
    const balance = `${balanceKobo < 0n ? "-" : ""}${writeAmount(balanceKobo)}`;
    const date = writeDay(day);
    return [date, date, `S${mark}${index + 1}`, debit, credit, balance, quoted(narration)].join(",");
  });
  return [
    "SAMPLE STATEMENT - NOT A BANK'S",
    `Account Number,${accountNumber}`,
    "POST DATE,VALUE DATE,REFERENCE,DEBIT AMT,CREDIT AMT,BALANCE,NARRATION",
    ...rows,
    "",
  ].join("\r\n");
}
