import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Held and approved lots are at most the lots of the round, and no hold stands two minutes past its end.
 *
 * Lots are held for one person until a moment. A finding means that two people were promised the same lot, or that the
 * job that ends holds doesn't run.
 */
export const heldLotsFitTheRound: Invariant = {
  name: "I16 held and approved lots are at most the lots of the round, and no hold stands two minutes past its end",
  query: (now) => sql`
    with held as (
      select r.project_id, r.round, r.lots, r.approved_lots, r.held_lots, coalesce(sum(h.lots), 0) as standing
      from project_rounds r left join holds h
        on h.project_id = r.project_id and h.round = r.round and h.state in ('live', 'claimed')
      group by r.project_id, r.round
    )
    select 'more lots are held and approved than the round has' as violation, jsonb_build_object('projectId', project_id,
      'round', round, 'lots', lots, 'approved', approved_lots, 'held', standing) as row
    from held where approved_lots + standing > lots
    union all
    select 'held lots are not those of the holds', jsonb_build_object('projectId', project_id, 'round', round,
      'heldLots', held_lots, 'held', standing)
    from held where held_lots <> standing
    union all
    select 'hold that stands past its end', jsonb_build_object('holdId', id, 'until', until)
    from holds where state = 'live' and until < ${now.toISOString()}::timestamptz - interval '2 minutes'`,
};
