import { and, eq, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import { areTwoOwners } from "#server/accounts/owners/who-may-confirm.ts";
import { isReady, readProceeds } from "#server/books/events/harvests.ts";
import { type DbOrTx, inTransaction } from "#server/db/open.ts";
import { harvestParts } from "#server/db/schema/harvests.ts";
import { factsOf, type Harvest, isWithoutSales, lockHarvest } from "#server/features/harvests/harvest-rows.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { harvestIdInput } from "#shared/harvests/inputs.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { type CostsAtEnd, endHarvest, lockFarmPayouts, readCostsAtEnd } from "./end-harvest.ts";
import { isRecorderOfRest } from "./open-costs.ts";
import { isUnsold, listLost, readRests } from "./rests.ts";

/**
 * The end of a harvest. One owner ends it once all that was sold for backers is settled. Where the platform's costs
 * would be lost, two owners book that loss. Where buyers never pay, or what is left can't be sold, two owners say that
 * the rest is lost.
 */

/** Returns the refusal while money isn't settled or produce waits to be collected; null once the harvest may end. */
async function findOpenEnd(db: DbOrTx, { id, state }: Harvest): Promise<string | null> {
  if (state !== "settled" && state !== "allotted") return texts.notAllotted;
  if ((await db.$count(harvestParts, and(eq(harvestParts.harvestId, id), isReady))) > 0) return texts.stillOpen;
  return (await readProceeds(db, id)) === 0n ? null : texts.moneyLeft;
}

/**
 * Returns the refusal while a sale or its money is expected, so that only a loss of the rest ends it; null if all is
 * settled.
 */
async function findExpected(db: DbOrTx, harvest: Harvest): Promise<string | null> {
  const open = await findOpenEnd(db, harvest);
  if (open !== null) return open;
  const rests = await readRests(db, harvest);
  if (rests.some(({ backers, isSettled }) => backers > 0n && !isSettled)) return texts.nothingSettled;
  if (rests.some(({ missingKobo }) => missingKobo > 0n)) return texts.salesUnpaid;
  // However much of a pool was settled: a sale that was taken out since leaves its quantity unsold.
  return rests.some(isUnsold(harvest)) ? texts.unsold : null;
}

/** Returns why one owner can't end the harvest; null if they can. */
export async function findFinishRefusal(
  db: DbOrTx,
  harvest: Harvest,
  { lostKobo }: CostsAtEnd,
): Promise<string | null> {
  const expected = await findExpected(db, harvest);
  if (expected !== null) return expected;
  return lostKobo > 0n ? texts.costsLost(formatNaira(lostKobo)) : null;
}

/**
 * Returns why two owners can't book the platform's costs as a loss (which ends a harvest that was sold); null if they
 * can.
 */
export async function findCostsRefusal(db: DbOrTx, harvest: Harvest, { lostKobo }: CostsAtEnd): Promise<string | null> {
  if (isWithoutSales(harvest)) return harvest.costsLostAt === null && lostKobo > 0n ? null : texts.noCostsLeft;
  const expected = await findExpected(db, harvest);
  if (expected !== null) return expected;
  return lostKobo > 0n ? null : texts.nothingLost;
}

/** Returns why two owners can't declare the rest of the harvest as lost; null if they can. */
export async function findRestRefusal(db: DbOrTx, harvest: Harvest): Promise<string | null> {
  const open = await findOpenEnd(db, harvest);
  if (open !== null) return open;
  const isOf = eq(harvestParts.harvestId, harvest.id);
  const collected = await db.$count(harvestParts, and(isOf, isNotNull(harvestParts.collectedAt)));
  if (harvest.state === "allotted" && collected === 0) return texts.loseInstead;
  return listLost(await readRests(db, harvest), harvest).length > 0 ? null : texts.nothingLost;
}

/**
 * Ends a harvest of which all is sold, paid and settled, and none of its costs is lost. Throws "conflict" otherwise,
 * and "forbidden" to whoever wrote down a cost that would come off what is owed to the farm, where another owner is
 * there.
 */
export async function finishHarvest(ctx: ActorContext, { harvestId }: z.output<typeof harvestIdInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, harvestId);
    await lockFarmPayouts(tx, harvest);
    const atEnd = await readCostsAtEnd(tx, harvest);
    const refusal = await findFinishRefusal(tx, harvest, atEnd);
    if (refusal !== null) throw new AppError("conflict", refusal);
    const isRecorder = atEnd.ofFarmKobo > 0n && (await isRecorderOfRest(tx, harvest, ctx.actor.id));
    if (isRecorder && (await areTwoOwners(tx, ctx.clock.now()))) throw new AppError("forbidden", texts.endedByRecorder);
    const costs = await endHarvest(tx, ctx, { harvest });
    await recordAudit(tx, ctx, "finish_harvest", { ...factsOf(harvest), ...costs });
  });
}
