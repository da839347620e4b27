import { sql } from "drizzle-orm";
import type { StruckShare } from "#server/books/events/strikes.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { type Kobo, smaller } from "#shared/money.ts";
import { readTaxOwed } from "./sums.ts";

/**
 * The shares that settlements don't pay to the backer of a struck payment: they go back to the proceeds of their pools.
 */

export type Backer = { projectId: number; round: number; userId: string };

type PartRow = {
  settlementId: string;
  harvestId: string;
  backingId: string;
  settledFor: string;
  share: string;
  fee: string;
  vat: string;
  wht: string;
  net: string;
  rest: string;
  open: string;
};

/**
 * Reads the unsent sums of a backer in the round's settlements, oldest first, that would go back to the proceeds once a
 * payment of `amountKobo` is struck besides those that were. `only` names one settlement, and the person whom it gave
 * the part. Taxes that were passed on already stay where they are.
 */
export async function readStruckShares(
  db: DbOrTx,
  { projectId, round, userId }: Backer,
  { amountKobo, only }: { amountKobo: Kobo; only?: { settlementId: number; settledFor: string } },
): Promise<StruckShare[]> {
  const found = await rows<PartRow>(
    db,
    sql`select s.id::text as "settlementId", s.harvest_id::text as "harvestId", q.backing_id::text as "backingId", q.user_id as "settledFor",
        (q.share_kobo - coalesce(k.share, 0))::text as share, (q.fee_kobo - coalesce(k.fee, 0))::text as fee,
        (q.vat_kobo - coalesce(k.vat, 0))::text as vat, (q.wht_kobo - coalesce(k.wht, 0))::text as wht,
        (q.net_kobo - coalesce(k.net, 0))::text as net,
        (div(q.net_kobo::numeric * struck.kobo, w.weight_kobo - w.struck_kobo + later.kobo) - coalesce(k.net, 0))::text as rest,
        (select coalesce(sum(o.amount_kobo), 0) from payouts o where o.settlement_id = s.id and o.user_id = ${userId}
          and coalesce(o.former_user_id, o.user_id) = q.user_id and o.state in ('waiting', 'due'))::text as open
      from settlements s join harvests h on h.id = s.harvest_id
        join settlement_parts q on q.settlement_id = s.id
        join round_weights w on w.project_id = h.project_id and w.round = h.round and w.backing_id = q.backing_id
        cross join lateral (
          -- The books' order says which strikes came after the settlement.
          select coalesce(sum(v.amount_kobo), 0) as kobo from ledger_transactions t
            join ledger_transactions x on x.kind = 'strike' and x.id > t.id and x.project_id = h.project_id
              and x.round = h.round
            join payment_strikes y on y.payment_id = x.payment_id and y.backing_id = q.backing_id
            join project_payments v on v.id = x.payment_id
          where t.settlement_id = s.id and t.kind = 'settlement'
        ) later
        cross join lateral (select later.kobo + ${amountKobo.toString()}::bigint as kobo) struck
        left join lateral (
          select sum(share_kobo) as share, sum(fee_kobo) as fee, sum(vat_kobo) as vat, sum(wht_kobo) as wht, sum(net_kobo) as net
          from settlement_strikes t where t.settlement_id = s.id and t.backing_id = q.backing_id
        ) k on true
      where h.project_id = ${projectId} and h.round = ${round} and s.reversed_at is null
        and ${only ? sql`s.id = ${only.settlementId} and q.user_id = ${only.settledFor}` : sql`w.user_id = ${userId}`}
      order by s.id`,
  );
  const left = { vat: await readTaxOwed(db, "vat"), wht: await readTaxOwed(db, "wht") };
  const takenOut: StruckShare[] = [];
  for (const { settlementId, harvestId, backingId, settledFor, ...row } of found) {
    const netKobo = smaller(BigInt(row.open), BigInt(row.rest));
    if (netKobo <= 0n) continue;
    const partOf = (kobo: string) => (BigInt(kobo) * netKobo) / BigInt(row.net);
    const feeKobo = partOf(row.fee);
    const vatKobo = smaller(partOf(row.vat), left.vat);
    const whtKobo = smaller(partOf(row.wht), left.wht);
    left.vat -= vatKobo;
    left.wht -= whtKobo;
    takenOut.push({
      settlementId: Number(settlementId),
      harvestId: Number(harvestId),
      backingId: Number(backingId),
      userId,
      settledFor,
      shareKobo: feeKobo + vatKobo + whtKobo + netKobo,
      feeKobo,
      vatKobo,
      whtKobo,
      netKobo,
    });
  }
  return takenOut;
}
