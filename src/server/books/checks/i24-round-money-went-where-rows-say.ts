import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * A round's money went where its rows say: to releases, less what lines show its farm paid back, and to returns to
 * backers. It is never more than the round was paid.
 *
 * A finding means that a farm or backers got money of another round, or that a round's money is looked for in the wrong
 * place.
 */
export const roundMoneyWentWhereRowsSay: Invariant = {
  name: "I24 what went on of a round is its releases, less what was paid back, and its returns",
  query: () => sql`
    with rounds as (
      select project_id, round, -sum(amount_kobo) as owed,
        coalesce(sum(amount_kobo) filter (where account = 'farm_released'), 0) as gone
      from ledger_entries where account in ('project_funding', 'farm_released') group by project_id, round
    ), paid_back as (
      select release_id, sum(amount_kobo) as kobo from line_matches
      where release_id is not null and undone_at is null group by release_id
    ), went as (
      select project_id, round, amount_kobo as kobo from farm_releases where taken_back_at is null
      union all
      select project_id, round, amount_kobo from round_returns where taken_back_at is null
      union all
      select f.project_id, f.round, -b.kobo from paid_back b join farm_releases f on f.id = b.release_id
    )
    select 'more went on than the round was paid' as violation, jsonb_build_object('projectId', project_id, 'round', round,
      'owedKobo', owed) as row
    from rounds where owed < 0
    union all
    select 'releases, returns and ledger differ', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'ledgerKobo', r.gone, 'rowsKobo', coalesce(sum(w.kobo), 0))
    from rounds r left join went w on w.project_id = r.project_id and w.round = r.round
    group by r.project_id, r.round, r.gone having r.gone <> coalesce(sum(w.kobo), 0)
    union all
    select 'a farm paid more back than it got', jsonb_build_object('releaseId', b.release_id, 'paidBackKobo', b.kobo)
    from paid_back b where b.kobo > (
      select coalesce(sum(amount_kobo), 0) from payouts where release_id = b.release_id and state in ('sent', 'paid'))
    union all
    select 'return that no second person confirmed', jsonb_build_object('returnId', f.id, 'requestId', f.request_id)
    from round_returns f join second_person_requests q on q.id = f.request_id
    where q.kind <> 'return_to_backers' or q.decision is distinct from 'confirmed'`,
};
