import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import type { LedgerAccount } from "#server/db/schema/ledger.ts";
import { firstDayOf, inBooksOrder, monthOf } from "#shared/books/texts.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";

/** The balances of all accounts. Each sum over all accounts is zero but those of money in and out, which are equal. */

export type AccountBalance = {
  account: LedgerAccount;
  broughtForward: Kobo;
  in: Kobo;
  out: Kobo;
  balance: Kobo;
};

/**
 * From a moment to before another: what an account held at the first, what was added and taken, what it held at the
 * second.
 */
export const balancesBetween = (from: Date, until: Date): SQL => sql`
  select account, brought_forward, added, taken, brought_forward + added - taken as balance
  from (
    select e.account, coalesce(sum(e.amount_kobo) filter (where t.created_at < ${from.toISOString()}::timestamptz), 0)::bigint as brought_forward,
      coalesce(sum(e.amount_kobo) filter (where t.created_at >= ${from.toISOString()}::timestamptz and e.amount_kobo > 0), 0)::bigint as added,
      coalesce(-sum(e.amount_kobo) filter (where t.created_at >= ${from.toISOString()}::timestamptz and e.amount_kobo < 0), 0)::bigint as taken
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.created_at < ${until.toISOString()}::timestamptz
    group by e.account
  ) sums`;

/** The days of a trial balance: from the first of the month to the named one, which is wholly in it. */
export const monthUpTo = (day: string): { from: Date; until: Date } => ({
  from: startOfDay(firstDayOf(monthOf(day))),
  until: new Date(startOfDay(day).getTime() + dayMs),
});

/** The accounts at the end of a day, with what happened in its month until then. */
export async function readTrialBalance(db: DbOrTx, day: string): Promise<AccountBalance[]> {
  const { from, until } = monthUpTo(day);
  const found = await rows<
    Record<"brought_forward" | "added" | "taken" | "balance", string> & { account: LedgerAccount }
  >(db, balancesBetween(from, until));
  const balances = found.map(({ account, brought_forward, added, taken, balance }) => ({
    account,
    broughtForward: BigInt(brought_forward),
    in: BigInt(added),
    out: BigInt(taken),
    balance: BigInt(balance),
  }));
  return inBooksOrder(balances);
}
