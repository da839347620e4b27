import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * No more lots are approved than a round has, the cached number is that of the payments, all lots are the goal.
 *
 * A round sells at most its lots, all lots together are the funding goal, and a round that is over is decided. A
 * finding means that more people paid for lots than there are lots, or that nobody can decide what becomes of their
 * money.
 */
export const roundIsNotOversold: Invariant = {
  name: "I2 no more lots are approved than a round has, the cached number is that of the payments, all lots are the goal",
  query: () => sql`
    with rounds as (
      select r.project_id, r.round, r.lots, r.approved_lots, r.lot_price_kobo, r.outcome, j.round as current_round,
        j.funding_goal_kobo, coalesce(sum(p.lots), 0) as approved
      from project_rounds r join projects j on j.id = r.project_id
        left join project_payments p on p.project_id = r.project_id and p.round = r.round and p.status = 'approved'
      group by r.project_id, r.round, j.id
    )
    select 'more lots are approved than the round has' as violation, jsonb_build_object('projectId', project_id,
      'round', round, 'lots', lots, 'approved', approved) as row
    from rounds where approved > lots
    union all
    select 'approved lots are not those of the payments', jsonb_build_object('projectId', project_id,
      'round', round, 'approvedLots', approved_lots, 'approved', approved)
    from rounds where approved <> approved_lots
    union all
    select 'all lots together are not the goal', jsonb_build_object('projectId', project_id, 'round', round,
      'lots', lots, 'lotPriceKobo', lot_price_kobo, 'goalKobo', funding_goal_kobo)
    from rounds where round = current_round and lots * lot_price_kobo <> funding_goal_kobo
    union all
    select 'sold out round is not funded', jsonb_build_object('projectId', project_id, 'round', round, 'outcome', outcome)
    from rounds where approved = lots and coalesce(outcome, '') not in ('funded', 'written_off')
    union all
    select 'earlier round with approved lots that nobody can decide', jsonb_build_object('projectId', project_id,
      'round', round, 'approved', approved)
    from rounds where round < current_round and approved > 0 and outcome is null
    union all
    select 'payment of a round that is not there', jsonb_build_object('paymentId', p.id, 'round', p.round)
    from project_payments p
    where p.project_id is not null and not exists (
      select from project_rounds r where r.project_id = p.project_id and r.round = p.round)`,
};
