import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The ledger holds exactly the approved payments, each in its round, and nothing of any other.
 *
 * A round is owed the sum of its approved payments. A finding means that a payment was approved, taken back or changed
 * without its posting, or that a posting names another round than its payment.
 */
export const ledgerHoldsApprovals: Invariant = {
  name: "I5 the ledger holds exactly the approved payments, each in its round, and nothing of any other",
  query: () => sql`
    select 'payment and ledger differ' as violation, jsonb_build_object('paymentId', p.id, 'status', p.status,
      'amountKobo', p.amount_kobo, 'postedKobo', coalesce(posted.total, 0)) as row
    from project_payments p left join (
      select t.payment_id, -sum(e.amount_kobo) as total
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where e.account = 'project_funding' group by t.payment_id
    ) posted on posted.payment_id = p.id
    where coalesce(posted.total, 0) <> case when p.status = 'approved' then p.amount_kobo else 0 end
    union all
    select 'standing posting in another round or project than its payment', jsonb_build_object('transactionId', t.id,
      'paymentId', t.payment_id, 'round', t.round, 'paymentRound', p.round)
    from ledger_transactions t left join project_payments p on p.id = t.payment_id
    where t.kind = 'approval' and not exists (select from ledger_transactions r where r.reverses_id = t.id)
      and (p.id is null or p.round is distinct from t.round or not has_held(p.id, t.user_id)
        or (p.project_id is not null and p.project_id <> t.project_id))
    union all
    select 'reversal that doesn''t take back what its approval posted',
      jsonb_build_object('transactionId', r.id, 'approvalId', a.id, 'paymentId', r.payment_id)
    from ledger_transactions r join ledger_transactions a on a.id = r.reverses_id
    where a.kind <> 'approval'
      or (r.payment_id, r.project_id, r.round, r.user_id) <> (a.payment_id, a.project_id, a.round, a.user_id)
      or exists (
        select from ledger_entries e where e.transaction_id in (a.id, r.id) and e.account = 'project_funding'
        having sum(e.amount_kobo) <> 0)`,
};
