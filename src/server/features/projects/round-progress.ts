import { type SQL, sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { weekSince } from "#shared/lagos-time.ts";
import type { RoundProgress } from "#shared/projects-texts.ts";
import type { Unit } from "#shared/terms-texts.ts";

type Row = {
  projectId: number;
  fundedAt: string;
  planned: number;
  counted: number;
  lost: number;
  unit: Unit;
  paidKobo: string;
  collected: string;
};

/** Whose money and produce is summed up: a column of people, and the person; without it everybody's. */
const isTheirs = (column: SQL, userId: string | undefined): SQL =>
  userId === undefined ? sql`true` : sql`${column} = ${userId}`;

/**
 * Where the rounds stand that projects are sold in now, by the project: the week that its farm is in, how many harvests came,
 * and what of them backers, or that person, have received: money that reached their banks, and produce that they collected.
 * A project whose round isn't funded is left out.
 */
export async function readProgress(
  db: DbOrTx,
  { projectIds, userId, now }: { projectIds: number[]; userId?: string; now: Date },
): Promise<Map<number, RoundProgress>> {
  if (projectIds.length === 0) return new Map();
  const found = await rows<Row>(
    db,
    sql`select p.id as "projectId", r.decided_at::text as "fundedAt", coalesce(t.planned_harvests, 1) as planned, t.unit,
        (select count(*)::int from harvests h where ${isCounted}) as counted,
        (select count(*)::int from harvests h where ${isCounted} and h.state = 'lost') as lost,
        (select coalesce(sum(o.amount_kobo), 0)::text from harvests h
          join settlements s on s.harvest_id = h.id join payouts o on o.settlement_id = s.id
          where h.project_id = r.project_id and h.round = r.round and o.kind = 'harvest' and o.state = 'paid'
            and ${isTheirs(sql`o.user_id`, userId)}) as "paidKobo",
        (select coalesce(sum(c.taken), 0)::text from harvests h join harvest_parts c on c.harvest_id = h.id
          where ${isCounted} and c.collected_at is not null and ${isTheirs(sql`c.user_id`, userId)}) as collected
      from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
      join round_terms t on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
      where p.id in ${projectIds} and r.outcome = 'funded'`,
  );
  return new Map(
    found.map(({ projectId, fundedAt, paidKobo, collected, ...counts }) => [
      projectId,
      {
        ...counts,
        week: weekSince(new Date(fundedAt), now),
        paidKobo: BigInt(paidKobo),
        collected: BigInt(collected),
      },
    ]),
  );
}

/** Condition of a harvest `h` of the round `r` that came or was lost. */
const isCounted: SQL = sql`(h.project_id = r.project_id and h.round = r.round and not h.is_insurance
  and h.state not in ('draft', 'withdrawn'))`;
