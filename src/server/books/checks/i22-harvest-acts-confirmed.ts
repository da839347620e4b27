import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Harvest acts of two people were confirmed by a second person: sales that no line shows or that are no longer waited
 * for, costs that the farm paid, parts that nobody paid for, lost rests and lost costs.
 *
 * As I19, for harvests. A finding means that one person alone declared or removed money of a harvest, or lost it.
 */
export const harvestActsConfirmed: Invariant = {
  name: "I22 what takes two at a harvest was said by two: sales that no line shows or that are waited for no more, what the farm paid, parts that nobody paid for, lost rests and lost costs",
  query: () => sql`
    select 'sale declared or taken back without a second person' as violation, jsonb_build_object('transactionId', t.id,
      'saleId', t.sale_id, 'postedKobo', e.amount_kobo) as row
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'in_transit'
    where t.kind in ('sale_declared', 'sale_taken_back') and not exists (
      select from second_person_requests q
      where q.kind = case t.kind when 'sale_declared' then 'declare_sale' else 'take_back_sale' end
        and q.subject = t.sale_id::text and q.decision = 'confirmed' and q.decided_by = t.actor_id
        and q.details->>'amountKobo' = abs(e.amount_kobo)::text)
    union all
    select 'confirmed, and not posted', jsonb_build_object('requestId', q.id, 'saleId', q.subject)
    from second_person_requests q
    where q.kind in ('declare_sale', 'take_back_sale') and q.decision = 'confirmed' and not exists (
      select from ledger_transactions t
      where t.kind = case q.kind when 'declare_sale' then 'sale_declared' else 'sale_taken_back' end
        and t.sale_id::text = q.subject)
    union all
    select 'sale removed without a second person', jsonb_build_object('saleId', s.id)
    from harvest_sales s
    where s.removed_at is not null and not exists (
      select from second_person_requests q
      where q.kind = 'remove_sale' and q.subject = s.id::text and q.decision = 'confirmed' and q.decided_by = s.removed_by)
    union all
    select 'money of a sale taken back without a second person', jsonb_build_object('matchId', m.id, 'saleId', m.sale_id)
    from line_matches m where m.kind = 'sale_taken_back' and m.request_id is null
    union all
    select 'money of a sale lost without a second person', jsonb_build_object('transactionId', t.id, 'saleId', e.sale_id,
      'lostKobo', -e.amount_kobo)
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'receivable'
    where t.kind = 'sale_lost' and not exists (
      select from second_person_requests q
      where q.kind = 'lose_sale' and q.subject = e.sale_id::text and q.decision = 'confirmed' and q.decided_by = t.actor_id
        and q.details->>'amountKobo' = (-e.amount_kobo)::text)
    union all
    select 'cost of the farm counted without a second person', jsonb_build_object('costId', c.id, 'amountKobo', c.amount_kobo)
    from harvest_costs c
    where c.paid_by = 'farm'
      and (c.request_id is not null or exists (select from settlement_costs t where t.cost_id = c.id))
      and not exists (
        select from second_person_requests q
        where q.id = c.request_id and q.kind = 'count_cost' and q.subject = c.id::text and q.decision = 'confirmed'
          and q.details->>'amountKobo' = c.amount_kobo::text)
    union all
    select 'part without payment given without a second person', jsonb_build_object('backingId', w.backing_id,
      'round', w.round, 'weightKobo', w.weight_kobo)
    from backing_weights w join project_backings b on b.id = w.backing_id
    where not exists (
      select from second_person_requests q
      where q.kind = 'set_weight' and q.subject = b.project_id || '/' || b.user_id || '/' || w.round
        and q.decision = 'confirmed' and q.details->>'weightKobo' = w.weight_kobo::text)
      and not exists (
        select from holder_changes c where c.outcome = 'carried_out' and c.to_user_id = b.user_id
          and c.project_id = b.project_id and c.round = w.round)
    union all
    select 'rest of a harvest lost without a second person', jsonb_build_object('harvestId', h.id)
    from harvests h
    where h.rest_lost_at is not null and not exists (
      select from second_person_requests q
      where q.kind = 'lose' and q.subject = h.id || '/rest' and q.decision = 'confirmed' and q.decided_at <= h.rest_lost_at)
    union all
    select 'costs of a harvest lost without a second person', jsonb_build_object('harvestId', t.harvest_id,
      'transactionId', t.id, 'lostKobo', e.amount_kobo)
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'losses' and e.amount_kobo > 0
    where t.kind = 'harvest_costs_left' and not exists (
        select from second_person_requests q
        where q.kind = 'lose' and q.subject in (t.harvest_id || '/rest', t.harvest_id || '/costs')
          and q.decision = 'confirmed' and q.decided_by = t.actor_id and q.details->>'lostKobo' = e.amount_kobo::text)`,
};
