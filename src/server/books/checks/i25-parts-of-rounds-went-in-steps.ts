import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * A round's money went to its farm in the parts of its terms: whoever checked a part isn't who asked for it, whoever
 * released it is neither, and no more went than the part was when it went.
 *
 * A finding means that one person alone sent money on that takes three, or that a farm got money of a part that isn't
 * due yet.
 */
export const partsWentInSteps: Invariant = {
  name: "I25 a round's money went to its farm in the parts of its terms, each asked for, checked and released by different people",
  query: () => sql`
    with agreed as (
      select r.project_id, r.round, coalesce(nullif(t.release_parts, '[]'), '[{"rate": 10000}]') as parts,
        t.release_parts <> '[]' as has_steps
      from project_rounds r join round_terms t
        on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
    ), released as (
      select f.*,
        -- The release by the request of two owners, or of the only one there is.
        exists (select from second_person_requests q where q.id = f.request_id and q.kind = 'release_to_farm'
          and q.decision = 'confirmed' and q.decided_by = f.made_by and q.subject = f.project_id || '/' || f.round
          and q.details->>'part' = f.part::text and q.details->>'amountKobo' = f.amount_kobo::text) as is_confirmed
      from farm_releases f
    ), went as (
      -- All that a round was paid, and that went to its farm as a part, up to each transaction.
      select t.id, t.kind, t.release_id, e.project_id, e.round, f.part,
        sum(case e.account when 'project_funding' then -e.amount_kobo else 0 end) over of_round as raised,
        sum(case e.account when 'farm_released' then e.amount_kobo else 0 end) over of_part as gone
      from ledger_transactions t join ledger_entries e
          on e.transaction_id = t.id and e.account in ('project_funding', 'farm_released')
        left join line_matches m on m.id = t.match_id
        left join farm_releases f on f.id = coalesce(t.release_id, m.release_id)
      window of_round as (partition by e.project_id, e.round order by t.id),
        of_part as (partition by e.project_id, e.round, f.part order by t.id)
    ), amounts as (
      select w.release_id, w.part, w.gone, a.project_id, a.round, p.part as of_part, w.raised,
        div(w.raised * p.rate, 10000) as least,
        row_number() over (partition by w.release_id order by mod(w.raised * p.rate, 10000) desc, p.part) as place,
        w.raised - sum(div(w.raised * p.rate, 10000)) over (partition by w.release_id) as rest
      from went w join agreed a on a.project_id = w.project_id and a.round = w.round
        cross join lateral (
          select ordinality as part, (one->>'rate')::bigint as rate
          from jsonb_array_elements(a.parts) with ordinality as parts (one, ordinality)
        ) p
      where w.kind = 'farm_release'
    )
    select 'parts of terms are not the whole' as violation, jsonb_build_object('projectId', t.project_id, 'round', t.round,
      'version', t.version, 'sum', sum((one->>'rate')::int)) as row
    from round_terms t cross join lateral jsonb_array_elements(t.release_parts) as one
    group by t.project_id, t.round, t.version having sum((one->>'rate')::int) <> 10000
    union all
    select 'part checked by whoever asked for it', jsonb_build_object('askId', a.id, 'projectId', a.project_id, 'round', a.round)
    from release_asks a
    where a.verdict = 'checked' and a.decided_by = a.asked_by and not exists (
      select from second_person_requests q
      where q.id = a.request_id and q.kind = 'release_to_farm' and q.decision = 'confirmed'
        and q.requested_by = a.asked_by and q.decided_by = a.asked_by and q.subject = a.project_id || '/' || a.round
        and q.details->>'part' = a.part::text)
    union all
    select 'part released by whoever asked for it or checked it', jsonb_build_object('releaseId', f.id, 'askId', a.id)
    from released f join release_asks a on a.id = f.ask_id
    where not f.is_confirmed
      and (f.made_by = a.asked_by or a.verdict = 'checked' and f.made_by = a.decided_by)
    union all
    select 'release by a request that nobody confirmed', jsonb_build_object('releaseId', f.id, 'requestId', f.request_id)
    from released f where not f.is_confirmed and (f.request_id is not null or f.public_reason is not null)
    union all
    select 'released without a checked ask', jsonb_build_object('releaseId', f.id, 'askId', f.ask_id, 'part', f.part)
    from released f join agreed g on g.project_id = f.project_id and g.round = f.round and g.has_steps
    where not exists (
      select from release_asks a
      where a.id = f.ask_id and a.project_id = f.project_id and a.round = f.round and a.part = f.part
        -- A check may be taken back once nothing that was released by it is left.
        and (a.verdict = 'checked' or a.verdict = 'refused' and a.decided_at >= f.created_at))
    union all
    select 'more went to a farm than the part was', jsonb_build_object('releaseId', release_id, 'projectId', project_id,
      'round', round, 'part', part, 'raisedKobo', raised, 'goneKobo', gone)
    from amounts
    where of_part = part and gone > least + (place <= rest)::int
    union all
    select 'part left out, or taken in again, without a second person', jsonb_build_object('skipId', s.id,
      'projectId', s.project_id, 'round', s.round)
    from release_skips s
    where exists (
      select from (values (s.request_id, 'true', s.skipped_by), (s.taken_back_request_id, 'false', null))
        as said (request_id, is_skipped, by)
      where said.request_id is not null and not exists (
        select from second_person_requests q
        where q.id = said.request_id and q.kind = 'skip_part' and q.decision = 'confirmed'
          and q.decided_by = coalesce(said.by, q.decided_by)
          and q.subject = s.project_id || '/' || s.round || '/' || s.part and q.details->>'isSkipped' = said.is_skipped))
    union all
    select 'released though it is left out', jsonb_build_object('releaseId', f.id, 'skipId', s.id)
    from released f join release_skips s
      on s.project_id = f.project_id and s.round = f.round and s.part = f.part and s.taken_back_at is null
    where f.taken_back_at is null and f.created_at > s.created_at`,
};
