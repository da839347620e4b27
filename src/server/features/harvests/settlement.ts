import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { postCostsLeft, postSettlement } from "#server/books/events/harvests.ts";
import { lockTaxes } from "#server/books/locks.ts";
import { readTaxOwed } from "#server/books/sums.ts";
import { type DbOrTx, inTransaction, rows, type Tx } from "#server/db/open.ts";
import {
  harvestCosts,
  harvestParts,
  harvests,
  settlementCosts,
  settlementParts,
  settlements,
} from "#server/db/schema/harvests.ts";
import { payouts } from "#server/db/schema/payouts.ts";
import { makeSettlementStatements, replacePapers } from "#server/features/papers/service.ts";
import { cancelPayouts, lockPayees, lowerFarmPayouts, makePayouts } from "#server/features/payouts/service.ts";
import { findTaxRates } from "#server/features/settings/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Settlement, settleInsurance, settle as settleSales } from "#shared/harvests/arithmetic.ts";
import type { previewSettlementInput, reverseSettlementInput, settleInput } from "#shared/harvests/inputs.ts";
import { type CostPayer, type HarvestPool, harvestTexts as texts } from "#shared/harvests/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { tellSettled } from "./notices.ts";
import {
  freezeWeights,
  type Harvest,
  lockHarvest,
  type RoundWeight,
  readTerms,
  readWeights,
  requireAllotted,
  requireWeights,
} from "./rows.ts";
import { factsOf } from "./service.ts";

/**
 * A settlement divides what sales of a harvest brought: costs, the farm's part, and each backer's share less the fee. It is of
 * one pool, with fixed quantities; several may follow each other as money comes.
 */

type OpenCost = { id: number; label: string; amountKobo: Kobo; paidBy: CostPayer; recordedBy: string };

/** What settlements have taken of a cost. Stands nested in another `sql`: only there drizzle names the table of a column. */
export const takenOfCost: SQL = sql`coalesce((select sum(c.amount_kobo) from settlement_costs c
  join settlements s on s.id = c.settlement_id where c.cost_id = ${harvestCosts.id} and s.reversed_at is null), 0)`;

/** A cost that stands, and that two owners have counted if no line can ever show it. */
export const isCountedCost: SQL = sql`(${harvestCosts.removedAt} is null
  and (${harvestCosts.paidBy} = 'platform' or ${harvestCosts.requestId} is not null))`;

/** What is left of a harvest's costs that count, in the order in which they were recorded. */
async function readOpenCosts(db: DbOrTx, harvestId: number): Promise<OpenCost[]> {
  const open = sql`(${harvestCosts.amountKobo} - ${takenOfCost})::bigint`;
  return db
    .select({
      id: harvestCosts.id,
      label: harvestCosts.label,
      amountKobo: open.mapWith(harvestCosts.amountKobo),
      paidBy: harvestCosts.paidBy,
      recordedBy: harvestCosts.recordedBy,
    })
    .from(harvestCosts)
    .where(and(eq(harvestCosts.harvestId, harvestId), isCountedCost, sql`${open} > 0`))
    .orderBy(asc(harvestCosts.id));
}

/** What the sales of a pool brought and no settlement has divided. */
export async function readPoolProceeds(db: DbOrTx, harvestId: number, pool: HarvestPool): Promise<Kobo> {
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select (
        (select coalesce(sum(case when s.declared_at is not null then s.amount_kobo else (
            select coalesce(sum(m.amount_kobo), 0) from line_matches m where m.sale_id = s.id and m.undone_at is null) end), 0)
          from harvest_sales s where s.harvest_id = ${harvestId} and s.pool = ${pool})
        - (select coalesce(sum(proceeds_kobo), 0) from settlements
          where harvest_id = ${harvestId} and pool = ${pool} and reversed_at is null))::text as kobo`,
  );
  return BigInt(found?.kobo ?? 0);
}

type PoolPart = { backingId: number; userId: string; weight: bigint };

/** Who has how much of a pool. Of an insurer's sum it is what the backings count. */
async function readPool(db: DbOrTx, harvest: Harvest, pool: HarvestPool): Promise<PoolPart[]> {
  if (harvest.isInsurance) {
    const weights: RoundWeight[] = await readWeights(db, harvest);
    return weights.map(({ weightKobo, ...part }) => ({ ...part, weight: weightKobo }));
  }
  const { backingId, userId, sold, taken } = harvestParts;
  const weight = pool === "sold" ? sold : taken;
  const isIn: SQL | undefined = pool === "sold" ? undefined : isNotNull(harvestParts.uncollectedAt);
  const found = await db
    .select({ backingId, userId, weight })
    .from(harvestParts)
    .where(and(eq(harvestParts.harvestId, harvest.id), isIn))
    .orderBy(asc(backingId));
  return found.flatMap(({ weight: kept, ...part }) => (kept !== null && kept > 0n ? [{ ...part, weight: kept }] : []));
}

/** A pool, and what the farm has of it. Throws "conflict" if it is nobody's, because its money could never be divided. */
export async function requirePool(db: DbOrTx, harvest: Harvest, name: HarvestPool) {
  const pool = await readPool(db, harvest, name);
  const farmQuantity = name === "sold" ? (harvest.farmQuantity ?? 0n) : 0n;
  if (pool.length === 0 && farmQuantity === 0n) {
    throw new AppError("conflict", name === "sold" ? texts.nothingSold : texts.nothingUncollected);
  }
  return { pool, farmQuantity };
}

type Divided = {
  proceedsKobo: Kobo;
  pool: PoolPart[];
  farmQuantity: bigint;
  rates: { feeRate: number; vatRate: number; whtRate: number };
  openCosts: OpenCost[];
  settlement: Settlement;
};

/** Divides what the sales of a pool have brought. Throws "conflict" if there is nothing to divide, or nobody to divide among. */
async function divide(db: DbOrTx, harvest: Harvest, name: HarvestPool): Promise<Divided> {
  requireAllotted(harvest);
  const { id, isInsurance } = harvest;
  if (isInsurance) await requireWeights(db, harvest);
  const proceedsKobo = await readPoolProceeds(db, id, name);
  if (proceedsKobo <= 0n) throw new AppError("conflict", texts.nothingReceived);
  const { pool, farmQuantity } = await requirePool(db, harvest, name);
  const [terms, taxes] = [await readTerms(db, harvest), await findTaxRates(db)];
  // What was left at the end fell on the farm or was lost.
  const openCosts = harvest.state === "done" ? [] : await readOpenCosts(db, id);
  const named = openCosts.map((cost) => ({ ...cost, id: String(cost.id) }));
  const rates = { feeRate: isInsurance ? 0 : terms.feeRate, ...taxes };
  const settlement = isInsurance
    ? settleInsurance({
        proceedsKobo,
        openCosts: named,
        whtRate: rates.whtRate,
        weights: pool.map(({ backingId, weight }) => ({ backingId, weightKobo: weight })),
      })
    : settleSales({
        proceedsKobo,
        openCosts: named,
        farmQuantity,
        pool: pool.map(({ backingId, weight }) => ({ backingId, quantity: weight })),
        rates: { fee: rates.feeRate, vat: rates.vatRate, wht: rates.whtRate },
      });
  return { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement };
}

/**
 * The table that an owner looks at before settling, with its sum row, and whether they wrote down a part of it themselves. Throws
 * as the settlement would.
 */
export async function previewSettlement(ctx: ActorContext, input: z.output<typeof previewSettlementInput>) {
  const { db, actor } = ctx;
  const { openCosts, ...table } = await tabulate(db, input);
  return { ...table, isRecorder: await isRecorded(db, { ...input, costs: table.costs, openCosts, userId: actor.id }) };
}

/** The table of a settlement that would be made now. */
export async function tabulate(db: DbOrTx, { harvestId, pool: name }: z.output<typeof previewSettlementInput>) {
  const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!harvest) throw new AppError("not_found", texts.gone);
  const { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement } = await divide(db, harvest, name);
  const names = new Map(
    (
      await rows<{ id: string; name: string }>(
        db,
        sql`select id::text, full_name as name from users where id in (
          select user_id from round_weights where project_id = ${harvest.projectId} and round = ${harvest.round}
          union select user_id from project_backings where project_id = ${harvest.projectId})`,
      )
    ).map(({ id, name: fullName }) => [id, fullName]),
  );
  const parts = new Map(pool.map((part) => [part.backingId, part]));
  const labels = new Map(openCosts.map(({ id, label }) => [String(id), label]));
  return {
    proceedsKobo,
    farmQuantity,
    farmKobo: settlement.farmKobo,
    ...rates,
    ...settlement.totals,
    openCosts,
    costs: settlement.costsTaken.map((cost) => ({ ...cost, label: labels.get(cost.id) ?? "" })),
    rows: settlement.rows.map((row) => {
      const part = parts.get(row.backingId);
      return { ...row, name: names.get(part?.userId ?? "") ?? "", weight: part?.weight ?? 0n };
    }),
  };
}

/**
 * Settles what the sales of a pool have brought: it is owed from now on, and payouts of it are made. Throws "conflict" if that
 * isn't the amount that the owner typed, and "forbidden" to whoever wrote down a cost or a sale of it: another owner settles it, or
 * two do.
 */
export async function settleHarvest(ctx: ActorContext, input: z.output<typeof settleInput>): Promise<void> {
  await inTransaction(ctx.db, (tx) => settle(tx, ctx, input));
}

type Recorded = {
  harvestId: number;
  pool: HarvestPool;
  /** The costs that it takes. */
  costs: readonly { id: string }[];
  openCosts: readonly OpenCost[];
  userId: string;
};

/**
 * Whether somebody wrote down a cost that a settlement takes, or a sale of its pool of which money came since the last one, or
 * removed a cost since then that it would have taken.
 */
async function isRecorded(db: DbOrTx, { harvestId, pool, costs, openCosts, userId }: Recorded): Promise<boolean> {
  const taken = new Set(costs.map(({ id }) => id));
  if (openCosts.some(({ id, recordedBy }) => recordedBy === userId && taken.has(String(id)))) return true;
  const found = await rows(
    db,
    sql`select 1 from harvest_sales s, lateral (
        select coalesce(max(t.created_at), '-infinity') as at from settlements t
        where t.harvest_id = s.harvest_id and t.pool = s.pool and t.reversed_at is null) settled
      where s.harvest_id = ${harvestId} and s.pool = ${pool} and s.recorded_by = ${userId} and s.removed_at is null
        and (s.declared_at >= settled.at or exists (select from line_matches m
          where m.sale_id = s.id and m.undone_at is null and m.created_at >= settled.at))
      union all select 1 from harvest_costs c
      where c.harvest_id = ${harvestId} and c.removed_by = ${userId} and c.recorded_by <> ${userId}
        and (c.paid_by = 'platform' or c.request_id is not null)
        and c.removed_at >= (select coalesce(max(t.created_at), '-infinity') from settlements t
          where t.harvest_id = ${harvestId} and t.reversed_at is null) limit 1`,
  );
  return found.length > 0;
}

/** What a settlement is of, once it may be made. Locks the harvest. */
export async function requireSettling(tx: Tx, input: z.output<typeof settleInput>) {
  const { harvestId, pool: name, amount, vatRate, whtRate } = input;
  const harvest = await lockHarvest(tx, harvestId);
  requireAllotted(harvest);
  const divided = await divide(tx, harvest, name);
  if (divided.proceedsKobo !== amount) throw new AppError("conflict", texts.proceedsChanged);
  const { rates } = divided;
  if ((vatRate ?? rates.vatRate) !== rates.vatRate || (whtRate ?? rates.whtRate) !== rates.whtRate) {
    throw new AppError("conflict", texts.taxesChanged);
  }
  return { harvest, divided };
}

/** The same within somebody's transaction; `confirmed` where two owners settle it. */
export async function settle(
  tx: Tx,
  ctx: ActorContext,
  input: z.output<typeof settleInput>,
  confirmed?: { requestId: number; reason: string },
): Promise<void> {
  const { harvestId, pool: name } = input;
  const { harvest, divided } = await requireSettling(tx, input);
  if (harvest.isInsurance) await freezeWeights(tx, harvest);
  const { proceedsKobo, pool, farmQuantity, rates, openCosts, settlement } = divided;
  const about = { harvestId, pool: name, costs: settlement.costsTaken, openCosts, userId: ctx.actor.id };
  if (!confirmed && (await isRecorded(tx, about))) throw new AppError("forbidden", texts.settledByRecorder);
  await lockPayees(tx, [...new Set(pool.map(({ userId }) => userId))], "share");
  const at = ctx.clock.now();
  const { costsTaken, farmKobo, totals } = settlement;
  const farmCostsKobo = sumOf(costsTaken.filter(({ paidBy }) => paidBy === "farm"));
  const number = (await tx.$count(settlements, eq(settlements.harvestId, harvestId))) + 1;
  const sums = {
    proceedsKobo,
    costsKobo: totals.costsKobo,
    farmCostsKobo,
    farmKobo,
    netKobo: totals.netKobo,
    feeKobo: totals.feeKobo,
    vatKobo: totals.vatKobo,
    whtKobo: totals.whtKobo,
  };
  const [settled] = await tx
    .insert(settlements)
    .values({
      harvestId,
      number,
      pool: name,
      ...sums,
      farmQuantity,
      ...rates,
      settledBy: ctx.actor.id,
      createdAt: at,
    })
    .returning();
  if (!settled) throw new Error("the settlement was not written");
  const { id: settlementId } = settled;
  const owners = new Map(pool.map((part) => [part.backingId, part]));
  const parts = settlement.rows.map((row) => {
    const part = owners.get(row.backingId);
    if (!part) throw new Error(`backing ${row.backingId} is not in the pool`);
    return { settlementId, ...row, userId: part.userId, weight: part.weight };
  });
  if (parts.length > 0) await tx.insert(settlementParts).values(parts);
  const taken = costsTaken.map(({ id, amountKobo }) => ({ settlementId, costId: Number(id), amountKobo }));
  if (taken.length > 0) await tx.insert(settlementCosts).values(taken);
  await postSettlement(tx, "settlement", { harvest, divided: settled, nets: parts, actorId: ctx.actor.id, at });
  const paidFor = {
    projectId: harvest.projectId,
    projectTitle: harvest.projectTitle,
    round: harvest.round,
    settlementId,
    at,
  };
  await makePayouts(tx, [
    ...parts.map(({ userId, netKobo }) => ({ ...paidFor, kind: "harvest" as const, userId, amountKobo: netKobo })),
    { ...paidFor, kind: "farm" as const, amountKobo: farmKobo + farmCostsKobo },
  ]);
  if (harvest.state === "allotted" || harvest.state === "draft") {
    await tx.update(harvests).set({ state: "settled", updatedAt: at }).where(eq(harvests.id, harvestId));
  }
  const openCount = openCosts.length - costsTaken.length;
  await recordAudit(tx, ctx, "settle_harvest", {
    ...factsOf(harvest),
    settlementId,
    pool: name,
    ...texted(sums),
    openCount,
    ...confirmed,
  });
  const statements = await makeSettlementStatements(tx, settlementId, at);
  await tellSettled(tx, ctx, { harvest, settlement: settled, parts, statements });
}

const sumOf = (costs: readonly { amountKobo: Kobo }[]): Kobo =>
  costs.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);

const texted = (sums: Record<string, Kobo>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([key, kobo]) => [key, kobo.toString()]));

/**
 * Takes a settlement back while no payout of it has left "due": nothing of it is owed any more, and its money can be settled
 * again. Throws "conflict" otherwise.
 */
export async function reverseSettlement(
  ctx: ActorContext,
  { settlementId, reason }: z.output<typeof reverseSettlementInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const isIt = eq(settlements.id, settlementId);
    const [found] = await tx.select({ harvestId: settlements.harvestId }).from(settlements).where(isIt);
    if (!found) throw new AppError("not_found", texts.settlementGone);
    const harvest = await lockHarvest(tx, found.harvestId);
    const [settlement] = await tx.select().from(settlements).where(isIt).for("no key update");
    if (!settlement || settlement.reversedAt !== null) throw new AppError("conflict", texts.reversedAlready);
    if (harvest.state === "done") throw new AppError("conflict", texts.payoutLeft);
    const at = ctx.clock.now();
    await cancelPayouts(tx, { settlementId, at, refusal: texts.payoutLeft });
    await requireTaxesKept(tx, settlement);
    await tx.update(settlements).set({ reversedAt: at, reversedBy: ctx.actor.id, reversedReason: reason }).where(isIt);
    await replacePapers(tx, { settlementId }, at);
    const nets = await tx.select().from(settlementParts).where(eq(settlementParts.settlementId, settlementId));
    const actorId = ctx.actor.id;
    await postSettlement(tx, "settlement_reversed", { harvest, divided: settlement, nets, actorId, at });
    const standing = await tx.$count(
      settlements,
      and(eq(settlements.harvestId, harvest.id), isNull(settlements.reversedAt)),
    );
    if (standing === 0) {
      const state = harvest.isInsurance ? ("draft" as const) : ("allotted" as const);
      await tx.update(harvests).set({ state, updatedAt: at }).where(eq(harvests.id, harvest.id));
    }
    await recordAudit(tx, ctx, "reverse_settlement", { ...factsOf(harvest), settlementId, reason });
  });
}

/** Throws "conflict" if taxes of the settlement were passed on already: without it more would be passed on than is owed. */
async function requireTaxesKept(tx: Tx, { vatKobo, whtKobo }: typeof settlements.$inferSelect): Promise<void> {
  if (vatKobo === 0n && whtKobo === 0n) return;
  await lockTaxes(tx);
  const isPassedOn = vatKobo > (await readTaxOwed(tx, "vat")) || whtKobo > (await readTaxOwed(tx, "wht"));
  if (isPassedOn) throw new AppError("conflict", texts.taxPassedOn);
}

/** What the platform paid for a harvest and no settlement has taken. */
export async function readPlatformRest(db: DbOrTx, { id }: Pick<Harvest, "id">): Promise<Kobo> {
  return sumOf((await readOpenCosts(db, id)).filter(({ paidBy }) => paidBy === "platform"));
}

/** Whether somebody wrote down a cost of the platform's that no settlement has taken whole. */
export async function isRecorderOfRest(db: DbOrTx, { id }: Pick<Harvest, "id">, userId: string): Promise<boolean> {
  return (await readOpenCosts(db, id)).some(({ paidBy, recordedBy }) => paidBy === "platform" && recordedBy === userId);
}

/** What falls on whom of the platform's costs that are left, if the harvest ends now. */
export type CostsAtEnd = { ofFarmKobo: Kobo; lostKobo: Kobo };

/** They fall on what is owed to the farm of this harvest and that no run has taken; the rest is lost. */
export async function readCostsAtEnd(db: DbOrTx, harvest: Pick<Harvest, "id">): Promise<CostsAtEnd> {
  const restKobo = await readPlatformRest(db, harvest);
  const [found] = await rows<{ kobo: string }>(
    db,
    sql`select coalesce(sum(p.amount_kobo), 0)::text as kobo from payouts p join settlements s on s.id = p.settlement_id
      where s.harvest_id = ${harvest.id} and s.reversed_at is null and p.kind = 'farm' and p.state in ('waiting', 'due')`,
  );
  const owedKobo = BigInt(found?.kobo ?? 0);
  const ofFarmKobo = owedKobo < restKobo ? owedKobo : restKobo;
  return { ofFarmKobo, lostKobo: restKobo - ofFarmKobo };
}

/**
 * Ends a harvest: nothing more is expected of it. What is left of the platform's costs falls on its farm, then it is lost. The
 * caller has locked the harvest and the farm's payouts, knows that it may end, and has compared the sum of
 * {@link readCostsAtEnd} with what was confirmed. Returns both sums for the log.
 */
export async function endHarvest(
  tx: Tx,
  ctx: ActorContext,
  { harvest, lostBecause }: { harvest: Harvest; lostBecause?: string },
): Promise<{ ofFarmKobo: string; lostKobo: string }> {
  const at = ctx.clock.now();
  const restKobo = await readPlatformRest(tx, harvest);
  const farmKobo = await deductFromFarm(tx, harvest, { restKobo, at });
  const lostKobo = restKobo - farmKobo;
  await postCostsLeft(tx, { harvest, restKobo, farmKobo, actorId: ctx.actor.id, at });
  const rest = lostBecause === undefined ? {} : { restLostAt: at, restLostReason: lostBecause };
  const costs = lostKobo > 0n ? { costsLostAt: at } : {};
  await tx
    .update(harvests)
    .set({ state: "done", doneAt: at, ...rest, ...costs, updatedAt: at })
    .where(eq(harvests.id, harvest.id));
  return { ofFarmKobo: farmKobo.toString(), lostKobo: lostKobo.toString() };
}

/** Locks what {@link endHarvest} may lower: the settlements that stand, then the payouts of the farm. */
export async function lockFarmPayouts(tx: Tx, { id }: Pick<Harvest, "id">): Promise<void> {
  const standing = and(eq(settlements.harvestId, id), isNull(settlements.reversedAt));
  const found = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(standing)
    .orderBy(asc(settlements.id))
    .for("no key update");
  const ids = found.map((settlement) => settlement.id);
  await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.settlementId, ids), eq(payouts.kind, "farm")))
    .orderBy(asc(payouts.id))
    .for("update");
}

/** Lowers what is owed to the farm of a harvest's settlements by up to `restKobo`. Returns by how much. */
async function deductFromFarm(tx: Tx, harvest: Harvest, { restKobo, at }: { restKobo: Kobo; at: Date }): Promise<Kobo> {
  let leftKobo = restKobo;
  if (leftKobo === 0n) return 0n;
  const { id: harvestId, projectId, projectTitle, round } = harvest;
  const standing = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.harvestId, harvestId), isNull(settlements.reversedAt)))
    .orderBy(asc(settlements.id))
    .for("no key update");
  for (const { id: settlementId } of standing) {
    const about = { settlementId, projectId, projectTitle, round, at };
    const takenKobo = await lowerFarmPayouts(tx, { ...about, byKobo: leftKobo });
    if (takenKobo === 0n) continue;
    await tx.update(settlements).set({ farmDeductedKobo: takenKobo }).where(eq(settlements.id, settlementId));
    leftKobo -= takenKobo;
  }
  return restKobo - leftKobo;
}
