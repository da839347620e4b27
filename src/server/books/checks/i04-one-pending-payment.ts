import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * At most one pending payment per project and backer.
 *
 * A further receipt replaces the one under review. A finding means that one transfer may be approved twice.
 */
export const onePendingPayment: Invariant = {
  name: "I4 at most one pending payment per project and backer",
  query: () => sql`
    select 'several pending payments of one backer' as violation, jsonb_build_object('projectId', project_id,
      'userId', user_id, 'paymentIds', jsonb_agg(id order by id)) as row
    from project_payments where status = 'pending' and project_id is not null
    group by project_id, user_id having count(*) > 1`,
};
