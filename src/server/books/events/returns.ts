import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";

/**
 * The postings of returns to backers. A round's money that its farm didn't get, or paid back, is owed to the people who
 * paid it: the amounts are those of the return's payouts. The caller has locked the round.
 */

type Return = { id: number; projectId: number; round: number };

/** Posts that a return is owed to the round's backers, or with "round_return_taken_back" isn't owed any more. */
export async function postReturn(
  tx: Tx,
  kind: "round_return" | "round_return_taken_back",
  { returned, actorId, at }: { returned: Return; actorId: string; at: Date },
): Promise<void> {
  // Taken back, it is taken from whom it was due to by then: that is what was just cancelled.
  const chosen =
    kind === "round_return" ? sql`replaces_id is null` : sql`cancelled_at = ${at.toISOString()}::timestamptz`;
  const sign = sql.raw(kind === "round_return" ? "1" : "-1");
  await tx.execute(sql`
    with owed as (
      select payment_id, user_id, sum(amount_kobo) as kobo from payouts
      where return_id = ${returned.id} and ${chosen}
      group by payment_id, user_id
    ), posted as (
      insert into ledger_transactions (kind, return_id, actor_id, created_at)
      values (${kind}, ${returned.id}, ${actorId}::uuid, ${at.toISOString()}::timestamptz) returning id
    )
    insert into ledger_entries (transaction_id, account, payment_id, user_id, project_id, round, amount_kobo)
    select posted.id, 'backer_due', owed.payment_id, owed.user_id, null::int, null::int, -(${sign}) * owed.kobo
    from posted, owed
    union all
    select posted.id, 'farm_released', null, null, ${returned.projectId}::int, ${returned.round}::int,
      ${sign} * (select sum(kobo) from owed)
    from posted`);
}
