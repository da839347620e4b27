import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { readParts } from "#server/features/payouts/release-parts/queries.ts";
import type { WaitingMoney } from "#shared/dashboard/waiting-texts.ts";

/** The farms' money that waits for an owner, over all projects that still exist. */

/** `done` counts how often it was done before: money that waits anew after that is another event. */
export type WaitingSince = WaitingMoney & { done: number };

type Row = {
  kind: WaitingMoney["kind"];
  projectId: number;
  projectTitle: string;
  round: number;
  kobo: string;
  lots: number;
  approvedLots: number;
  harvestId: number;
  number: number;
  isInsurance: boolean;
  done: number;
};

/** So many are read, those of the oldest projects first. */
const shown = 100;

/** Closed rounds that nobody decided on. */
export const undecidedRounds = sql`
  select 1 as place, 'decide_round' as kind, r.project_id, r.round, 0::bigint as kobo, r.lots, r.approved_lots,
    0::bigint as harvest_id, 0 as number, false as is_insurance, r.approved_lots as done, p.closed_at as since
  from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
  where p.is_closed and r.outcome is null and r.approved_lots > 0`;

/** Money of sales that isn't settled. */
export const unsettledSales = sql`
  select 2 as place, 'settle_sales' as kind, h.project_id, h.round, proceeds.kobo::bigint, 0 as lots, 0 as approved_lots,
    h.id as harvest_id, h.number, h.is_insurance,
    (select count(*)::int from settlements s where s.harvest_id = h.id) as done, coalesce(h.allotted_at, h.created_at) as since
  from (
    select harvest_id, -sum(amount_kobo) as kobo from ledger_entries
    where account = 'harvest_proceeds' group by harvest_id having sum(amount_kobo) < 0
  ) proceeds join harvests h on h.id = proceeds.harvest_id
  where h.state in ('allotted', 'settled') or (h.is_insurance and h.state = 'draft')`;

/**
 * Rounds whose terms name parts, with what may still be released of those that were asked for and checked. A part of
 * which the farm has all isn't looked at.
 */
async function listCheckedParts(db: DbOrTx): Promise<{ projectId: number; round: number; kobo: string }[]> {
  const keys = await rows<{ projectId: number; round: number }>(
    db,
    sql`select distinct a.project_id as "projectId", a.round from release_asks a
        join project_rounds r on r.project_id = a.project_id and r.round = a.round and r.outcome = 'funded'
        join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
      where a.verdict = 'checked' and 10000 * coalesce((
          select sum(f.amount_kobo - coalesce((
            select sum(m.amount_kobo) from line_matches m where m.release_id = f.id and m.undone_at is null
          ), 0)) from farm_releases f
          where f.project_id = a.project_id and f.round = a.round and f.part = a.part and f.taken_back_at is null
        ), 0) < (t.release_parts->(a.part - 1)->>'rate')::int * (
          select coalesce(-sum(e.amount_kobo), 0) from ledger_entries e
          where e.account = 'project_funding' and e.project_id = a.project_id and e.round = a.round
        ) + 10000`,
  );
  const found = [];
  for (const key of keys) {
    const { parts } = await readParts(db, key);
    const kobo = parts.reduce(
      (sum, { ask, releasableKobo }) => sum + (ask?.verdict === "checked" ? releasableKobo : 0n),
      0n,
    );
    if (kobo > 0n) found.push({ ...key, kobo: String(kobo) });
  }
  return found;
}

/**
 * Selects the money of funded rounds that has arrived and may be released, but isn't. Where a round has parts, only
 * those that were checked count. Few payments are in transit, so they are looked up first.
 */
export const selectUnreleasedMoney = async (db: DbOrTx): Promise<SQL> => sql`
  select 3 as place, 'release_money' as kind, owed.project_id, owed.round,
    least(owed.kobo - coalesce(unseen.kobo, 0), checked.kobo)::bigint as kobo,
    0 as lots, 0 as approved_lots, 0::bigint as harvest_id, 0 as number, false as is_insurance,
    (select count(*)::int from farm_releases f where f.project_id = owed.project_id and f.round = owed.round) as done,
    coalesce((
      select max(a.decided_at) from release_asks a
      where a.project_id = owed.project_id and a.round = owed.round and a.verdict = 'checked'
    ), r.decided_at) as since
  from (
    select e.project_id, e.round, -sum(e.amount_kobo) as kobo
    from ledger_entries e
    where e.account in ('project_funding', 'farm_released') group by e.project_id, e.round having sum(e.amount_kobo) < 0
  ) owed join project_rounds r on r.project_id = owed.project_id and r.round = owed.round and r.outcome = 'funded'
    join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
    left join (
      select a.project_id, a.round, sum(open.kobo) as kobo
      from (
        select e.payment_id, sum(e.amount_kobo) as kobo from ledger_entries e
        where e.account in ('in_transit', 'receivable') and e.payment_id is not null
        group by e.payment_id having sum(e.amount_kobo) <> 0
      ) open join ledger_transactions a on a.payment_id = open.payment_id and a.kind = 'approval'
      where not exists (select from ledger_transactions r where r.reverses_id = a.id)
      group by a.project_id, a.round
    ) unseen on unseen.project_id = owed.project_id and unseen.round = owed.round
    left join jsonb_to_recordset(${JSON.stringify(await listCheckedParts(db))}::jsonb) as checked ("projectId" int, round int, kobo bigint)
      on checked."projectId" = owed.project_id and checked.round = owed.round
  where owed.kobo > coalesce(unseen.kobo, 0) and (jsonb_array_length(t.release_parts) = 0 or checked.kobo > 0)`;

/** All three, those of the oldest projects first. */
export async function findWaitingMoney(db: DbOrTx): Promise<WaitingSince[]> {
  const found = await rows<Row>(
    db,
    sql`select w.kind, w.project_id::float8 as "projectId", p.title as "projectTitle", w.round, w.kobo::text as kobo, w.lots,
        w.approved_lots as "approvedLots", w.harvest_id::float8 as "harvestId", w.number, w.is_insurance as "isInsurance", w.done
      from (${undecidedRounds} union all ${unsettledSales} union all ${await selectUnreleasedMoney(db)}) w join projects p on p.id = w.project_id
      order by w.place, w.project_id, w.round, w.harvest_id limit ${shown}`,
  );
  return found.map(waitingFrom);
}

function waitingFrom({ kind, projectId, projectTitle, round, done, kobo, ...row }: Row): WaitingSince {
  const about = { projectId, projectTitle, round, done };
  const { lots, approvedLots, harvestId, number, isInsurance } = row;
  if (kind === "decide_round") return { kind, ...about, lots, approvedLots };
  const amountKobo = BigInt(kobo);
  return kind === "release_money"
    ? { kind, ...about, amountKobo }
    : { kind, ...about, harvestId, number, isInsurance, amountKobo };
}
