import { type SQL, sql } from "drizzle-orm";
import { post } from "#server/books/post.ts";
import type { Tx } from "#server/db/open.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * The postings of payouts and releases. A sum is owed under `backer_due`, `farm_due` or `sender_due` until its payout
 * is sent; then it is in transit, until a line shows that it left, or it failed. The caller has locked the payouts.
 */

type Posting = { actorId: string | null; at: Date };

/**
 * Posts that payouts were sent, or failed and are owed again, or that one didn't fail after all. Many at once, because
 * a run may have a thousand.
 */
export async function postPayouts(
  tx: Tx,
  kind: "payout_sent" | "payout_failed" | "payout_failure_undone",
  { payoutIds, actorId, at }: Posting & { payoutIds: number[] },
): Promise<void> {
  if (payoutIds.length === 0) return;
  const sign = sql.raw(kind === "payout_failed" ? "(-1)" : "(1)");
  await tx.execute(sql`
    with chosen as (select * from payouts where ${anyOf(payoutIds)}), posted as (
      insert into ledger_transactions (kind, payout_id, actor_id, created_at)
      select ${kind}, id, ${actorId}::uuid, ${at.toISOString()}::timestamptz from chosen order by id
      returning id, payout_id
    )
    insert into ledger_entries
      (transaction_id, account, payment_id, user_id, harvest_id, project_id, round, line_id, payout_id, amount_kobo)
    select t.id, side.account, side.payment_id, side.user_id, side.harvest_id, side.project_id, side.round,
      side.line_id, side.payout_id, side.amount_kobo
    from posted t join chosen p on p.id = t.payout_id
      left join settlements s on s.id = p.settlement_id and p.kind = 'harvest'
      cross join lateral (values
      (case p.kind when 'farm' then 'farm_due' when 'sender' then 'sender_due' else 'backer_due' end, p.payment_id, p.user_id, s.harvest_id,
        case p.kind when 'farm' then p.project_id end, case p.kind when 'farm' then p.round end, p.line_id, null::bigint,
        ${sign} * p.amount_kobo),
      ('payouts_in_transit', null, null, null, null, null, null, p.id, -${sign} * p.amount_kobo)
    ) as side (account, payment_id, user_id, harvest_id, project_id, round, line_id, payout_id, amount_kobo)`);
}

const anyOf = (ids: number[]): SQL => sql`id in ${ids}`;

/** Posts what goes on from a round's funding to its farm, or takes it back. */
export async function postRelease(
  tx: Tx,
  kind: "farm_release" | "farm_release_taken_back",
  { release, actorId, at }: Posting & { release: { id: number; projectId: number; round: number; amountKobo: Kobo } },
): Promise<void> {
  const { id: releaseId, projectId, round } = release;
  const amountKobo = kind === "farm_release" ? release.amountKobo : -release.amountKobo;
  await post(tx, { kind, releaseId, actorId, createdAt: at }, [
    { account: "farm_released", projectId, round, amountKobo },
    { account: "farm_due", projectId, round, amountKobo: -amountKobo },
  ]);
}
