import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import type { Match, Matcher } from "#server/features/bank/matching/match-rows.ts";
import { hasComeBack, unseeLeaving } from "#server/features/payouts/arrivals.ts";
import { lockPayouts } from "#server/features/payouts/service.ts";
import { AppError } from "#server/platform/errors.ts";
import { payoutLineTexts as texts } from "#shared/bank/texts.ts";

/** What matches of payouts post, and how those of one debit are undone. */

/** Whether two people said of the debit of a payout that it was sent twice, as a condition on its match; only they give a reason. */
const isSecondDebit = (match: SQL): SQL => sql`(${match}.kind = 'payout' and ${match}.reason is not null)`;

/**
 * Posts matches of payouts: against what is on its way, or what was paid out twice and the bank owes us. What comes back after a
 * second debit clears that. A run may have a thousand.
 */
export async function postPayoutMatches(
  tx: Tx,
  by: Pick<Matcher, "actor" | "clock">,
  made: readonly Match[],
): Promise<void> {
  const ids = made.map(({ id }) => id);
  const isReceivable = sql`(${isSecondDebit(sql`m`)} or (m.kind = 'returned' and exists (
    select from line_matches debit
    where debit.payout_id = m.payout_id and debit.undone_at is null and ${isSecondDebit(sql`debit`)})))`;
  await tx.execute(sql`
    with chosen as (select * from line_matches where id in ${ids}), posted as (
      insert into ledger_transactions (kind, match_id, actor_id, created_at)
      select 'match', id, ${by.actor.id}::uuid, ${by.clock.now().toISOString()}::timestamptz
      from chosen order by id
      returning id, match_id
    )
    insert into ledger_entries (transaction_id, account, line_id, payout_id, amount_kobo)
    select t.id, side.account, side.line_id, side.payout_id, side.amount_kobo
    from posted t join chosen m on m.id = t.match_id cross join lateral (values
      (case m.kind when 'returned' then 'unmatched_in' else 'unmatched_out' end, m.line_id, null::bigint,
        case m.kind when 'returned' then m.amount_kobo else -m.amount_kobo end),
      (case when ${isReceivable} then 'receivable' else 'payouts_in_transit' end, null, m.payout_id,
        case m.kind when 'returned' then -m.amount_kobo else m.amount_kobo end)
    ) as side (account, line_id, payout_id, amount_kobo)`);
}

/** Posts the opposite of what matches of payouts posted. */
async function postUndone(tx: Tx, by: Pick<Matcher, "actor" | "clock">, ids: number[]): Promise<void> {
  await tx.execute(sql`
    with made as (
      select id, match_id from ledger_transactions where kind = 'match' and match_id in ${ids}
    ), posted as (
      insert into ledger_transactions (kind, match_id, actor_id, created_at)
      select 'undone_match', match_id, ${by.actor.id}::uuid, ${by.clock.now().toISOString()}::timestamptz from made order by id
      returning id, match_id
    )
    insert into ledger_entries (transaction_id, account, line_id, payout_id, amount_kobo)
    select posted.id, e.account, e.line_id, e.payout_id, -e.amount_kobo
    from posted join made on made.match_id = posted.match_id join ledger_entries e on e.transaction_id = made.id`);
}

/**
 * The matches that are undone together with this one: a debit of several payouts of one run is one explanation. The caller
 * has locked the line.
 */
export async function listOfOneDebit(tx: Tx, match: Match): Promise<Match[]> {
  const runOf = sql`(select p.run_id from payouts p where p.id = ${match.payoutId})`;
  return tx
    .select({ match: lineMatches })
    .from(lineMatches)
    .innerJoin(payouts, eq(payouts.id, lineMatches.payoutId))
    .where(
      and(
        eq(lineMatches.lineId, match.lineId),
        eq(lineMatches.kind, "payout"),
        isNull(lineMatches.undoneAt),
        sql`(${lineMatches.id} = ${match.id} or ${payouts.runId} = ${runOf})`,
      ),
    )
    .orderBy(asc(lineMatches.id))
    .then((found) => found.map((row) => row.match));
}

/** Undoes matches of payouts that left, which are marked already: they are only sent again. Throws "conflict" if what was sent twice came back. */
export async function undoPayouts(tx: Tx, by: Matcher, matches: readonly Match[]): Promise<void> {
  const locked = await lockPayouts(
    tx,
    matches.flatMap(({ payoutId }) => payoutId ?? []),
  );
  const lost = locked.filter(({ id }) => matches.some(({ payoutId, reason: why }) => payoutId === id && why !== null));
  for (const payout of lost) {
    if (await hasComeBack(tx, payout)) throw new AppError("conflict", texts.lossMadeGood);
  }
  const ids = matches.map(({ id }) => id);
  await postUndone(tx, by, ids);
  await unseeLeaving(tx, locked);
}
