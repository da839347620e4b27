import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { sumOf } from "#shared/money.ts";
import type { PayoutKind } from "#shared/payouts/texts.ts";
import type { TaxRow } from "./settlements.ts";
import type { PaidEvent, PayoutEvent, RefundEvent, SettledEvent, Statement } from "./statements.ts";

/** The events that statements and lists of tax are made of. */

export type Range = { firstDay: string; lastDay: string };

/** From the midnight before the first day to that after the last, in Lagos. */
const boundsOf = ({ firstDay, lastDay }: Range) => ({
  from: startOfDay(firstDay).toISOString(),
  until: new Date(startOfDay(lastDay).getTime() + dayMs).toISOString(),
});

type Raw<Event> = {
  [Key in keyof Event]: Event[Key] extends bigint ? string : Event[Key] extends Date ? string | Date : Event[Key];
};

/**
 * Reads everything that happened to a person's money before the end of a range. One query reads all of it, so that its
 * sums add up under concurrent writes.
 */
export async function readStatement(
  db: DbOrTx,
  asked: Range & { userId: string; fullName: string },
): Promise<Statement> {
  const { userId, fullName, firstDay, lastDay } = asked;
  const { from, until } = boundsOf(asked);
  const first = new Date(from);
  const isBefore = ({ at }: { at: Date }) => at < first;
  const isIn = ({ at }: { at: Date }) => at >= first;
  const [found] = await rows<{
    paid: Raw<PaidEvent>[];
    refunds: Raw<RefundEvent>[];
    settled: Raw<SettledEvent>[];
    payouts: Raw<PayoutEvent>[];
  }>(
    db,
    sql`select ${listOf(paidOf(userId, { from, until }))} as paid, ${listOf(refundsOf(userId, until))} as refunds,
      ${listOf(settledOf(userId, until))} as settled, ${listOf(payoutsOf(userId, until))} as payouts`,
  );
  if (!found) throw new Error("the events of a statement were not read");
  const paid = found.paid.map(paidEvent);
  const refunds = found.refunds.map(refundEvent);
  const settled = found.settled.map(settledEvent);
  const payouts = found.payouts.map(payoutEvent);
  return {
    fullName,
    firstDay,
    lastDay,
    paid,
    dueBeforeKobo:
      sumOf(refunds.filter(isBefore).map(({ kobo }) => kobo)) +
      sumOf(settled.filter(isBefore).map(({ netKobo }) => netKobo)) -
      sumOf(payouts.filter(isBefore).map(({ kobo }) => kobo)),
    refunds: refunds.filter(isIn),
    settled: settled.filter(isIn),
    payouts: payouts.filter(isIn),
  };
}

/** The rows of a query as one value, in their order. */
const listOf = (query: SQL): SQL => sql`(select coalesce(json_agg(q), '[]') from (${query}) q)`;

const paidOf = (userId: string, { from, until }: { from: string; until: string }): SQL =>
  sql`select t.created_at as at, p.project_title as "projectTitle", p.reference, (-e.amount_kobo)::text as kobo
    from project_payments p join ledger_transactions t on t.payment_id = p.id
      join ledger_entries e on e.transaction_id = t.id and e.account = 'project_funding'
    where t.user_id = ${userId} and t.created_at >= ${from}::timestamptz and t.created_at < ${until}::timestamptz
    order by t.created_at, t.id`;

const paidEvent = ({ at, kobo, ...event }: Raw<PaidEvent>): PaidEvent => ({
  ...event,
  at: new Date(at),
  kobo: BigInt(kobo),
});

const refundsOf = (userId: string, until: string): SQL =>
  sql`select e.at, r.project_title as "projectTitle", r.reason, (e.sign * r.amount_kobo)::text as kobo
    from (
        select r.id, r.user_id, p.project_title, r.reason, r.amount_kobo, r.created_at, r.taken_back_at
        from refunds r join project_payments p on p.id = r.payment_id
        union all
        select b.id, coalesce(o.former_user_id, o.user_id), b.project_title, 'returned', sum(o.amount_kobo)::bigint, b.created_at,
          b.taken_back_at
        from round_returns b join payouts o on o.return_id = b.id and o.replaces_id is null
        group by b.id, coalesce(o.former_user_id, o.user_id)
        union all
        -- What was due to somebody else before, or is since: less than nothing then.
        select c.id, e.user_id, c.project_title, 'holder_change', -sum(e.amount_kobo)::bigint, t.created_at, null
        from holder_changes c join ledger_transactions t on t.holder_change_id = c.id
          join ledger_entries e on e.transaction_id = t.id and e.account = 'backer_due'
        group by c.id, e.user_id, t.id
        union all
        -- Taken back, it is taken from whom it was due to by then, and the row above it says so of the one before.
        select o.id, e.user_id, o.project_title, 'holder_change', e.kobo, o.cancelled_at, null
        from payouts o left join refunds f on f.id = o.refund_id left join settlements s on s.id = o.settlement_id
          left join round_returns b on b.id = o.return_id
          cross join lateral (values (o.former_user_id, o.amount_kobo), (o.user_id, -o.amount_kobo)) as e (user_id, kobo)
        where o.former_user_id is not null
          and o.cancelled_at = coalesce(f.taken_back_at, s.reversed_at, b.taken_back_at)
      ) r cross join lateral (values (r.created_at, 1), (r.taken_back_at, -1)) as e (at, sign)
    where r.user_id = ${userId} and e.at < ${until}::timestamptz
    order by e.at, r.id, e.sign desc`;

const refundEvent = ({ at, kobo, reason, ...event }: Raw<RefundEvent>): RefundEvent => ({
  ...event,
  reason: reason as RefundEvent["reason"],
  at: new Date(at),
  kobo: BigInt(kobo),
});

const settledOf = (userId: string, until: string): SQL =>
  sql`select e.at, h.project_title as "projectTitle", (e.sign * q.share)::text as "shareKobo",
      (e.sign * q.fee)::text as "feeKobo", (e.sign * q.vat)::text as "vatKobo", (e.sign * q.wht)::text as "whtKobo",
      (e.sign * q.net)::text as "netKobo"
    from (
      select settlement_id, 1 as part, null::timestamptz as struck_at, sum(share_kobo)::bigint as share, sum(fee_kobo)::bigint as fee,
        sum(vat_kobo)::bigint as vat, sum(wht_kobo)::bigint as wht, sum(net_kobo)::bigint as net
      from settlement_parts where user_id = ${userId} group by settlement_id
      union all
      select k.settlement_id, -1, k.created_at, sum(k.share_kobo)::bigint, sum(k.fee_kobo)::bigint, sum(k.vat_kobo)::bigint,
        sum(k.wht_kobo)::bigint, sum(k.net_kobo)::bigint
      from settlement_strikes k where k.user_id = ${userId}
      group by k.settlement_id, k.created_at
    ) q join settlements s on s.id = q.settlement_id join harvests h on h.id = s.harvest_id
      cross join lateral (values (coalesce(q.struck_at, s.created_at), q.part), (s.reversed_at, -q.part)) as e (at, sign)
    where e.at < ${until}::timestamptz
    order by e.at, s.id, e.sign desc`;

const settledEvent = (row: Raw<SettledEvent>): SettledEvent => ({
  at: new Date(row.at),
  projectTitle: row.projectTitle,
  shareKobo: BigInt(row.shareKobo),
  feeKobo: BigInt(row.feeKobo),
  vatKobo: BigInt(row.vatKobo),
  whtKobo: BigInt(row.whtKobo),
  netKobo: BigInt(row.netKobo),
});

const payoutsOf = (userId: string, until: string): SQL =>
  sql`select e.at, o.project_title as "projectTitle", o.kind, o.reference, (e.sign * o.amount_kobo)::text as kobo
    from payouts o cross join lateral (
        values (o.sent_at, 1), (o.failed_at, -1)
      ) as e (at, sign)
    where o.user_id = ${userId} and o.kind <> 'farm' and e.at < ${until}::timestamptz
    order by e.at, o.id, e.sign desc`;

const payoutEvent = ({ at, kobo, kind, ...event }: Raw<PayoutEvent>): PayoutEvent => ({
  ...event,
  kind: kind as PayoutKind,
  at: new Date(at),
  kobo: BigInt(kobo),
});

/** Tax withheld of settlements that stand, whose day is in the range: a row for each person. */
export async function readTaxes(db: DbOrTx, range: Range): Promise<TaxRow[]> {
  const { from, until } = boundsOf(range);
  const found = await rows<Raw<TaxRow>>(
    db,
    sql`select s.created_at as at, u.full_name as "fullName", h.project_title as "projectTitle", s.wht_rate as "whtRate",
        sum(q.share_kobo)::text as "shareKobo", sum(q.wht_kobo)::text as "whtKobo"
      from settlements s join harvests h on h.id = s.harvest_id join (
          select settlement_id, backing_id, user_id, share_kobo, wht_kobo from settlement_parts
          union all
          select k.settlement_id, k.backing_id, p.user_id, -k.share_kobo, -k.wht_kobo from settlement_strikes k
            join settlement_parts p on p.settlement_id = k.settlement_id and p.backing_id = k.backing_id
        ) q on q.settlement_id = s.id
        join users u on u.id = q.user_id
      where s.reversed_at is null and s.created_at >= ${from}::timestamptz and s.created_at < ${until}::timestamptz
      group by s.id, h.id, u.id having sum(q.wht_kobo) > 0
      order by s.created_at, s.id, min(q.backing_id)`,
  );
  return found.map((row) => ({
    at: new Date(row.at),
    fullName: row.fullName,
    projectTitle: row.projectTitle,
    whtRate: row.whtRate,
    shareKobo: BigInt(row.shareKobo),
    whtKobo: BigInt(row.whtKobo),
  }));
}
