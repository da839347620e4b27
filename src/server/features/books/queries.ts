import { and, desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { monthUpTo, readTrialBalance } from "#server/books/trial-balance.ts";
import { rows } from "#server/db/open.ts";
import type { LedgerKind } from "#server/db/schema/ledger.ts";
import { ledgerClosings } from "#server/db/schema/ledger-heads.ts";
import { papers } from "#server/db/schema/papers.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import type { accountEntriesInput, trialBalanceInput } from "#shared/books/inputs.ts";
import { booksLimits, closableFrom } from "#shared/books/texts.ts";
import { paperNumber, paperPath } from "#shared/papers/texts.ts";
import { findNextMonth } from "./service.ts";

/** Reads of the books. */

export async function findTrialBalance(ctx: ActorContext, { on }: z.output<typeof trialBalanceInput>) {
  return { on, accounts: await readTrialBalance(ctx.db, on) };
}

type EntryRow = {
  id: string;
  kind: LedgerKind;
  at: Date | string;
  amount: string;
  reference: string | null;
  title: string | null;
};

/**
 * An account's entries of the month of a day until its end, newest first. They name a payment or a payout by its
 * reference, never a person.
 */
export async function listAccountEntries(
  ctx: ActorContext,
  { account, on, cursor }: z.output<typeof accountEntriesInput>,
) {
  const { from, until } = monthUpTo(on);
  const [before] = cursor ? decodeCursor(cursor, ["bigint"]) : [null];
  const found = await rows<EntryRow>(
    ctx.db,
    sql`select e.id, t.kind, t.created_at as at, e.amount_kobo as amount, coalesce(o.reference, p.reference) as reference,
        coalesce(t.project_title, h.project_title, o.project_title, f.title) as title
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        left join project_payments p on p.id = coalesce(e.payment_id, t.payment_id)
        left join payouts o on o.id = coalesce(e.payout_id, t.payout_id)
        left join harvests h on h.id = coalesce(e.harvest_id, t.harvest_id)
        left join projects f on f.id = coalesce(e.project_id, t.project_id)
      where e.account = ${account} and t.created_at >= ${from.toISOString()}::timestamptz
        and t.created_at < ${until.toISOString()}::timestamptz ${before === null ? sql`` : sql`and e.id < ${before}`}
      order by e.id desc limit ${booksLimits.pageSize + 1}`,
  );
  const page = pageOf(found, booksLimits.pageSize, ({ id }) => encodeCursor([Number(id)]));
  return {
    ...page,
    items: page.items.map(({ id, kind, at, amount, reference, title }) => ({
      id: Number(id),
      kind,
      at: new Date(at),
      amountKobo: BigInt(amount),
      reference,
      title,
    })),
  };
}

/** The closed months, latest first, and the one that comes next: from when on it can be closed, and whether that has come. */
export async function listClosings(ctx: ActorContext) {
  const isItsPaper = and(eq(papers.kind, "closing"), eq(papers.firstDay, ledgerClosings.month));
  const closings = await ctx.db
    .select({
      month: ledgerClosings.month,
      lastEntryId: ledgerClosings.lastEntryId,
      entries: ledgerClosings.entries,
      hash: ledgerClosings.hash,
      createdAt: ledgerClosings.createdAt,
      closedBy: users.fullName,
      paperId: papers.id,
      year: papers.year,
      sequence: papers.sequence,
    })
    .from(ledgerClosings)
    .innerJoin(users, eq(users.id, ledgerClosings.closedBy))
    .innerJoin(papers, isItsPaper)
    .orderBy(desc(ledgerClosings.month));
  const next = await findNextMonth(ctx.db);
  const from = next && closableFrom(next.month);
  return {
    closings: closings.map(({ paperId, year, sequence, ...closing }) => ({
      ...closing,
      paper: { number: paperNumber(ctx.site.current(), { kind: "closing", year, sequence }), url: paperPath(paperId) },
    })),
    next: next && from && { month: next.month, from, isOpen: from <= ctx.clock.now() },
  };
}
