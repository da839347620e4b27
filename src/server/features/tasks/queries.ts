import { sql } from "drizzle-orm";
import { rows } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Unit } from "#shared/projects/terms-texts.ts";
import type { Task } from "#shared/tasks/texts.ts";

type Row = {
  kind: Exclude<Task["kind"], "give_account">;
  projectId: number;
  projectTitle: string;
  until: string;
  lots: number | null;
  quantity: string | null;
  unit: Unit | null;
  isFrom: boolean | null;
};

const shown = 50;

/**
 * Lists the caller's tasks, the first deadline first: a share to choose about, produce to collect, lots to pay for or
 * to take, a change of holder to object to, and money that waits for an account.
 */
export async function listMyTasks({ db, actor, clock }: ActorContext): Promise<Task[]> {
  const now = clock.now().toISOString();
  const found = await rows<Row>(
    db,
    sql`select t.kind, t.project_id as "projectId", p.title as "projectTitle", t.until::text as until, t.lots,
        t.quantity::text as quantity, t.unit, t.is_from as "isFrom"
      from (
        select 'choose' as kind, h.project_id, h.chooses_until as until, null::int as lots, null::bigint as quantity, null as unit,
          null::boolean as is_from
        from harvest_parts o join harvests h on h.id = o.harvest_id
        where o.user_id = ${actor.id} and o.chosen_at is null and h.state = 'choosing' and h.chooses_until > ${now}::timestamptz
        union all
        select 'collect', h.project_id, h.collects_until, null, o.taken, m.unit, null
        from harvest_parts o join harvests h on h.id = o.harvest_id
          join project_rounds r on r.project_id = h.project_id and r.round = h.round
          join round_terms m on m.project_id = r.project_id and m.round = r.round and m.version = r.terms_version
        where o.user_id = ${actor.id} and o.code is not null and o.collected_at is null and o.uncollected_at is null
          and h.collects_until >= ${now}::timestamptz
        union all
        select case when d.reference is null then 'take_offer' else 'pay' end, d.project_id, d.until, d.lots, null, null, null
        from holds d where d.user_id = ${actor.id} and d.state = 'live' and not d.has_receipt and d.until > ${now}::timestamptz
        union all
        select 'object', c.project_id, c.until, null, null, null, c.from_user_id = ${actor.id}
        from holder_changes c
        where ${actor.id} in (c.from_user_id, c.to_user_id) and c.outcome is null and c.until > ${now}::timestamptz
      ) t join projects p on p.id = t.project_id
      order by t.until, t.project_id limit ${shown}`,
  );
  const tasks = found.map(({ until, quantity, unit, lots, isFrom, ...about }): Task => {
    const of = { projectId: about.projectId, projectTitle: about.projectTitle, until: new Date(until) };
    if (about.kind === "choose") return { kind: about.kind, ...of };
    if (about.kind === "collect") {
      return { kind: about.kind, ...of, quantity: BigInt(quantity ?? 0), unit: unit ?? "share" };
    }
    if (about.kind === "object") return { kind: about.kind, ...of, isFrom: isFrom ?? false };
    return { kind: about.kind, ...of, lots: lots ?? 0 };
  });
  const [waiting] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(amount_kobo), 0)::text as kobo from payouts
      where user_id = ${actor.id} and state = 'waiting'`,
  );
  const amountKobo = BigInt(waiting?.kobo ?? 0);
  return amountKobo > 0n ? [...tasks, { kind: "give_account", amountKobo, until: null }] : tasks;
}
