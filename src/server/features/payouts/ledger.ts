import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { hasStatements, lockBank, post } from "#server/features/ledger/service.ts";
import type { Kobo } from "#shared/money.ts";

/**
 * What payouts post. A sum is owed under `backer_due` or `farm_due` until its payout is sent; then it is in transit, until a
 * line shows that it left, or it failed. The caller has locked the payouts.
 */

type Posting = { actorId: string | null; at: Date };

/** The original own account, which what was posted before statements belongs to. */
const originalAccount = sql`(select id from own_accounts where is_original)`;

/**
 * Condition of a payout of which the first opening counts that it left, by an owner's word: until two people say that it never
 * did. `payoutId` is the column of its id.
 */
const isInOpening = (payoutId: SQL): SQL => sql`(exists (
  select from ledger_transactions hand where hand.payout_id = ${payoutId} and hand.kind = 'payout_paid_by_hand'
) and not exists (
  select from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'opening_difference'
  where t.payout_id = ${payoutId} and t.kind = 'payout_failed'
))`;

/** Where a payout's money is between its sending and its line: on its way, or in the opening difference. As entries have it. */
export const placeOfSent = (payoutId: SQL) => ({
  account: sql`case when ${isInOpening(payoutId)} then 'opening_difference' else 'payouts_in_transit' end`,
  ownAccountId: sql`case when ${isInOpening(payoutId)} then ${originalAccount} end`,
  payoutId: sql`case when not ${isInOpening(payoutId)} then ${payoutId} end`,
});

/**
 * Posts that payouts were sent, or failed and are owed again. One that never left was on its way until now, or is a part of
 * the opening difference if an owner had said before the first statement that it left. Many at once, because a run may have a
 * thousand.
 */
export async function postPayouts(
  tx: Tx,
  event: "payout_sent" | "payout_failed" | "payout_never_left",
  { payoutIds, actorId, at }: Posting & { payoutIds: number[] },
): Promise<void> {
  if (payoutIds.length === 0) return;
  const kind = event === "payout_sent" ? event : "payout_failed";
  const sign = sql.raw(kind === "payout_sent" ? "(1)" : "(-1)");
  const onItsWay = { account: sql`'payouts_in_transit'`, ownAccountId: sql`null::bigint`, payoutId: sql`p.id` };
  const place = event === "payout_never_left" ? placeOfSent(sql`p.id`) : onItsWay;
  await tx.execute(sql`
    with chosen as (select * from payouts where ${anyOf(payoutIds)}), posted as (
      insert into ledger_transactions (kind, payout_id, actor_id, created_at)
      select ${kind}, id, ${actorId}::uuid, ${at.toISOString()}::timestamptz from chosen order by id
      returning id, payout_id
    )
    insert into ledger_entries
      (transaction_id, account, payment_id, user_id, harvest_id, project_id, round, own_account_id, payout_id, amount_kobo)
    select t.id, side.account, side.payment_id, side.user_id, side.harvest_id, side.project_id, side.round,
      side.own_account_id, side.payout_id, side.amount_kobo
    from posted t join chosen p on p.id = t.payout_id
      left join settlements s on s.id = p.settlement_id and p.kind = 'harvest'
      cross join lateral (values
      (case p.kind when 'farm' then 'farm_due' else 'backer_due' end, p.payment_id, p.user_id, s.harvest_id,
        case p.kind when 'farm' then p.project_id end, case p.kind when 'farm' then p.round end, null::bigint,
        null::bigint, ${sign} * p.amount_kobo),
      (${place.account}, null, null, null, null, null, ${place.ownAccountId}, ${place.payoutId}, -${sign} * p.amount_kobo)
    ) as side (account, payment_id, user_id, harvest_id, project_id, round, own_account_id, payout_id, amount_kobo)`);
}

const anyOf = (ids: number[]): SQL => sql`id in ${ids}`;

/** Before the first statement no line will show that a payout left: it leaves `bank` by an owner's word. */
export async function postPaidByHand(
  tx: Tx,
  { payoutId, amountKobo, actorId, at }: Posting & { payoutId: number; amountKobo: Kobo },
): Promise<void> {
  await lockBank(tx, "share");
  if (await hasStatements(tx)) return;
  await post(tx, { kind: "payout_paid_by_hand", payoutId, actorId, createdAt: at }, [
    { account: "payouts_in_transit", payoutId, amountKobo },
    { account: "bank", amountKobo: -amountKobo },
  ]);
}

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
