import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Current funding is the ledger's sum for the current round, the number of backers that of the backings.
 *
 * Current funding and the number of backers are caches that pages show. A finding means that visitors read a sum that
 * nobody paid, or a backer who isn't there; the ledger and the backings are right, and the cache is set to them.
 */
export const fundingIsLedgerSum: Invariant = {
  name: "I1 current funding is the ledger's sum for the current round, the number of backers that of the backings",
  query: () => sql`
    select 'funding is not the ledger''s sum' as violation, jsonb_build_object('projectId', p.id, 'round', p.round,
      'fundingKobo', p.current_funding_kobo, 'ledgerKobo', coalesce(posted.total, 0)) as row
    from projects p left join (
      select t.project_id, t.round, -sum(e.amount_kobo) as total
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where e.account = 'project_funding' group by t.project_id, t.round
    ) posted on posted.project_id = p.id and posted.round = p.round
    where p.current_funding_kobo <> coalesce(posted.total, 0)
    union all
    select 'number of backers is not that of the backings', jsonb_build_object('projectId', p.id,
      'backersCount', p.backers_count, 'backings', coalesce(counted.backings, 0))
    from projects p left join (select project_id, count(*) as backings from project_backings group by project_id) counted
      on counted.project_id = p.id
    where p.backers_count <> coalesce(counted.backings, 0)`,
};
