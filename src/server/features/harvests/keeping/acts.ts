import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { harvestCosts, harvests } from "#server/db/schema/harvests.ts";
import { collectProduce, describeCollection, findProduce } from "#server/features/harvests/choosing/collection.ts";
import { addHarvestFile } from "#server/features/harvests/harvest-files.ts";
import { addCost, removeCost } from "#server/features/harvests/selling/costs.ts";
import { createHarvest, lockDraft, updateHarvest } from "#server/features/harvests/service.ts";
import { listSettledRounds } from "#server/features/projects/rounds/queries.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import type {
  addDraftFileInput,
  addFarmCostInput,
  collectInput,
  costIdInput,
  createHarvestInput,
  updateHarvestInput,
} from "#shared/harvests/inputs.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { shortName } from "#shared/people/short-name.ts";

/**
 * The acts of a farm's keepers on its harvests, done by the services that administrators use. Each act first checks
 * that the caller keeps the farm that ran the round now. It throws "forbidden" otherwise, also for a harvest that
 * doesn't exist.
 */

type Round = { projectId: number; round: number };
type ById = { harvestId: number };

/** The caller as a keeper, whom the audit entries name with the farm. */
async function asKeeperOfRound(ctx: ActorContext, { projectId, round }: Round): Promise<ActorContext> {
  const { farmId } = await requireFarmRight(ctx, projectId, "keep", round);
  const [farm] = await ctx.db.select({ name: farms.name }).from(farms).where(eq(farms.id, farmId));
  if (!farm) throw new Error(`farm ${farmId} is missing`);
  return { ...ctx, keeperOf: { farmId, farm: farm.name } };
}

async function asKeeperOf(ctx: ActorContext, { harvestId }: ById): Promise<ActorContext> {
  return asKeeperOfRound(ctx, await findRoundOf(ctx.db, harvestId));
}

/** The round of a harvest. An insurer's sum is nothing that a keeper looks after. */
export async function findRoundOf(db: DbOrTx, harvestId: number): Promise<Round> {
  const [found] = await db
    .select({ projectId: harvests.projectId, round: harvests.round })
    .from(harvests)
    .where(and(eq(harvests.id, harvestId), eq(harvests.isInsurance, false)));
  if (!found) throw new AppError("forbidden", farmPeopleTexts.otherFarm);
  return found;
}

/** Begins a draft. Throws "conflict" once the round is over, and as `createHarvest`. */
export async function draftHarvest(ctx: ActorContext, input: z.output<typeof createHarvestInput>) {
  const keeper = await asKeeperOfRound(ctx, input);
  if ((await listSettledRounds(ctx.db, input.projectId)).has(input.round))
    throw new AppError("conflict", harvestTexts.roundSettled);
  return createHarvest(keeper, input);
}

/** Throws as `updateHarvest`. */
export async function changeDraft(ctx: ActorContext, input: z.output<typeof updateHarvestInput>): Promise<void> {
  await updateHarvest(await asKeeperOf(ctx, input), input);
}

/** Adds a photo or a document to a draft. Throws "conflict" once it is opened, and as `addHarvestFile`. */
export async function addDraftFile(ctx: ActorContext, input: z.output<typeof addDraftFileInput>): Promise<void> {
  await addHarvestFile(await asKeeperOf(ctx, input), input, lockDraft);
}

/** Writes down what the farm paid. It counts once two owners have confirmed it. Throws as `addCost`. */
export async function addFarmCost(ctx: ActorContext, input: z.output<typeof addFarmCostInput>): Promise<void> {
  await addCost(await asKeeperOf(ctx, input), { ...input, paidBy: "farm" });
}

/**
 * Takes a cost back that the caller entered. Throws "conflict" if another person did or two owners have counted it, and as
 * `removeCost`.
 */
export async function removeFarmCost(ctx: ActorContext, { costId }: z.output<typeof costIdInput>): Promise<void> {
  const [found] = await ctx.db
    .select({ harvestId: harvestCosts.harvestId })
    .from(harvestCosts)
    .where(and(eq(harvestCosts.id, costId), eq(harvestCosts.paidBy, "farm"), isNull(harvestCosts.removedAt)));
  if (!found) throw new AppError("forbidden", farmPeopleTexts.otherFarm);
  await removeCost(await asKeeperOf(ctx, found), { costId }, ({ recordedBy, requestId }) => {
    if (recordedBy !== ctx.actor.id) throw new AppError("conflict", harvestTexts.costOfOther);
    if (requestId !== null) throw new AppError("conflict", harvestTexts.costCounted);
  });
}

/** The harvest for the screen where produce is handed out: whose it is isn't in it. */
export async function describeKeptCollection(ctx: ActorContext, input: ById) {
  return describeCollection(await asKeeperOf(ctx, input), input);
}

type Coded = z.output<typeof collectInput>;

/** Tells whose produce a code is for, by first name and initial, and how much they take. Throws as `findProduce`. */
export async function findKeptProduce(ctx: ActorContext, input: Coded) {
  const { name, taken } = await findProduce(await asKeeperOf(ctx, input), input);
  return { name: shortName(name), taken };
}

/** Hands produce over for a code. Throws as `collectProduce`. */
export async function handProduceOver(ctx: ActorContext, input: Coded) {
  const { name, quantity } = await collectProduce(await asKeeperOf(ctx, input), input);
  return { name: shortName(name), quantity };
}
