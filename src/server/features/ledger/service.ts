import { eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The ledger: each event of money is a new transaction whose entries sum to zero. Plus is what the platform has, minus
 * what it owes. What an event posts is said where the event is: payments in features/payments/ledger.ts, lines and their
 * matches in features/bank. `bank` moves only by a line: what people say is in transit until one shows it.
 */

export type LedgerTransaction = typeof ledgerTransactions.$inferInsert;
export type LedgerEntry = Omit<typeof ledgerEntries.$inferInsert, "transactionId">;

/** Posts one transaction. Entries of nothing are left out; if nothing is left, no transaction is written. */
export async function post(tx: Tx, transaction: LedgerTransaction, entries: LedgerEntry[]): Promise<void> {
  const moved = entries.filter(({ amountKobo }) => amountKobo !== 0n);
  if (moved.length === 0) return;
  const [posted] = await tx.insert(ledgerTransactions).values(transaction).returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  const { id: transactionId } = posted;
  await tx.insert(ledgerEntries).values(moved.map((entry) => ({ transactionId, ...entry })));
}

/** A sum of entries, in kobo. */
export const sumOfEntries = (where?: SQL) =>
  where
    ? sql`coalesce(sum(${ledgerEntries.amountKobo}) filter (where ${where}), 0)::bigint`.mapWith(
        ledgerEntries.amountKobo,
      )
    : sql`coalesce(sum(${ledgerEntries.amountKobo}), 0)::bigint`.mapWith(ledgerEntries.amountKobo);

/** The key of the advisory lock below; any number that nothing else uses. */
const bankLock = 1_519_001;

/**
 * Whoever decides by whether a statement was ever imported shares this lock, and the opening of an own account has it alone. It
 * comes after all rows, right before the ledger.
 */
export async function lockBank(tx: Tx, how: "share" | "alone"): Promise<void> {
  await tx.execute(
    how === "share"
      ? sql`select pg_advisory_xact_lock_shared(${bankLock})`
      : sql`select pg_advisory_xact_lock(${bankLock})`,
  );
}

/** The key of the advisory lock below. */
const taxLock = 1_519_002;

/**
 * Whoever passes a tax on, or takes a settlement back, has this lock alone, so that no more is passed on than is owed. It comes
 * after the payouts and before their payees.
 */
export async function lockTaxes(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${taxLock})`);
}

/** The key of the advisory lock below. */
const ownMoneyLock = 1_519_003;

/**
 * Whoever books charges, or money out as the company's own, has this lock alone, so that what one owner books in a month is
 * added up. It comes after that of the taxes.
 */
export async function lockOwnMoney(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ownMoneyLock})`);
}

/** What settlements owe of a tax to the state, in kobo. */
export async function readTaxOwed(tx: Tx, tax: "vat" | "wht"): Promise<Kobo> {
  const isOf = eq(ledgerEntries.account, `${tax}_due`);
  const [due] = await tx.select({ kobo: sumOfEntries() }).from(ledgerEntries).where(isOf);
  return -(due?.kobo ?? 0n);
}

/**
 * Whether a bank statement was ever imported: then approving what none shows asks for a reason, and a round that is given back
 * owes what they show. No posting depends on it otherwise. For a decision the caller shares the bank's lock.
 */
export async function hasStatements(db: DbOrTx): Promise<boolean> {
  const opened = await db
    .select({ id: ownAccounts.id })
    .from(ownAccounts)
    .where(isNotNull(ownAccounts.openedOn))
    .limit(1);
  return opened.length > 0;
}
