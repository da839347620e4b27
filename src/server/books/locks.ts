import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";

/** Locks that stand for no row. They come in this order, after all rows and before the ledger. */

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
