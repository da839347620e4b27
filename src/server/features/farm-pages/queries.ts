import { and, eq, isNotNull, sql } from "drizzle-orm";
import { recordMoneyOf } from "#server/books/record-money.ts";
import { lagosDay } from "#server/db/lagos-day.ts";
import { type DbOrTx, rows } from "#server/db/open.ts";
import { projectRounds } from "#server/db/schema/rounds.ts";
import { requireProjectAccess } from "#server/features/projects/queries.ts";
import { reportedOf } from "#server/features/projects/reporting/queries.ts";
import { isOver } from "#server/features/projects/rounds/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { dayInLagos, startOfDay } from "#shared/dates.ts";
import { fewestBackers, recordShare, recordStage, seenOrSaid } from "#shared/farms/record.ts";
import { farmLimits } from "#shared/farms/texts.ts";
import { isShort, plannedAt, type QuantityPlan } from "#shared/harvests/plan.ts";
import type { HarvestState } from "#shared/harvests/texts.ts";
import { daysBetween } from "#shared/lagos-time.ts";
import { type Kobo, wholeNaira } from "#shared/money.ts";
import type { Unit } from "#shared/projects/terms-texts.ts";
import type { RoundOutcome } from "#shared/projects/texts.ts";

/** The record of a farm's rounds. It is computed at each reading, so nobody can write it. */

type HarvestRow = {
  number: number;
  /** Null of an insurer's sum. */
  place: number | null;
  isInsurance: boolean;
  state: HarvestState;
  /** Thousandths of the unit, as text; null of an insurer's sum. */
  counted: string | null;
  lostQuantity: string;
  note: string;
  restLostReason: string | null;
  happenedOn: string | null;
  /**
   * The days in Lagos of the last sale's money and of the last payout; the latter null while one is on its way; who
   * gave no account waits by themselves.
   */
  lastSaleOn: string | null;
  paidOn: string | null;
};

type RoundRow = {
  projectId: number;
  title: string;
  isThere: boolean;
  round: number;
  outcome: Exclude<RoundOutcome, null>;
  decidedAt: string;
  isOver: boolean;
  lots: number;
  approvedLots: number;
  backers: number;
  base: string;
  unseen: string;
  unit: Unit;
  plannedQuantity: string | null;
  plannedPrice: string | null;
  plannedHarvests: number | null;
  harvestPlan: string[];
  firstHarvestOn: string | null;
  insurer: string | null;
  onTime: number;
  counted: number;
  lost: string;
  money: Record<
    | "harvest_paid"
    | "harvest_seen"
    | "insurance_paid"
    | "insurance_seen"
    | "on_its_way"
    | "returned_paid"
    | "returned_seen"
    | "produce"
    | "received"
    | "received_seen"
    | "priced"
    | "priced_quantity",
    string
  >;
  harvests: HarvestRow[];
};

/**
 * The harvests of the round `r` that opened, were lost, or are an insurer's sum, as an array. Drafts are nobody's
 * business yet.
 */
const harvestsOfRound = sql`(
  select coalesce(json_agg(json_build_object('number', h.number, 'place', h.place, 'isInsurance', h.is_insurance, 'state', h.state,
      'counted', h.quantity::text, 'lostQuantity', h.lost_quantity::text, 'note', h.note, 'restLostReason', h.rest_lost_reason,
      'happenedOn', ${lagosDay(sql`coalesce(h.opened_at, h.lost_at)`)}, 'lastSaleOn', sale.last_on, 'paidOn', paid.last_on)
    order by h.number), '[]')
  from harvests h cross join lateral (
    select max(greatest(l.date, ${lagosDay(sql`s.declared_at`)})) as last_on
    from harvest_sales s left join line_matches m on m.sale_id = s.id and m.kind = 'sale' and m.undone_at is null
      left join statement_lines l on l.id = m.line_id
    where s.harvest_id = h.id and s.removed_at is null
  ) sale cross join lateral (
    select case when bool_and(o.state in ('paid', 'waiting')) then max(${lagosDay(sql`o.paid_at`)}) end as last_on
    from settlements s join payouts o on o.settlement_id = s.id and o.kind = 'harvest' and o.state not in ('failed', 'cancelled')
    where s.harvest_id = h.id
  ) paid
  where h.project_id = r.project_id and h.round = r.round and h.state not in ('draft', 'withdrawn'))`;

/**
 * The platform's final loss on the round `r`: costs that no sale paid, and money of settled sales that the bank took
 * back.
 */
const lostOfRound = sql`(
  select coalesce(sum(e.amount_kobo), 0)::text from ledger_transactions t
    join ledger_entries e on e.transaction_id = t.id and e.account = 'losses'
  where t.kind in ('harvest_costs_left', 'sale_lost') and exists (
    select from harvests h where h.project_id = r.project_id and h.round = r.round and (h.id = t.harvest_id or exists (
      select from ledger_entries x join harvest_sales s on s.id = x.sale_id where x.transaction_id = t.id and s.harvest_id = h.id))))`;

/** Condition on an approved payment `v` of the round `r`. The ledger knows it even if its project was deleted. */
const isApprovedOf = sql`v.status = 'approved' and v.id in (select a.payment_id from ledger_transactions a
  where a.kind = 'approval' and a.project_id = r.project_id and a.round = r.round)`;

const readRounds = (db: DbOrTx, farmId: number, now: Date): Promise<RoundRow[]> =>
  rows<RoundRow>(
    db,
    sql`select r.project_id as "projectId", r.round, r.outcome, r.decided_at::text as "decidedAt", ${isOver} as "isOver", r.lots,
      r.approved_lots as "approvedLots", p.id is not null as "isThere",
      coalesce(p.title, (select t.project_title from ledger_transactions t where t.project_id = r.project_id limit 1), 'A project')
        as title,
      paid.backers, coalesce(weighed.kobo, paid.kobo)::text as base, unseen.kobo::text as unseen,
      terms.unit, terms.planned_quantity::text as "plannedQuantity", terms.planned_price_kobo::text as "plannedPrice",
      terms.planned_harvests as "plannedHarvests", to_json(terms.harvest_plan::text[]) as "harvestPlan",
      terms.first_harvest_on::text as "firstHarvestOn",
      terms.insurance ->> 'insurer' as insurer, reported."onTime", reported.counted, ${lostOfRound} as lost,
      (select json_object_agg(key, value #>> '{}') from jsonb_each(to_jsonb(money))) as money, ${harvestsOfRound} as harvests
    from project_rounds r
      join round_terms terms on terms.project_id = r.project_id and terms.round = r.round and terms.version = r.terms_version
      join (${recordMoneyOf(sql`r.farm_id = ${farmId}`)}) money on money.project_id = r.project_id and money.round = r.round
      left join projects p on p.id = r.project_id
      cross join lateral (
        select count(distinct v.user_id)::int as backers, coalesce(sum(v.amount_kobo), 0) as kobo from project_payments v
        where ${isApprovedOf} and not exists (select from payment_strikes k where k.payment_id = v.id)
      ) paid
      cross join lateral (
        select sum(w.weight_kobo - w.struck_kobo) as kobo from round_weights w
        where w.project_id = r.project_id and w.round = r.round
      ) weighed
      cross join lateral (
        select coalesce(sum(e.amount_kobo), 0) as kobo from ledger_entries e join project_payments v on v.id = e.payment_id
        where e.account in ('in_transit', 'receivable') and ${isApprovedOf}
      ) unseen
      cross join lateral ${reportedOf(sql`${now.toISOString()}`)} reported
    where r.farm_id = ${farmId} and r.outcome is not null
    order by r.decided_at desc, r.project_id desc, r.round desc limit ${farmLimits.listed}`,
  );

const planOf = ({ plannedQuantity, plannedHarvests, harvestPlan }: RoundRow): QuantityPlan => ({
  plannedQuantity: plannedQuantity === null ? null : BigInt(plannedQuantity),
  plannedHarvests,
  harvestPlan: harvestPlan.map(BigInt),
});

function harvestOf(row: RoundRow, harvest: HarvestRow) {
  const { place, lostQuantity, lastSaleOn, paidOn, note, ...shown } = harvest;
  const counted = harvest.counted === null ? null : BigInt(harvest.counted);
  const planned = place === null ? null : plannedAt(planOf(row), place);
  const waited = lastSaleOn && paidOn ? Math.max(0, daysBetween(startOfDay(lastSaleOn), startOfDay(paidOn))) : null;
  return {
    ...shown,
    // Why it is less than planned. Other notes, and an insurer's, are for the round's backers.
    note: counted !== null && isShort(counted, planned) ? note : null,
    counted,
    planned,
    lostQuantity: BigInt(lostQuantity),
    plannedOn: place === 1 ? row.firstHarvestOn : null,
    /** Days from the last sale's money to the last backer's. */
    daysToBackers: waited,
    source: harvest.state === "lost" ? ("owners" as const) : ("farm" as const),
  };
}

function roundOf(row: RoundRow) {
  const { projectId, title, isThere, round, outcome, lots, approvedLots, backers, unit } = row;
  const money = Object.fromEntries(Object.entries(row.money).map(([key, text]) => [key, BigInt(text)])) as {
    [key in keyof RoundRow["money"]]: Kobo;
  };
  const scale = { baseKobo: BigInt(row.base), backers };
  const share = (kobo: Kobo) => recordShare(kobo, scale);
  const harvests = row.harvests.map((harvest) => harvestOf(row, harvest));
  return {
    projectId: isThere ? projectId : null,
    title,
    round,
    outcome,
    decidedOn: dayInLagos(new Date(row.decidedAt)),
    stage: recordStage({ outcome, isOver: row.isOver, plannedHarvests: row.plannedHarvests, harvests }),
    lots,
    approvedLots,
    lotsSource: seenOrSaid(BigInt(row.unseen), 0n),
    isFew: backers < fewestBackers,
    reports: row.counted > 0 ? { onTime: row.onTime, counted: row.counted } : null,
    unit,
    harvests,
    plannedHarvests: row.plannedHarvests,
    firstHarvestOn: row.firstHarvestOn,
    insurer: row.insurer,
    price: {
      plannedKobo: row.plannedPrice === null ? null : BigInt(row.plannedPrice),
      // With the quantities it would tell what so few people got.
      reachedKobo:
        money.priced_quantity > 0n && backers >= fewestBackers
          ? wholeNaira((money.priced * 1000n) / money.priced_quantity)
          : null,
      source: seenOrSaid(money.received, money.received_seen),
    },
    shares: {
      paid: { share: share(money.harvest_paid), source: seenOrSaid(money.harvest_paid, money.harvest_seen) },
      produce: { share: share(money.produce), source: "farm" as const },
      insurance: { share: share(money.insurance_paid), source: seenOrSaid(money.insurance_paid, money.insurance_seen) },
      returned: { share: share(money.returned_paid), source: seenOrSaid(money.returned_paid, money.returned_seen) },
      onItsWay: { share: share(money.on_its_way), source: "owners" as const },
      lost: { share: share(BigInt(row.lost)), source: "owners" as const },
    },
  };
}

/** The record of a farm: each round that was decided, the newest first. */
export async function readFarmRecord(db: DbOrTx, farmId: number, now: Date) {
  return (await readRounds(db, farmId, now)).map(roundOf);
}

/** Counts a farm's decided rounds. The record has the newest of them. */
export const countDecided = (db: DbOrTx, farmId: number): Promise<number> =>
  db.$count(projectRounds, and(eq(projectRounds.farmId, farmId), isNotNull(projectRounds.outcome)));

/** The same for visitors; empty for a farm that doesn't exist or has no decided round. */
export async function getFarmRecord(ctx: Context, { farmId }: { farmId: number }) {
  await requireProjectAccess(ctx);
  const rounds = await readFarmRecord(ctx.db, farmId, ctx.clock.now());
  return { rounds, decidedRounds: await countDecided(ctx.db, farmId) };
}
