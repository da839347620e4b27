import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { isReady, postCostsLeft, postDeclaredSale, postProduce, readProceeds } from "#server/books/events/harvests.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { harvestFiles, harvestParts, harvestSales, harvests, settlements } from "#server/db/schema/harvests.ts";
import { freezeWeights, requireWeights } from "#server/features/harvests/choosing/weights.ts";
import { findSale, lockSale, readSeenOf } from "#server/features/harvests/selling/sales.ts";
import { endHarvest, lockFarmPayouts, readCostsAtEnd } from "#server/features/harvests/settling/end-harvest.ts";
import { findCostsRefusal, findRestRefusal } from "#server/features/harvests/settling/finish.ts";
import { readPoolProceeds, requirePool } from "#server/features/harvests/settling/pool.ts";
import { listLost, readRests } from "#server/features/harvests/settling/rests.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type {
  declareSaleDetails,
  loseCostsDetails,
  loseHarvestDetails,
  loseRestDetails,
} from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { countCostKind, lowerHarvestKind, removeSaleKind, settleHarvestKind } from "./agreements.ts";
import { countEvidence, hasSaleEvidence } from "./harvest-files.ts";
import {
  factsOf,
  findProject,
  type Harvest,
  isAllotted,
  isWithoutSales,
  lockHarvest,
  readTerms,
  requireAllotted,
} from "./harvest-rows.ts";
import { tellLost, tellRestLost } from "./notices.ts";

/** What takes two people: that money of a sale came which no line shows, or didn't after all, and that a harvest, or its rest, or what was paid for it, is lost. */

type Confirmed<Details> = { details: Details; requestId: number; reason: string };
type Declared = z.output<typeof declareSaleDetails>;

async function requireMissing(tx: Tx, { saleId, amountKobo }: Declared) {
  const { sale, harvest } = await lockSale(tx, saleId);
  // A harvest that was lost or withdrawn since has no settlement, so its money would stay.
  requireAllotted(harvest);
  await requirePool(tx, harvest, sale.pool);
  const missingKobo = sale.amountKobo - (await readSeenOf(tx, saleId));
  if (sale.takenBackAt !== null) throw new AppError("conflict", texts.saleTakenBack);
  if (sale.declaredAt !== null || missingKobo <= 0n) throw new AppError("conflict", texts.saleArrived);
  if (missingKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  if (!(await hasSaleEvidence(tx, saleId))) throw new AppError("conflict", texts.evidenceFirst);
  return { sale, harvest, missingKobo };
}

export const declareSaleKind = {
  subjectOf: ({ saleId }: Declared): string => String(saleId),
  describe: async (db: DbOrTx, { saleId, amountKobo }: Declared) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Declare ${amount} of a sale to ${sale.buyer} as received`,
      consequences: [
        `It is for harvest ${harvest.number} of ${harvest.projectTitle}. No line of a statement shows it.`,
        "The money is settled among the farm and its backers as if it were in the bank.",
      ],
      isPossible:
        isAllotted(harvest) &&
        sale.declaredAt === null &&
        sale.takenBackAt === null &&
        sale.amountKobo - (await readSeenOf(db, saleId)) === BigInt(amountKobo),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Declared) => void (await requireMissing(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Declared>): Promise<void> => {
    const { sale, harvest, missingKobo } = await requireMissing(tx, details);
    const at = ctx.clock.now();
    const { id: saleId } = sale;
    await tx.update(harvestSales).set({ declaredAt: at, requestId }).where(eq(harvestSales.id, saleId));
    const posted = { saleId, harvestId: harvest.id, amountKobo: missingKobo, actorId: ctx.actor.id, at };
    await postDeclaredSale(tx, "sale_declared", posted);
    const facts = { ...factsOf(harvest), saleId, amountKobo: missingKobo.toString(), requestId, reason };
    await recordAudit(tx, ctx, "declare_sale", facts);
  },
};

/** Throws "conflict" unless so much of a declared sale is neither shown by a line nor settled. */
async function requireTakenBack(tx: Tx, { saleId, amountKobo }: Declared) {
  const { sale, harvest } = await lockSale(tx, saleId);
  if (sale.declaredAt === null) throw new AppError("conflict", texts.notDeclared);
  const unseenKobo = sale.amountKobo - (await readSeenOf(tx, saleId));
  if (unseenKobo <= 0n) throw new AppError("conflict", texts.saleSeen);
  if (unseenKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  if ((await readPoolProceeds(tx, harvest.id, sale.pool)) < unseenKobo) {
    throw new AppError("conflict", texts.saleSettled);
  }
  return { sale, harvest, unseenKobo };
}

/** What lines have shown of the sale stays; the rest is expected again. */
export const takeBackSaleKind = {
  subjectOf: ({ saleId }: Declared): string => String(saleId),
  describe: async (db: DbOrTx, { saleId, amountKobo }: Declared) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    const seenKobo = await readSeenOf(db, saleId);
    const unseenKobo = sale.amountKobo - seenKobo;
    return {
      title: `Take back that ${amount} of a sale to ${sale.buyer} came`,
      consequences: [
        `It is for harvest ${harvest.number} of ${harvest.projectTitle}, and isn't settled yet.`,
        seenKobo > 0n
          ? `${texts.restWaits} It can't be declared again.`
          : "The money isn't settled, and the sale can be removed. It can't be declared again.",
      ],
      isPossible:
        sale.declaredAt !== null &&
        unseenKobo === BigInt(amountKobo) &&
        (await readPoolProceeds(db, harvest.id, sale.pool)) >= unseenKobo,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Declared) => void (await requireTakenBack(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Declared>): Promise<void> => {
    const { sale, harvest, unseenKobo } = await requireTakenBack(tx, details);
    const at = ctx.clock.now();
    const { id: saleId } = sale;
    const takenBack = { declaredAt: null, requestId: null, takenBackAt: at, takenBackRequestId: requestId };
    await tx.update(harvestSales).set(takenBack).where(eq(harvestSales.id, saleId));
    const posted = { saleId, harvestId: harvest.id, amountKobo: unseenKobo, actorId: ctx.actor.id, at };
    await postDeclaredSale(tx, "sale_taken_back", posted);
    const facts = { ...factsOf(harvest), saleId, amountKobo: unseenKobo.toString(), requestId, reason };
    await recordAudit(tx, ctx, "take_back_sale", facts);
  },
};

type Lost = z.output<typeof loseHarvestDetails>;
type LostRest = z.output<typeof loseRestDetails>;
type LostCosts = z.output<typeof loseCostsDetails>;

async function requireLosable(tx: Tx, { harvestId }: Lost): Promise<Harvest> {
  const harvest = await lockHarvest(tx, harvestId);
  const { state, quantity, isInsurance } = harvest;
  if (isInsurance || !["draft", "choosing", "allotted"].includes(state)) throw new AppError("conflict", texts.changed);
  if (state === "draft" && quantity !== 0n) throw new AppError("conflict", texts.changed);
  if ((await countEvidence(tx, harvestId)) === 0) throw new AppError("conflict", texts.evidenceFirst);
  const isOf = eq(harvestParts.harvestId, harvestId);
  const collected = await tx.$count(harvestParts, and(isOf, isNotNull(harvestParts.collectedAt)));
  if (collected > 0) throw new AppError("conflict", texts.collected);
  const settled = await tx.$count(
    settlements,
    and(eq(settlements.harvestId, harvestId), isNull(settlements.reversedAt)),
  );
  if (settled > 0 || (await readProceeds(tx, harvestId)) !== 0n) throw new AppError("conflict", texts.settledPart);
  await requireWeights(tx, harvest);
  return harvest;
}

export const loseHarvestKind = {
  subjectOf: ({ harvestId }: Lost): string => String(harvestId),
  describe: async (db: DbOrTx, { harvestId }: Lost) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const { unit } = await readTerms(db, harvest);
    const isOpen = ["draft", "choosing", "allotted"].includes(harvest.state);
    return {
      title: `Declare harvest ${harvest.number} of ${harvest.projectTitle} as lost`,
      consequences: [
        harvest.quantity === 0n
          ? "Nothing was harvested."
          : `${formatQuantity(harvest.quantity ?? 0n, unit)} were counted, and are gone.`,
        "Its backers get nothing of it, and read the reason and the evidence in an email and on the farm's page.",
      ],
      isPossible: isOpen,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Lost) => void (await requireLosable(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Lost>): Promise<void> => {
    const harvest = await requireLosable(tx, details);
    const { id: harvestId } = harvest;
    const at = ctx.clock.now();
    const weights = await freezeWeights(tx, harvest);
    if (harvest.state === "draft") {
      await tx.insert(harvestParts).values(weights.map((weight) => ({ harvestId, ...weight })));
    }
    await postProduce(tx, "produce_uncollected", { harvestId, where: sql`${isReady}`, actorId: ctx.actor.id, at });
    await tx
      .update(harvests)
      .set({ state: "lost", lostAt: at, note: reason, updatedAt: at })
      .where(eq(harvests.id, harvestId));
    await recordAudit(tx, ctx, "lose_harvest", { ...factsOf(harvest), before: harvest.state, requestId, reason });
    await tellLost(tx, ctx, { harvest, reason, terms: await readTerms(tx, harvest) });
  },
};

/** Throws "conflict" unless the rest of the harvest, and so much of its costs, is lost, and a file from since the allotment shows why. */
async function requireRest(tx: Tx, { harvestId, lostKobo }: LostRest): Promise<Harvest> {
  const harvest = await lockHarvest(tx, harvestId);
  const refusal = await findRestRefusal(tx, harvest);
  if (refusal !== null) throw new AppError("conflict", refusal);
  const since = gt(harvestFiles.createdAt, harvest.allottedAt ?? harvest.createdAt);
  const isShown = and(eq(harvestFiles.harvestId, harvestId), eq(harvestFiles.purpose, "harvest"), since);
  if ((await tx.$count(harvestFiles, isShown)) === 0) throw new AppError("conflict", texts.restEvidence);
  // The owners are locked after this, and payouts come before people.
  await lockFarmPayouts(tx, harvest);
  if ((await readCostsAtEnd(tx, harvest)).lostKobo !== BigInt(lostKobo)) throw new AppError("conflict", texts.changed);
  return harvest;
}

export const loseRestKind = {
  subjectOf: ({ harvestId }: LostRest): string => String(harvestId),
  describe: async (db: DbOrTx, { harvestId, lostKobo }: LostRest) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const { unit } = await readTerms(db, harvest);
    const lost = listLost(await readRests(db, harvest), harvest);
    const unsold = lost.reduce((sum, rest) => sum + rest.unsold, 0n);
    const missingKobo = lost.reduce((sum, rest) => sum + rest.missingKobo, 0n);
    return {
      title: `Declare the rest of harvest ${harvest.number} of ${harvest.projectTitle} as lost`,
      consequences: [
        ...(missingKobo > 0n ? [`${formatNaira(missingKobo)} of its sales never came.`] : []),
        ...(unsold > 0n ? [`${formatQuantity(unsold, unit)} were never sold.`] : []),
        ...(BigInt(lostKobo) > 0n
          ? [`${formatNaira(BigInt(lostKobo))} that the platform paid for it is lost too.`]
          : []),
        "The harvest ends. What was settled stays; for the rest its backers get nothing, and read the reason in an email.",
      ],
      isPossible:
        (await findRestRefusal(db, harvest)) === null &&
        (await readCostsAtEnd(db, harvest)).lostKobo === BigInt(lostKobo),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: LostRest) => void (await requireRest(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<LostRest>): Promise<void> => {
    const harvest = await requireRest(tx, details);
    const pools = listLost(await readRests(tx, harvest), harvest).map(({ pool }) => pool);
    const costs = await endHarvest(tx, ctx, { harvest, lostBecause: reason });
    await recordAudit(tx, ctx, "lose_rest", { ...factsOf(harvest), pools, ...costs, requestId, reason });
    await tellRestLost(tx, ctx, { harvest, pools, reason });
  },
};

/**
 * Throws "conflict" unless so much of what the platform paid is lost: for a harvest that was lost or withdrawn, or beyond what
 * sales brought and its farm is owed for one that can end.
 */
async function requireCosts(tx: Tx, { harvestId, amountKobo }: LostCosts): Promise<Harvest> {
  const harvest = await lockHarvest(tx, harvestId);
  await lockFarmPayouts(tx, harvest);
  const costs = await readCostsAtEnd(tx, harvest);
  const refusal = await findCostsRefusal(tx, harvest, costs);
  if (refusal !== null) throw new AppError("conflict", refusal);
  if (costs.lostKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  return harvest;
}

export const loseCostsKind = {
  subjectOf: ({ harvestId }: LostCosts): string => String(harvestId),
  describe: async (db: DbOrTx, { harvestId, amountKobo }: LostCosts) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const costs = await readCostsAtEnd(db, harvest);
    return {
      title: `Book ${formatNaira(BigInt(amountKobo))} of harvest ${harvest.number} of ${harvest.projectTitle} as a loss`,
      consequences: isWithoutSales(harvest)
        ? ["The platform paid it as costs of this harvest, and no sale will bring it."]
        : [
            "The platform paid it as costs of this harvest. Its sales don't bring it, and its farm is owed no more.",
            ...(costs.ofFarmKobo > 0n ? [`${formatNaira(costs.ofFarmKobo)} comes off what is owed to the farm.`] : []),
            "The harvest ends. Its settlements can't be reversed any more.",
          ],
      isPossible: (await findCostsRefusal(db, harvest, costs)) === null && costs.lostKobo === BigInt(amountKobo),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: LostCosts) => void (await requireCosts(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<LostCosts>): Promise<void> => {
    const harvest = await requireCosts(tx, details);
    const { amountKobo } = details;
    const facts = { ...factsOf(harvest), amountKobo, requestId, reason };
    if (!isWithoutSales(harvest)) {
      const { ofFarmKobo } = await endHarvest(tx, ctx, { harvest });
      await recordAudit(tx, ctx, "lose_costs", { ...facts, ofFarmKobo });
      return;
    }
    const at = ctx.clock.now();
    await postCostsLeft(tx, { harvest, restKobo: BigInt(amountKobo), farmKobo: 0n, actorId: ctx.actor.id, at });
    await tx.update(harvests).set({ costsLostAt: at, updatedAt: at }).where(eq(harvests.id, harvest.id));
    await recordAudit(tx, ctx, "lose_costs", facts);
  },
};

/** What two owners agree to about a harvest that goes on. */
export const agreementKinds = {
  countCost: countCostKind,
  removeSale: removeSaleKind,
  lowerHarvest: lowerHarvestKind,
  settleHarvest: settleHarvestKind,
};
