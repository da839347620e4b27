import { sql } from "drizzle-orm";
import { moneyOfSaleTable } from "#server/books/sales.ts";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * A settlement is its parts to the kobo, a harvest is what was allotted of it, the ledger says the same.
 *
 * Quantities and money of a harvest are worked out anew from its rows. A finding means that a backer or a farm got
 * another share than the quantities and rates say, or that the ledger says something else than the settlement that
 * people read.
 */
export const settlementIsItsParts: Invariant = {
  name: "I14 a settlement is its parts to the kobo, a harvest is what was allotted of it, the ledger says the same",
  query: () => sql`
    with parts as (
      select settlement_id, count(*) as parts, sum(weight) as weight, sum(share_kobo) as share, sum(fee_kobo) as fee,
        sum(vat_kobo) as vat, sum(wht_kobo) as wht, sum(net_kobo) as net
      from settlement_parts group by settlement_id
    ), struck as (
      select k.settlement_id, s.harvest_id, k.backing_id, s.reversed_at, sum(k.share_kobo) as share, sum(k.fee_kobo) as fee,
        sum(k.vat_kobo) as vat, sum(k.wht_kobo) as wht, sum(k.net_kobo) as net
      from settlement_strikes k join settlements s on s.id = k.settlement_id group by k.settlement_id, s.id, k.backing_id
    ), taken as (
      select c.settlement_id, sum(c.amount_kobo) as costs,
        coalesce(sum(c.amount_kobo) filter (where k.paid_by = 'farm'), 0) as farm_costs
      from settlement_costs c join harvest_costs k on k.id = c.cost_id group by c.settlement_id
    ), settled as (
      select s.*, h.project_id, h.round, s.farm_quantity + coalesce(p.weight, 0) as whole, (s.proceeds_kobo - s.costs_kobo)::numeric as divided,
        coalesce(p.fee, 0) as fees, coalesce(p.vat, 0) as vats, coalesce(p.wht, 0) as whts, coalesce(p.net, 0) as nets,
        coalesce(t.costs, 0) as costs, coalesce(t.farm_costs, 0) as farm_costs
      from settlements s join harvests h on h.id = s.harvest_id
        left join parts p on p.settlement_id = s.id left join taken t on t.settlement_id = s.id
    ), sales as (
      select s.id, s.harvest_id, s.amount_kobo, s.declared_at is not null as is_declared, s.removed_at is not null as is_removed,
        s.lost_kobo, money.seen, money.away
      from harvest_sales s cross join lateral ${moneyOfSaleTable} money
    ), books as (
      select h.id, h.state,
        (select coalesce(sum(case when s.is_declared then s.amount_kobo else s.seen + s.away end), 0) from sales s where s.harvest_id = h.id)
          - (select coalesce(sum(proceeds_kobo), 0) from settlements s where s.harvest_id = h.id and s.reversed_at is null)
          + (select coalesce(sum(k.share), 0) from struck k where k.harvest_id = h.id and k.reversed_at is null)
          as proceeds,
        (select coalesce(sum(m.amount_kobo), 0) from line_matches m where m.harvest_id = h.id and m.undone_at is null)
          - case when h.state = 'done' or h.costs_lost_at is not null then (select coalesce(sum(c.amount_kobo), 0) from harvest_costs c
              where c.harvest_id = h.id and c.removed_at is null and c.paid_by = 'platform') + h.unwritten_lost_kobo
            else (select coalesce(sum(s.costs_kobo - s.farm_costs_kobo), 0) from settlements s
              where s.harvest_id = h.id and s.reversed_at is null) end as costs,
        (select coalesce(-sum(amount_kobo), 0) from ledger_entries where account = 'harvest_proceeds' and harvest_id = h.id)
          as posted_proceeds,
        (select coalesce(sum(amount_kobo), 0) from ledger_entries where account = 'harvest_costs' and harvest_id = h.id)
          as posted_costs
      from harvests h
    ), income as (
      select coalesce(sum(s.fee_kobo), 0) - (select coalesce(sum(k.fee), 0) from struck k where k.reversed_at is null) as fee,
        coalesce(sum(s.vat_kobo), 0) - (select coalesce(sum(k.vat), 0) from struck k where k.reversed_at is null)
          - (select coalesce(sum(amount_kobo), 0) from line_matches where kind = 'vat' and undone_at is null) as vat,
        coalesce(sum(s.wht_kobo), 0) - (select coalesce(sum(k.wht), 0) from struck k where k.reversed_at is null)
          - (select coalesce(sum(amount_kobo), 0) from line_matches where kind = 'wht' and undone_at is null) as wht
      from settlements s where s.reversed_at is null
    ), posted as (
      select coalesce(-sum(amount_kobo) filter (where account = 'fee_income'), 0) as fee,
        coalesce(-sum(amount_kobo) filter (where account = 'vat_due'), 0) as vat,
        coalesce(-sum(amount_kobo) filter (where account = 'wht_due'), 0) as wht
      from ledger_entries where account in ('fee_income', 'vat_due', 'wht_due')
    )
    select 'settlement is not its parts' as violation, jsonb_build_object('settlementId', id, 'netKobo', net_kobo,
      'netsKobo', nets, 'costsKobo', costs_kobo, 'takenKobo', costs) as row
    from settled where (net_kobo, fee_kobo, vat_kobo, wht_kobo, costs_kobo, farm_costs_kobo) <> (nets, fees, vats, whts, costs, farm_costs)
    union all
    select 'share is not what the quantity says', jsonb_build_object('settlementId', s.id, 'backingId', p.backing_id,
      'shareKobo', p.share_kobo)
    from settlement_parts p join settled s on s.id = p.settlement_id
    where abs(p.share_kobo * s.whole - s.divided * p.weight) >= s.whole
    union all
    select 'farm''s share is not what its quantity says', jsonb_build_object('settlementId', id, 'farmKobo', farm_kobo)
    from settled where whole > 0 and abs(farm_kobo * whole - divided * farm_quantity) >= whole
    union all
    select 'fee or tax is not what its rate says', jsonb_build_object('settlementId', s.id, 'backingId', p.backing_id,
      'feeKobo', p.fee_kobo, 'vatKobo', p.vat_kobo, 'whtKobo', p.wht_kobo)
    from settlement_parts p join settled s on s.id = p.settlement_id
    where (p.fee_kobo, p.vat_kobo, p.wht_kobo)
      <> (p.share_kobo * s.fee_rate / 10000, p.fee_kobo * s.vat_rate / 10000, p.share_kobo * s.wht_rate / 10000)
    union all
    select 'harvest is not what was allotted of it', jsonb_build_object('harvestId', h.id, 'quantity', h.quantity,
      'farmQuantity', h.farm_quantity, 'allotted', sum(p.quantity))
    from harvests h left join harvest_parts p on p.harvest_id = h.id
    where h.allotted_at is not null
    group by h.id having h.quantity <> h.farm_quantity + coalesce(sum(p.quantity), 0)
    union all
    select 'part of a settlement is not what was allotted', jsonb_build_object('settlementId', s.id, 'backingId', p.backing_id,
      'weight', p.weight)
    from settlement_parts p join settlements s on s.id = p.settlement_id join harvests h on h.id = s.harvest_id
      left join harvest_parts a on a.harvest_id = h.id and a.backing_id = p.backing_id
      left join round_weights w on w.project_id = h.project_id and w.round = h.round and w.backing_id = p.backing_id
      cross join lateral (
        -- The books' order says which strikes came after the settlement.
        select coalesce(sum(v.amount_kobo), 0) as kobo from ledger_transactions st
          join ledger_transactions x on x.kind = 'strike' and x.id > st.id and x.project_id = h.project_id and x.round = h.round
          join payment_strikes y on y.payment_id = x.payment_id and y.backing_id = p.backing_id
          join project_payments v on v.id = x.payment_id
        where st.settlement_id = s.id and st.kind = 'settlement'
      ) later
    where p.weight is distinct from case when h.is_insurance then w.weight_kobo - w.struck_kobo + later.kobo
        when s.pool = 'sold' then div(a.sold::numeric * (a.weight_kobo - a.struck_kobo + later.kobo), a.weight_kobo)
        when a.uncollected_at is not null then div(a.taken::numeric * (a.weight_kobo - a.struck_kobo + later.kobo), a.weight_kobo) end
      or (p.user_id is distinct from coalesce(a.user_id, w.user_id) and not exists (
        select from holder_changes c where c.outcome = 'carried_out' and c.backing_id = p.backing_id and c.from_user_id = p.user_id))
    union all
    select 'proceeds of a harvest are not in the ledger', jsonb_build_object('harvestId', id, 'proceedsKobo', proceeds,
      'postedKobo', posted_proceeds)
    from books where proceeds <> posted_proceeds or proceeds < 0
    union all
    select 'costs of a harvest are not in the ledger', jsonb_build_object('harvestId', id, 'costsKobo', costs,
      'postedKobo', posted_costs)
    from books where costs <> posted_costs
    union all
    select 'harvest doesn''t say whether its costs were lost', jsonb_build_object('harvestId', h.id,
      'costsLostAt', h.costs_lost_at, 'lostKobo', l.lost)
    from harvests h left join (
      select t.harvest_id, sum(e.amount_kobo) as lost
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'losses'
      where t.kind = 'harvest_costs_left' group by t.harvest_id
    ) l on l.harvest_id = h.id
    where (h.costs_lost_at is not null) <> (coalesce(l.lost, 0) > 0)
    union all
    select 'sale that is on its way stands elsewhere than its lines say', jsonb_build_object('saleId', s.id, 'seenKobo', s.seen,
      'postedKobo', e.posted)
    from sales s cross join lateral (
      select coalesce(sum(amount_kobo), 0) as posted from ledger_entries where account = 'in_transit' and sale_id = s.id
    ) e
    where e.posted <> case when s.is_declared then s.amount_kobo - s.seen - s.away else 0 end
      or s.seen + s.away > s.amount_kobo or (s.is_removed and (s.is_declared or s.seen + s.away > 0))
    union all
    select 'what the bank took back of a settled sale stands elsewhere than its lines say', jsonb_build_object('saleId', s.id,
      'awayKobo', s.away, 'lostKobo', s.lost_kobo, 'postedKobo', e.posted)
    from sales s cross join lateral (
      select coalesce(sum(amount_kobo), 0) as posted from ledger_entries where account = 'receivable' and sale_id = s.id
    ) e
    where e.posted <> s.away - s.lost_kobo or e.posted < 0 or s.seen < 0
    union all
    select 'more was sold of a harvest than there was to sell', jsonb_build_object('harvestId', h.id, 'pool', s.pool,
      'sold', sum(s.quantity))
    from harvest_sales s join harvests h on h.id = s.harvest_id and not h.is_insurance cross join lateral (
      select coalesce(sum(p.sold), 0) as sold, coalesce(sum(p.taken) filter (where p.uncollected_at is not null), 0) as uncollected
      from harvest_parts p where p.harvest_id = h.id
    ) a
    where s.removed_at is null
    group by h.id, s.pool, a.sold, a.uncollected
    having sum(s.quantity) > case s.pool when 'sold' then coalesce(h.farm_quantity, 0) + a.sold else a.uncollected end
    union all
    select 'more was taken of a cost than it was', jsonb_build_object('costId', c.id, 'amountKobo', c.amount_kobo,
      'takenKobo', sum(t.amount_kobo))
    from harvest_costs c join settlement_costs t on t.cost_id = c.id
      join settlements s on s.id = t.settlement_id and s.reversed_at is null
    group by c.id having sum(t.amount_kobo) > c.amount_kobo or c.removed_at is not null
    union all
    select 'more of a cost fell on what nobody collected than its part', jsonb_build_object('costId', c.id,
      'amountKobo', c.amount_kobo, 'takenKobo', sum(t.amount_kobo))
    from harvest_costs c join harvests h on h.id = c.harvest_id and not h.is_insurance
      join settlement_costs t on t.cost_id = c.id
      join settlements s on s.id = t.settlement_id and s.reversed_at is null and s.pool = 'uncollected'
      cross join lateral (
        select coalesce(h.farm_quantity, 0) + coalesce(sum(p.sold), 0) as sold,
          coalesce(sum(p.taken) filter (where p.uncollected_at is not null), 0) as uncollected
        from harvest_parts p where p.harvest_id = h.id
      ) q
    group by c.id, q.sold, q.uncollected
    having sum(t.amount_kobo) * (q.sold + q.uncollected) > c.amount_kobo * q.uncollected + q.sold + q.uncollected
    union all
    select 'more of a tax was passed on than settlements owe', jsonb_build_object('vatKobo', vat, 'whtKobo', wht)
    from income where vat < 0 or wht < 0
    union all
    select 'fees and taxes are not those of the settlements', jsonb_build_object('feeKobo', i.fee, 'postedFeeKobo', p.fee,
      'vatKobo', i.vat, 'postedVatKobo', p.vat, 'whtKobo', i.wht, 'postedWhtKobo', p.wht)
    from income i cross join posted p where (i.fee, i.vat, i.wht) <> (p.fee, p.vat, p.wht)
    union all
    select 'payouts are not their settlement', jsonb_build_object('settlementId', s.id, 'userId', p.user_id,
      'owedKobo', p.owed, 'payoutsKobo', p.paid)
    from settlements s cross join lateral (
      select coalesce(o.user_id, q.user_id) as user_id, coalesce(o.owed, 0) as owed, coalesce(q.paid, 0) as paid
      from (
        select q.user_id, sum(q.net_kobo) - coalesce((select sum(k.net) from struck k
            where k.settlement_id = s.id and k.backing_id = any(array_agg(q.backing_id))), 0) as owed
        from settlement_parts q where q.settlement_id = s.id group by q.user_id
        union all select null, s.farm_kobo + s.farm_costs_kobo - s.farm_deducted_kobo
      ) o full join (
        -- Whose it was by the settlement, whoever holds the lots since.
        select coalesce(former_user_id, user_id) as user_id, sum(amount_kobo) as paid from payouts
        where settlement_id = s.id and state not in ('failed', 'cancelled') group by 1
      ) q on coalesce(q.user_id::text, 'farm') = coalesce(o.user_id::text, 'farm')
    ) p
    where p.paid <> case when s.reversed_at is null then p.owed else 0 end
    union all
    select 'harvest''s state is not that of its settlements', jsonb_build_object('harvestId', h.id, 'state', h.state,
      'settlements', s.standing)
    from harvests h cross join lateral (
      select count(*) as standing from settlements where harvest_id = h.id and reversed_at is null
    ) s
    where (h.state = 'settled' and s.standing = 0) or (h.state in ('draft', 'choosing', 'allotted', 'lost', 'withdrawn') and s.standing > 0)
    union all
    select 'what backings count is kept by no harvest', jsonb_build_object('projectId', w.project_id, 'round', w.round)
    from round_weights w
    where not exists (select from harvests h where h.project_id = w.project_id and h.round = w.round and (
        (h.state <> 'withdrawn' and (h.opened_at is not null or h.state in ('lost', 'settled', 'done')))
        or exists (select from settlements s where s.harvest_id = h.id)))
    group by w.project_id, w.round
    union all
    select 'harvest began, and what backings count isn''t kept', jsonb_build_object('harvestId', h.id, 'state', h.state)
    from harvests h
    where h.state <> 'withdrawn' and (h.opened_at is not null or h.state in ('lost', 'settled', 'done'))
      and not exists (select from round_weights w where w.project_id = h.project_id and w.round = h.round)
    union all
    select 'approved payment without its part in the harvest', jsonb_build_object('paymentId', p.id, 'round', p.round)
    from project_payments p
    where p.status = 'approved' and not exists (select from payment_strikes k where k.payment_id = p.id) and exists (
        select from round_weights w where w.project_id = p.project_id and w.round = p.round)
      and not exists (
        select from round_weights w where w.project_id = p.project_id and w.round = p.round and w.user_id = p.user_id
          and w.weight_kobo - w.struck_kobo >= p.amount_kobo)
    union all
    select 'part of a round is not what was paid and granted', jsonb_build_object('backingId', b.id, 'round', r.round,
      'frozenKobo', w.weight_kobo - w.struck_kobo, 'paidKobo', p.paid, 'grantedKobo', g.weight_kobo)
    from project_backings b
      join (select distinct project_id, round from round_weights) r on r.project_id = b.project_id
      -- Of a backing that ended since somebody keeps what it counts, though they back the project anew.
      left join round_weights w on w.project_id = r.project_id and w.round = r.round and w.user_id = b.user_id
        and (w.backing_id = b.id or exists (
          select from holder_changes c where c.outcome = 'carried_out' and c.backing_id = w.backing_id))
      left join backing_weights g on g.backing_id = b.id and g.round = r.round
      cross join lateral (
        select coalesce(sum(amount_kobo), 0) as paid from project_payments
        where project_id = b.project_id and round = r.round and user_id = b.user_id and status = 'approved'
          and not exists (select from payment_strikes k where k.payment_id = project_payments.id)
      ) p
    where coalesce(w.weight_kobo - w.struck_kobo, 0) <> p.paid + coalesce(g.weight_kobo, 0)
    union all
    select 'part of a harvest counts what was struck', jsonb_build_object('harvestId', a.harvest_id, 'backingId', a.backing_id,
      'countsKobo', a.weight_kobo - a.struck_kobo, 'frozenKobo', w.weight_kobo - w.struck_kobo)
    from harvest_parts a join harvests h on h.id = a.harvest_id and h.state <> 'withdrawn'
      left join round_weights w on w.project_id = h.project_id and w.round = h.round and w.backing_id = a.backing_id
    where a.weight_kobo - a.struck_kobo is distinct from w.weight_kobo - w.struck_kobo
    union all
    select 'struck of a part is not of its payments', jsonb_build_object('backingId', w.backing_id, 'round', w.round,
      'struckKobo', w.struck_kobo, 'paymentsKobo', k.kobo)
    from round_weights w cross join lateral (
      select coalesce(sum(p.amount_kobo), 0) as kobo from payment_strikes k join project_payments p on p.id = k.payment_id
      where k.project_id = w.project_id and k.round = w.round and (k.user_id = w.user_id or exists (
        select from holder_changes c where c.backing_id = w.backing_id and c.from_user_id = k.user_id))
    ) k
    where w.struck_kobo > k.kobo
    union all
    select 'more was taken out of a settlement than it gave', jsonb_build_object('settlementId', k.settlement_id,
      'backingId', k.backing_id, 'takenKobo', k.net)
    from struck k left join settlement_parts q on q.settlement_id = k.settlement_id and q.backing_id = k.backing_id
    where q.user_id is null or least(q.share_kobo - k.share, q.fee_kobo - k.fee, q.vat_kobo - k.vat,
      q.wht_kobo - k.wht, q.net_kobo - k.net) < 0
    union all
    select 'share of a struck payment is still to be paid', jsonb_build_object('settlementId', s.id, 'userId', q.user_id,
      'openKobo', o.kobo, 'toTakeKobo', t.kobo)
    from settlements s join harvests h on h.id = s.harvest_id join settlement_parts q on q.settlement_id = s.id
      join round_weights w on w.project_id = h.project_id and w.round = h.round and w.backing_id = q.backing_id
      left join struck k on k.settlement_id = s.id and k.backing_id = q.backing_id
      cross join lateral (
        select coalesce(sum(v.amount_kobo), 0) as kobo from ledger_transactions st
          join ledger_transactions x on x.kind = 'strike' and x.id > st.id and x.project_id = h.project_id and x.round = h.round
          join payment_strikes y on y.payment_id = x.payment_id and y.backing_id = q.backing_id
          join project_payments v on v.id = x.payment_id
        where st.settlement_id = s.id and st.kind = 'settlement'
      ) later
      cross join lateral (
        select div(q.net_kobo::numeric * later.kobo, w.weight_kobo - w.struck_kobo + later.kobo) - coalesce(k.net, 0) as kobo
      ) t
      cross join lateral (
        select coalesce(sum(amount_kobo), 0) as kobo from payouts
        where settlement_id = s.id and coalesce(former_user_id, user_id) = q.user_id and state in ('waiting', 'due')
      ) o
    where s.reversed_at is null and later.kobo > 0 and least(t.kobo, o.kobo) > 0
    union all
    select 'produce stands elsewhere than its parts say', jsonb_build_object('harvestId', p.harvest_id, 'userId', p.user_id,
      'expectedKobo', p.expected, 'stockKobo', e.stock, 'dueKobo', e.due)
    from (
      select h.harvest_id, h.user_id, sum(case when h.collected_at is null and h.uncollected_at is null and v.state <> 'lost'
        then coalesce(h.produce_kobo, 0) else 0 end) as expected
      from harvest_parts h join harvests v on v.id = h.harvest_id group by h.harvest_id, h.user_id
    ) p cross join lateral (
      select coalesce(sum(amount_kobo) filter (where account = 'produce_stock'), 0) as stock,
        coalesce(-sum(amount_kobo) filter (where account = 'produce_due'), 0) as due
      from ledger_entries where account in ('produce_stock', 'produce_due') and harvest_id = p.harvest_id and user_id = p.user_id
    ) e
    where e.stock <> p.expected or e.due <> p.expected`,
};
