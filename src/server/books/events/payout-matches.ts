import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import type { lineMatches } from "#server/db/schema/line-matches.ts";
import type { Clock } from "#server/platform/clock.ts";

/** Matches of payouts that left or came back, in one statement each, because a run may have a thousand. */

type Match = typeof lineMatches.$inferSelect;
/** Who matched, and whose clock says when. */
type By = { clock: Clock; actor: { id: string } };

/** Condition of the match of a second debit: two people said that its payout was sent twice, and only they give a reason. */
const isSecondDebit = (match: SQL): SQL => sql`(${match}.kind = 'payout' and ${match}.reason is not null)`;

/**
 * Posts matches of payouts against `payouts_in_transit`; a second debit, which the bank owes us, and what gives it back
 * against `receivable`. Where less comes back than was sent, the bank has kept the rest as charges.
 */
export async function postPayoutMatches(tx: Tx, by: By, made: readonly Match[]): Promise<void> {
  const ids = made.map(({ id }) => id);
  const isReceivable = sql`(${isSecondDebit(sql`m`)} or (m.kind = 'returned' and m.receivable_kobo is not null))`;
  await tx.execute(sql`
    with chosen as (select * from line_matches where id in ${ids}), posted as (
      insert into ledger_transactions (kind, match_id, actor_id, created_at)
      select 'match', id, ${by.actor.id}::uuid, ${by.clock.now().toISOString()}::timestamptz
      from chosen order by id
      returning id, match_id
    )
    insert into ledger_entries (transaction_id, account, line_id, payout_id, amount_kobo)
    select t.id, side.account, side.line_id, side.payout_id, side.amount_kobo
    from posted t join chosen m on m.id = t.match_id join payouts p on p.id = m.payout_id cross join lateral (values
      (case m.kind when 'returned' then 'unmatched_in' else 'unmatched_out' end, m.line_id, null::bigint,
        case m.kind when 'returned' then m.amount_kobo else -m.amount_kobo end),
      (case when ${isReceivable} then 'receivable' else 'payouts_in_transit' end, null, m.payout_id,
        case m.kind when 'returned' then -p.amount_kobo else m.amount_kobo end),
      ('bank_charges', null, null, case m.kind when 'returned' then p.amount_kobo - m.amount_kobo else 0 end)
    ) as side (account, line_id, payout_id, amount_kobo)
    where side.amount_kobo <> 0`);
}

/** Posts the opposite of what these matches posted. */
export async function postPayoutMatchesUndone(tx: Tx, by: By, matchIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    with made as (
      select id, match_id from ledger_transactions where kind = 'match' and match_id in ${matchIds}
    ), posted as (
      insert into ledger_transactions (kind, match_id, actor_id, created_at)
      select 'undone_match', match_id, ${by.actor.id}::uuid, ${by.clock.now().toISOString()}::timestamptz from made order by id
      returning id, match_id
    )
    insert into ledger_entries (transaction_id, account, line_id, payout_id, amount_kobo)
    select posted.id, e.account, e.line_id, e.payout_id, -e.amount_kobo
    from posted join made on made.match_id = posted.match_id join ledger_entries e on e.transaction_id = made.id`);
}
