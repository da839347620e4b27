import { desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { hashAfter } from "#server/books/heads.ts";
import { lockLedger } from "#server/books/locks.ts";
import { balancesBetween } from "#server/books/trial-balance.ts";
import { type DbOrTx, inTransaction, rows } from "#server/db/open.ts";
import { ledgerClosings } from "#server/db/schema/ledger-heads.ts";
import { users } from "#server/db/schema/users.ts";
import { makeClosingPaper } from "#server/features/papers/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { closeMonthInput } from "#shared/books/inputs.ts";
import { booksTexts, closableFrom, endOfMonth, firstDayOf, monthAfter, monthOf } from "#shared/books/texts.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";

/** The month that is to be closed next: the one after the last, or that of the first entry. Null without entries. */
export async function findNextMonth(db: DbOrTx): Promise<{ month: string; isFirst: boolean } | null> {
  const [last] = await db
    .select({ month: ledgerClosings.month })
    .from(ledgerClosings)
    .orderBy(desc(ledgerClosings.month))
    .limit(1);
  if (last) return { month: monthAfter(monthOf(last.month)), isFirst: false };
  const [first] = await rows<{ at: Date | string | null }>(
    db,
    sql`select min(created_at) as at from ledger_transactions`,
  );
  return first?.at ? { month: monthOf(dayInLagos(new Date(first.at))), isFirst: true } : null;
}

/**
 * Closes the oldest month that isn't closed: freezes its last entry, the hash of its entries and the balances, and
 * makes the paper. Whoever posts meanwhile waits, and is dated after the month. Throws "conflict" for a month that
 * isn't the next, or isn't over.
 */
export async function closeMonth(ctx: ActorContext, { month }: z.output<typeof closeMonthInput>) {
  return inTransaction(ctx.db, async (tx) => {
    const isActor = eq(users.id, ctx.actor.id);
    await tx.select({ id: users.id }).from(users).where(isActor).for("key share");
    await lockLedger(tx);
    const next = await findNextMonth(tx);
    const now = ctx.clock.now();
    if (!next) throw new AppError("conflict", booksTexts.nothing);
    if (month < next.month && !next.isFirst) throw new AppError("conflict", booksTexts.closedAlready(month));
    if (month !== next.month) throw new AppError("conflict", booksTexts.outOfOrder(next.month));
    if (now < closableFrom(month)) throw new AppError("conflict", booksTexts.notOver(month));
    const firstDay = firstDayOf(month);
    const [from, until] = [startOfDay(firstDay), endOfMonth(month)].map((at) => at.toISOString());
    await tx.execute(sql`
      insert into ledger_closings (month, ends_at, last_entry_id, entries, hash, balances, closed_by, created_at)
      select ${firstDay}::date, ${until}::timestamptz,
        (select max(e.id) from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
          where t.created_at < ${until}::timestamptz),
        count(e.id), ${hashAfter(sql`(select hash from ledger_closings order by month desc limit 1)`)},
        (select jsonb_agg(jsonb_build_object('account', account, 'broughtForward', brought_forward::text, 'in', added::text,
            'out', taken::text, 'balance', balance::text) order by account)
          from (${balancesBetween(startOfDay(firstDay), endOfMonth(month))}) b),
        ${ctx.actor.id}::uuid, ${now.toISOString()}::timestamptz
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where t.created_at >= ${from}::timestamptz and t.created_at < ${until}::timestamptz`);
    const [closing] = await tx.select().from(ledgerClosings).where(eq(ledgerClosings.month, firstDay));
    if (!closing) throw new Error("the closing was not written");
    const { lastEntryId, hash } = closing;
    await recordAudit(tx, ctx, "close_month", { month, lastEntryId, hash });
    return makeClosingPaper(tx, closing, now);
  });
}
