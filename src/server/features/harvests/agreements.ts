import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { harvestCosts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { isSteepFall, lowerTo, requireLower } from "#server/features/harvests/choosing/lower.ts";
import { lockCost } from "#server/features/harvests/selling/costs.ts";
import { findSale, lockSale, readSeenOf, requireNothingOf } from "#server/features/harvests/selling/sales.ts";
import { tabulate } from "#server/features/harvests/settling/divide.ts";
import { requireSettling, settle } from "#server/features/harvests/settling/settle.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type {
  costDetails,
  declareSaleDetails,
  lowerHarvestDetails,
  settleHarvestDetails,
} from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { factsOf, findProject, type Harvest, isWithoutSales, lockHarvest, readTerms } from "./harvest-rows.ts";

/**
 * What two owners agree to about a harvest that goes on: that the farm paid a cost, that a promised sum won't come, that there is
 * much less than backers were told, and a settlement of what one of them wrote down.
 */

type Confirmed<Details> = { details: Details; requestId: number; reason: string };

const ofHarvest = ({ number, projectTitle }: Harvest): string => `harvest ${number} of ${projectTitle}`;

type Cost = z.output<typeof costDetails>;

async function requireUncounted(tx: Tx, { costId, amountKobo }: Cost) {
  const { cost, harvest } = await lockCost(tx, costId);
  if (cost.paidBy !== "farm") throw new AppError("conflict", texts.costNotFarm);
  if (cost.requestId !== null) throw new AppError("conflict", texts.costCounted);
  if (harvest.state === "done" || isWithoutSales(harvest) || cost.amountKobo !== BigInt(amountKobo)) {
    throw new AppError("conflict", texts.changed);
  }
  return { cost, harvest };
}

/** No line of a statement ever shows what the farm paid, and it gets it back before anybody else. */
export const countCostKind = {
  subjectOf: ({ costId }: Cost): string => String(costId),
  describe: async (db: DbOrTx, { costId, amountKobo }: Cost) => {
    const [found] = await db
      .select({ cost: harvestCosts, harvest: harvests })
      .from(harvestCosts)
      .innerJoin(harvests, eq(harvests.id, harvestCosts.harvestId))
      .where(eq(harvestCosts.id, costId));
    if (!found) return null;
    const { cost, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Count ${amount} for ${cost.label} as paid by the farm`,
      consequences: [
        `It is a cost of ${ofHarvest(harvest)}. Look at its receipt there first: no line of a statement shows it.`,
        `The farm gets the ${amount} back from the next settlement, before anything is shared among its backers.`,
      ],
      isPossible:
        cost.removedAt === null && cost.requestId === null && harvest.state !== "done" && !isWithoutSales(harvest),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Cost) => void (await requireUncounted(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Cost>): Promise<void> => {
    const { cost, harvest } = await requireUncounted(tx, details);
    await tx.update(harvestCosts).set({ requestId }).where(eq(harvestCosts.id, cost.id));
    await recordAudit(tx, ctx, "count_harvest_cost", {
      ...factsOf(harvest),
      costId: cost.id,
      label: cost.label,
      amountKobo: details.amountKobo,
      requestId,
      reason,
    });
  },
};

type PromisedSum = z.output<typeof declareSaleDetails>;

async function requirePromise(tx: Tx, { saleId, amountKobo }: PromisedSum) {
  const { sale, harvest } = await lockSale(tx, saleId);
  await requireNothingOf(tx, sale);
  if (sale.amountKobo !== BigInt(amountKobo)) throw new AppError("conflict", texts.changed);
  return { sale, harvest };
}

/** What a buyer or an insurer promised is waited for no more. */
export const removeSaleKind = {
  subjectOf: ({ saleId }: PromisedSum): string => String(saleId),
  describe: async (db: DbOrTx, { saleId, amountKobo }: PromisedSum) => {
    const found = await findSale(db, saleId);
    if (!found) return null;
    const { sale, harvest } = found;
    const amount = formatNaira(BigInt(amountKobo));
    return {
      title: `Remove the ${amount} that ${sale.buyer} is to pay`,
      consequences: [
        harvest.isInsurance
          ? `It is an insurer's sum for round ${harvest.round} of ${harvest.projectTitle}. Nothing of it has arrived.`
          : `It is a sale of ${ofHarvest(harvest)}. Nothing of it has arrived.`,
        `Nobody waits for the ${amount} any more, and the backers get nothing of it.`,
      ],
      isPossible: sale.declaredAt === null && (await readSeenOf(db, saleId)) === 0n,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: PromisedSum) => void (await requirePromise(tx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<PromisedSum>): Promise<void> => {
    const { sale, harvest } = await requirePromise(tx, details);
    await tx
      .update(harvestSales)
      .set({ removedAt: ctx.clock.now(), removedBy: ctx.actor.id })
      .where(eq(harvestSales.id, sale.id));
    const { buyer } = sale;
    await recordAudit(tx, ctx, "remove_harvest_sale", {
      ...factsOf(harvest),
      saleId: sale.id,
      buyer,
      amountKobo: details.amountKobo,
      requestId,
      reason,
    });
  },
};

type Lower = z.output<typeof lowerHarvestDetails>;

async function requireSteepFall(tx: Tx, ctx: ActorContext, { harvestId, quantity, seenQuantity }: Lower) {
  const harvest = await lockHarvest(tx, harvestId);
  if (harvest.quantity !== BigInt(seenQuantity)) throw new AppError("conflict", texts.changed);
  await requireLower(tx, ctx, harvest, BigInt(quantity));
  if (!isSteepFall(harvest, BigInt(quantity))) throw new AppError("conflict", texts.notSteep);
  return harvest;
}

/** Less than half of what backers were told when it opened. */
export const lowerHarvestKind = {
  subjectOf: ({ harvestId }: Lower): string => String(harvestId),
  describe: async (db: DbOrTx, { harvestId, quantity, seenQuantity }: Lower) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const { unit } = await readTerms(db, harvest);
    const [now, seen] = [formatQuantity(BigInt(quantity), unit), formatQuantity(BigInt(seenQuantity), unit)];
    return {
      title: `Lower ${ofHarvest(harvest)} from ${seen} to ${now}`,
      consequences: [
        `${formatQuantity(harvest.openedQuantity ?? 0n, unit)} were opened for choosing. Look at the photos from since then first.`,
        `Of the ${seen} that are shared among the farm and its backers ${now} are left. What they chose is cut in proportion, and they are emailed the reason.`,
      ],
      isPossible: harvest.state === "choosing" && harvest.quantity === BigInt(seenQuantity),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, ctx: ActorContext, details: Lower) => void (await requireSteepFall(tx, ctx, details)),
  act: async (tx: Tx, ctx: ActorContext, { details, requestId, reason }: Confirmed<Lower>): Promise<void> => {
    const harvest = await requireSteepFall(tx, ctx, details);
    await lowerTo(tx, ctx, harvest, { quantity: BigInt(details.quantity), reason, requestId });
  },
};

type Settle = z.output<typeof settleHarvestDetails>;

const asInput = ({ amountKobo, ...details }: Settle) => ({ ...details, amount: BigInt(amountKobo) });

/** A settlement that whoever wrote down a cost or a sale of it asks for. */
export const settleHarvestKind = {
  subjectOf: ({ harvestId, pool }: Settle): string => `${harvestId}/${pool}`,
  describe: async (db: DbOrTx, details: Settle) => {
    const { harvestId, pool, amountKobo } = details;
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const found = await tabulate(db, { harvestId, pool }).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    const now = found instanceof AppError ? null : found;
    return {
      title: `Settle ${formatNaira(BigInt(amountKobo))} of ${ofHarvest(harvest)}`,
      consequences:
        found instanceof AppError
          ? [found.message]
          : [
              `${formatNaira(found.costsKobo)} of it are costs${found.costs.length > 0 ? `: ${found.costs.map(({ label, amountKobo: kobo }) => `${label} ${formatNaira(kobo)}`).join(", ")}` : ""}. The farm's share is ${formatNaira(found.farmKobo)}.`,
              `${found.rows.length === 1 ? "One backer gets" : `${found.rows.length} backers get`} ${formatNaira(found.netKobo)} together; the fee is ${formatNaira(found.feeKobo)}, taxes are ${formatNaira(found.vatKobo + found.whtKobo)}.`,
              "It is owed to them from then on, and they are emailed.",
            ],
      isPossible:
        now !== null &&
        now.proceedsKobo === BigInt(amountKobo) &&
        now.vatRate === details.vatRate &&
        now.whtRate === details.whtRate,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: Settle) => void (await requireSettling(tx, asInput(details))),
  act: async (tx: Tx, ctx: ActorContext, { details, ...confirmed }: Confirmed<Settle>): Promise<void> =>
    settle(tx, ctx, asInput(details), confirmed),
};
