import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * An approved payment has a backing, a sold out round is closed, a backing has a grant or an approved payment. A
 * payment that was struck counts as none.
 *
 * Who backs a project is read from the backings, who paid from the payments. A finding means that somebody paid and
 * isn't a backer, or is a backer whom nothing supports, or that a project still sells a round that is over.
 */
export const approvalsHaveBackings: Invariant = {
  name: "I3 an approved payment has a backing, a sold out round is closed, a backing has a grant or an approved payment",
  query: () => sql`
    select 'approved payment without a backing' as violation,
      jsonb_build_object('paymentId', p.id, 'projectId', p.project_id, 'userId', p.user_id) as row
    from project_payments p
    where p.status = 'approved' and p.project_id is not null and not exists (
      select from payment_strikes k where k.payment_id = p.id) and not exists (
      select from project_backings b where b.project_id = p.project_id and b.user_id = p.user_id)
    union all
    select 'open project whose round is sold out or decided', jsonb_build_object('projectId', j.id, 'round', j.round)
    from projects j join project_rounds r on r.project_id = j.id and r.round = j.round
    where not j.is_closed and (r.approved_lots = r.lots or r.outcome is not null)
    union all
    select 'backing that nothing supports',
      jsonb_build_object('backingId', b.id, 'projectId', b.project_id, 'userId', b.user_id)
    from project_backings b
    where b.granted_at is null and not exists (
      select from project_payments p
      where p.project_id = b.project_id and p.user_id = b.user_id and p.status = 'approved' and not exists (
        select from payment_strikes k where k.payment_id = p.id))`,
};
