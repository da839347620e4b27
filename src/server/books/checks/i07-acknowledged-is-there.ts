import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Acknowledged rows are there, and the same idempotency key gives the same reply.
 *
 * A backer who was told that their receipt came finds it again, once. A finding means that rows were lost, or that a
 * request sent twice made two payments. The stored files of I7 are checked in `#server/files/checks.ts`.
 */
export const acknowledgedIsThere: Invariant = {
  name: "I7 what was acknowledged is there, and the same idempotency key gives the same reply",
  query: () => sql`
    select 'several receipts of one idempotency key' as violation, jsonb_build_object('userId', user_id,
      'receiptIds', jsonb_agg(id order by created_at, id)) as row
    from payment_receipts group by user_id, idempotency_key having count(*) > 1
    union all
    select 'receipt whose payment is gone or another person''s',
      jsonb_build_object('receiptId', r.id, 'paymentId', r.payment_id, 'userId', r.user_id)
    from payment_receipts r left join project_payments p on p.id = r.payment_id
    where p.id is null or not has_held(p.id, r.user_id)
    union all
    select 'payment with another reference than its backer was given', jsonb_build_object('paymentId', p.id,
      'reference', p.reference, 'givenTo', r.user_id)
    from project_payments p left join payment_references r on r.reference = p.reference
    where p.project_id is not null and (p.project_id is distinct from r.project_id or has_held(p.id, r.user_id) is not true)
    union all
    select 'decided payment is gone', jsonb_build_object('auditId', a.id, 'paymentId', a.details->'paymentId')
    from audit_logs a left join project_payments p on p.id = (a.details->>'paymentId')::bigint
    where a.action_type = 'update_payment_status' and p.id is null`,
};
