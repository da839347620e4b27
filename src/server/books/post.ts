import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { ledgerEntries, ledgerTransactions } from "#server/db/schema/ledger.ts";
import { lockLedger } from "./locks.ts";

/**
 * The ledger: each event of money is a new transaction whose entries sum to zero. Plus is what the platform has, minus what it
 * owes. What an event posts is said in `events`, a file for each kind, and nothing else posts. `bank` moves only by a
 * statement's line: what people say is in transit until one shows it.
 */

export type LedgerTransaction = typeof ledgerTransactions.$inferInsert;
export type LedgerEntry = Omit<typeof ledgerEntries.$inferInsert, "transactionId">;

/**
 * Posts one transaction. Entries of nothing are left out; if nothing is left, no transaction is written. What comes too late for a
 * month that was closed in between is dated at the beginning of the next.
 */
export async function post(tx: Tx, transaction: LedgerTransaction, entries: LedgerEntry[]): Promise<void> {
  const moved = entries.filter(({ amountKobo }) => amountKobo !== 0n);
  if (moved.length === 0) return;
  await lockLedger(tx, "share");
  const createdAt = afterClosedMonths(transaction.createdAt);
  const [posted] = await tx
    .insert(ledgerTransactions)
    .values({ ...transaction, createdAt })
    .returning({ id: ledgerTransactions.id });
  if (!posted) throw new Error("the ledger transaction was not written");
  const { id: transactionId } = posted;
  await tx.insert(ledgerEntries).values(moved.map((entry) => ({ transactionId, ...entry })));
}

/** It is read after the wait for whoever closes a month. `greatest` leaves nulls out. */
const afterClosedMonths = (at: Date | undefined): SQL<Date> =>
  sql`greatest(${at?.toISOString() ?? sql`now()`}::timestamptz, (select max(ends_at) from ledger_closings))`;
