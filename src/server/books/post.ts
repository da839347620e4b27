import type { Tx } from "#server/db/open.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";

/**
 * The ledger: each event of money is a new transaction whose entries sum to zero. Plus is what the platform has, minus
 * what it owes. What an event posts is said in `events`, a file for each kind, and nothing else posts. `bank` moves
 * only by a statement's line: what people say is in transit until one shows it.
 */

export type LedgerTransaction = typeof ledgerTransactions.$inferInsert;
export type LedgerEntry = Omit<typeof ledgerEntries.$inferInsert, "transactionId">;

/**
 * Posts one transaction. Entries of nothing are left out; if nothing is left, no transaction is written. Triggers share the
 * ledger's lock, and date what comes too late for a month that was closed in between at the beginning of the next.
 */
export async function post(tx: Tx, transaction: LedgerTransaction, entries: LedgerEntry[]): Promise<void> {
  const moved = entries.filter(({ amountKobo }) => amountKobo !== 0n);
  if (moved.length === 0) return;
  const [posted] = await tx.insert(ledgerTransactions).values(transaction).returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  const { id: transactionId } = posted;
  await tx.insert(ledgerEntries).values(moved.map((entry) => ({ transactionId, ...entry })));
}
