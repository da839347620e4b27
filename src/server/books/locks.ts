import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";

/**
 * The order of locks, and those that stand for no row.
 *
 * project → round → harvest → payment reference → payment → line → payouts → taxes → own money → payees → payee
 * accounts → run → bank → ledger, backing → the counter of papers. No transaction goes back.
 *
 * - Deciding on a payment, on a round or on holds, and refunds lock the project exclusively and then the round;
 *   matching a line locks the project exclusively, and no round. All payments of a round or of a line are locked by id.
 *   Sending a receipt shares the project and locks its reference. Deleting a project locks all of it.
 * - Whoever begins a purchase, sends a receipt, waits or gives lots back then holds the person, because what they hold
 *   elsewhere counts. Blocking a person locks each project in which they hold lots or wait, by id, and only then the
 *   owners and the person.
 * - Holds have no place in the order: whoever has the project exclusively changes those of its rounds.
 * - An import locks who imports (shared), the own account, its lines and the bank. Bank details lock the person, the
 *   details, the accounts.
 * - A run locks its payouts by id, their accounts (shared) and itself. Who gives an account locks what is due to the
 *   payee, the payee alone, the account; who makes or fails payouts shares their payees. Payees are people, then farms,
 *   each by id.
 * - Whoever renames a farm locks its projects first, because its name is theirs.
 * - A write about a harvest locks its project, if that still exists, then the harvest; a settlement then shares its
 *   people.
 * - A second person locks what the request is about, then the owners (shared), then the request. Who takes rights away
 *   locks the owners, then the person, before anything else.
 * - Who closes a month shares themselves, then has the ledger alone; who posts shares it.
 * - Papers come last, so that numbers have no gap and nobody who numbers papers waits for anything else.
 */

/** The key of the advisory lock below; any number that nothing else uses. */
const bankLock = 1_519_001;

/**
 * Whoever decides by whether statements count as imported shares this lock, and the opening of an own account has it
 * alone. It comes after all rows, right before the ledger.
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
 * Whoever passes a tax on, or takes a settlement back, has this lock alone, so that no more is passed on than is owed.
 * It comes after the payouts and before their payees.
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

/**
 * Whoever writes to the ledger shares this lock until the commit, by a trigger (`share_ledger`). Who has it alone, as
 * here, knows that no entry with a lower id than those that are there can be committed later. It comes after all rows
 * but the papers.
 */
export async function lockLedger(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('ledger', 0))`);
}
