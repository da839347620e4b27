import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { isReady, postCostsLeft, postProduce, readProceeds } from "#server/books/events/harvests.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { harvestFiles, harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { freezeWeights, requireWeights } from "#server/features/harvests/choosing/weights.ts";
import { countEvidence } from "#server/features/harvests/harvest-files.ts";
import {
  factsOf,
  findProject,
  type Harvest,
  isWithoutSales,
  lockHarvest,
  nameOfHarvest,
  readTerms,
} from "#server/features/harvests/harvest-rows.ts";
import { notifyLost, notifyRestLost } from "#server/features/harvests/notices.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { loseDetails } from "#shared/harvests/inputs.ts";
import { type HarvestLoss, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { endHarvest, lockFarmPayouts, readCostsAtEnd } from "./end-harvest.ts";
import { findCostsRefusal, findRestRefusal } from "./finish.ts";
import { readUnwritten } from "./open-costs.ts";
import { listLost, readRests } from "./rests.ts";

/**
 * Two owners declare something of a harvest as lost: all of it, its rest, or what the platform paid for it and no money
 * brings back. A request names the sum that is booked as a loss, as its owner saw it.
 */

type Declared = { harvest: Harvest; lostKobo: Kobo };
type Loss = {
  describe: (db: DbOrTx, declared: Declared) => Promise<{ title: string; consequences: string[]; isPossible: boolean }>;
  /** Throws "conflict" if it isn't lost, or if another sum is. The harvest is locked. */
  require: (tx: Tx, declared: Declared) => Promise<void>;
  act: (tx: Tx, ctx: ActorContext, confirmed: Declared & { requestId: number; reason: string }) => Promise<void>;
};

const wholeStates: readonly string[] = ["draft", "choosing", "allotted"];

/** The loss of a whole harvest, before anything was collected or settled. Its costs are booked by another request. */
const whole: Loss = {
  describe: async (db, { harvest }) => {
    const { unit } = await readTerms(db, harvest);
    return {
      title: `Declare ${nameOfHarvest(harvest)} as lost`,
      consequences: [
        harvest.quantity === 0n
          ? "Nothing was harvested."
          : `${formatQuantity(harvest.quantity ?? 0n, unit)} were counted, and are gone.`,
        "Its backers get nothing of it, and read the reason and the evidence in an email and on the farm's page.",
      ],
      isPossible: wholeStates.includes(harvest.state),
    };
  },
  require: async (tx, { harvest, lostKobo }) => {
    const { id: harvestId, state, quantity, isInsurance } = harvest;
    const isOpen = !isInsurance && wholeStates.includes(state) && (state !== "draft" || quantity === 0n);
    if (!isOpen || lostKobo !== 0n) throw new AppError("conflict", texts.changed);
    if ((await countEvidence(tx, harvestId)) === 0) throw new AppError("conflict", texts.evidenceFirst);
    const isCollected = and(eq(harvestParts.harvestId, harvestId), isNotNull(harvestParts.collectedAt));
    if ((await tx.$count(harvestParts, isCollected)) > 0) throw new AppError("conflict", texts.collected);
    const isSettled = and(eq(settlements.harvestId, harvestId), isNull(settlements.reversedAt));
    if ((await tx.$count(settlements, isSettled)) > 0) throw new AppError("conflict", texts.settledPart);
    if ((await readProceeds(tx, harvestId)) !== 0n) throw new AppError("conflict", texts.saleMoneyStays);
    await requireWeights(tx, harvest);
  },
  act: async (tx, ctx, { harvest, requestId, reason }) => {
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
    await notifyLost(tx, ctx, { harvest, reason, terms: await readTerms(tx, harvest) });
  },
};

/** The rest of a harvest that was allotted. The harvest ends, and costs that nothing covers are lost with it. */
const rest: Loss = {
  describe: async (db, { harvest, lostKobo }) => {
    const { unit } = await readTerms(db, harvest);
    const lost = listLost(await readRests(db, harvest), harvest);
    const unsold = lost.reduce((sum, pool) => sum + pool.unsold, 0n);
    const missingKobo = lost.reduce((sum, pool) => sum + pool.missingKobo, 0n);
    return {
      title: `Declare the rest of ${nameOfHarvest(harvest)} as lost`,
      consequences: [
        ...(missingKobo > 0n ? [`${formatNaira(missingKobo)} of its sales never came.`] : []),
        ...(unsold > 0n ? [`${formatQuantity(unsold, unit)} were never sold.`] : []),
        ...(lostKobo > 0n ? [`${formatNaira(lostKobo)} that the platform paid for it is lost too.`] : []),
        "The harvest ends. What was settled stays; for the rest its backers get nothing, and read the reason in an email.",
      ],
      isPossible:
        (await findRestRefusal(db, harvest)) === null && (await readCostsAtEnd(db, harvest)).lostKobo === lostKobo,
    };
  },
  require: async (tx, { harvest, lostKobo }) => {
    const refusal = await findRestRefusal(tx, harvest);
    if (refusal !== null) throw new AppError("conflict", refusal);
    const sinceAllotted = gt(harvestFiles.createdAt, harvest.allottedAt ?? harvest.createdAt);
    if ((await countEvidence(tx, harvest.id, sinceAllotted)) === 0) throw new AppError("conflict", texts.restEvidence);
    // The owners are locked after this, and payouts come before people.
    await lockFarmPayouts(tx, harvest);
    if ((await readCostsAtEnd(tx, harvest)).lostKobo !== lostKobo) throw new AppError("conflict", texts.changed);
  },
  act: async (tx, ctx, { harvest, requestId, reason }) => {
    const pools = listLost(await readRests(tx, harvest), harvest).map(({ pool }) => pool);
    const costs = await endHarvest(tx, ctx, { harvest, lostBecause: reason });
    await recordAudit(tx, ctx, "lose_rest", { ...factsOf(harvest), pools, ...costs, requestId, reason });
    await notifyRestLost(tx, ctx, { harvest, pools, reason });
  },
};

/**
 * The loss of costs that the platform paid. Of a harvest that was lost or withdrawn it is all that is left, and the
 * state stays. Of one that was sold it is what its sales don't bring and its farm isn't owed, and the harvest ends.
 */
const costs: Loss = {
  describe: async (db, { harvest, lostKobo }) => {
    const atEnd = await readCostsAtEnd(db, harvest);
    return {
      title: `Book ${formatNaira(lostKobo)} of ${nameOfHarvest(harvest)} as a loss`,
      consequences: isWithoutSales(harvest)
        ? ["The platform paid it as costs of this harvest, and no sale will bring it."]
        : [
            ...(atEnd.unwrittenKobo > 0n ? [texts.unwrittenIsLost(formatNaira(atEnd.unwrittenKobo))] : []),
            "The platform paid it as costs of this harvest. Its sales don't bring it, and its farm is owed no more.",
            ...(atEnd.ofFarmKobo > 0n ? [`${formatNaira(atEnd.ofFarmKobo)} comes off what is owed to the farm.`] : []),
            "The harvest ends. Its settlements can't be reversed any more.",
          ],
      isPossible: (await findCostsRefusal(db, harvest, atEnd)) === null && atEnd.lostKobo === lostKobo,
    };
  },
  require: async (tx, { harvest, lostKobo }) => {
    await lockFarmPayouts(tx, harvest);
    const atEnd = await readCostsAtEnd(tx, harvest);
    const refusal = await findCostsRefusal(tx, harvest, atEnd);
    if (refusal !== null) throw new AppError("conflict", refusal);
    if (atEnd.lostKobo !== lostKobo) throw new AppError("conflict", texts.changed);
  },
  act: async (tx, ctx, { harvest, lostKobo, requestId, reason }) => {
    const facts = { ...factsOf(harvest), amountKobo: lostKobo.toString(), requestId, reason };
    if (!isWithoutSales(harvest)) {
      const { ofFarmKobo } = await endHarvest(tx, ctx, { harvest });
      await recordAudit(tx, ctx, "lose_costs", { ...facts, ofFarmKobo });
      return;
    }
    const at = ctx.clock.now();
    const unwrittenLostKobo = harvest.unwrittenLostKobo + (await readUnwritten(tx, harvest));
    await postCostsLeft(tx, { harvest, restKobo: lostKobo, farmKobo: 0n, actorId: ctx.actor.id, at });
    await tx
      .update(harvests)
      .set({ costsLostAt: at, unwrittenLostKobo, updatedAt: at })
      .where(eq(harvests.id, harvest.id));
    await recordAudit(tx, ctx, "lose_costs", facts);
  },
};

const losses: Record<HarvestLoss, Loss> = { harvest: whole, rest, costs };

type Lose = z.output<typeof loseDetails>;

async function requireLost(tx: Tx, { what, harvestId, lostKobo }: Lose): Promise<Declared> {
  const declared = { harvest: await lockHarvest(tx, harvestId), lostKobo: BigInt(lostKobo) };
  await losses[what].require(tx, declared);
  return declared;
}

export const loseKind = secondPersonKind({
  schema: loseDetails,
  subjectOf: ({ what, harvestId }) => `${harvestId}/${what}`,
  describe: async (db, { what, harvestId, lostKobo }) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const meaning = await losses[what].describe(db, { harvest, lostKobo: BigInt(lostKobo) });
    return { ...meaning, projectId: await findProject(db, harvest) };
  },
  require: async (tx, _ctx, details) => void (await requireLost(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) =>
    losses[details.what].act(tx, ctx, { ...(await requireLost(tx, details)), requestId, reason }),
});
