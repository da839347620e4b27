import { sql } from "drizzle-orm";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { weekSince } from "#shared/lagos-time.ts";
import type { RoundProgress } from "#shared/projects-texts.ts";
import type { Unit } from "#shared/terms-texts.ts";

type Round = { projectId: number; round: number };
type Row = {
  fundedAt: string;
  planned: number;
  counted: number;
  lost: number;
  unit: Unit;
  paidKobo: string;
  collected: string;
};

/**
 * Where a funded round stands, for everybody: the week that its farm is in, how many harvests came, and what of them backers
 * have received: money that reached their banks, and produce that they collected. Null for a round that isn't funded.
 */
export async function readRoundProgress(
  db: DbOrTx,
  { projectId, round, now }: Round & { now: Date },
): Promise<RoundProgress | null> {
  const [found] = await rows<Row>(
    db,
    sql`with harvest as (
        select h.id, h.state from harvests h where h.project_id = ${projectId} and h.round = ${round} and not h.is_insurance
          and h.state not in ('draft', 'withdrawn'))
      select r.decided_at::text as "fundedAt", coalesce(t.planned_harvests, 1) as planned, t.unit,
        (select count(*)::int from harvest) as counted,
        (select count(*)::int from harvest where state = 'lost') as lost,
        (select coalesce(sum(p.amount_kobo), 0)::text from payouts p
          join settlements s on s.id = p.settlement_id join harvests h on h.id = s.harvest_id
          where h.project_id = ${projectId} and h.round = ${round} and p.kind = 'harvest' and p.state = 'paid') as "paidKobo",
        (select coalesce(sum(o.taken), 0)::text from harvest_parts o
          where o.harvest_id in (select id from harvest) and o.collected_at is not null) as collected
      from project_rounds r join round_terms t
        on t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version
      where r.project_id = ${projectId} and r.round = ${round} and r.outcome = 'funded'`,
  );
  if (!found) return null;
  const { fundedAt, paidKobo, collected, ...counts } = found;
  const week = weekSince(new Date(fundedAt), now);
  return { ...counts, week, paidKobo: BigInt(paidKobo), collected: BigInt(collected) };
}
