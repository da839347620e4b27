import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { lagosDay } from "#server/db/lagos-day.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";

/** Knowledge of the bank's statements that several features of money ask for. */

/** True in SQL if an own account is open: its first statement opens it, until two people void that. */
export const statementsExist = sql<boolean>`exists (select from ${ownAccounts} where ${isNotNull(ownAccounts.openedOn)})`;

/**
 * Tells the same: then approving what no statement shows asks for a reason, and a round that is given back owes what they
 * show. No posting depends on it otherwise. For a decision the caller shares the bank's lock.
 */
export async function hasStatements(db: DbOrTx): Promise<boolean> {
  const [found] = await rows<{ exist: boolean }>(db, sql`select ${statementsExist} as exist`);
  return found?.exist ?? false;
}

/** The same of the account that backers transfer to: a statement of it will cover the day of each receipt. */
export async function hasStatementsOfActiveAccount(db: DbOrTx): Promise<boolean> {
  return (await db.$count(ownAccounts, and(eq(ownAccounts.isActive, true), isNotNull(ownAccounts.openedOn)))) > 0;
}

/**
 * True in SQL if the statement `s` reaches past a day: it goes on after it, or ends with it and was imported on a later day.
 * A statement that was fetched on its last day may lack lines of it.
 */
export const reachesPast = (day: SQL): SQL =>
  sql`(s.last_day > ${day} or (s.last_day = ${day} and ${lagosDay(sql`s.created_at`)} > s.last_day))`;
