import { eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { harvestParts, harvests } from "#server/db/schema/harvests.ts";
import { countEvidence } from "#server/features/harvests/harvest-files.ts";
import {
  factsOf,
  findProject,
  type Harvest,
  nameOfHarvest,
  plannedOf,
  readTerms,
} from "#server/features/harvests/harvest-rows.ts";
import { notifyOpened } from "#server/features/harvests/notices.ts";
import { lockSeenDraft, requireReason } from "#server/features/harvests/service.ts";
import { listUnseenOfRound } from "#server/features/payments/review/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import { openHarvestDetails, type seenDraftInput } from "#shared/harvests/inputs.ts";
import { isShort } from "#shared/harvests/plan.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { type UnseenPayment, unseenTexts } from "#shared/harvests/unseen-texts.ts";
import { lastSecondOfDay } from "#shared/lagos-time.ts";
import { freezeWeights, requireWeights } from "./weights.ts";

/**
 * A harvest is opened for choosing. From then on no payment of its round can be taken back, so those that the bank's
 * statements don't wholly show are named, and while there is one it takes two owners. A site that never imported a
 * statement knows of none: as with approvals, nobody else is asked there.
 */

/**
 * Locks a draft that may be opened. Throws "conflict" if somebody changed it since, nothing was harvested, it is short
 * without reason and photo, or its round isn't funded any more.
 */
async function lockOpenable(tx: Tx, seen: z.output<typeof seenDraftInput>) {
  const harvest = await lockSeenDraft(tx, seen);
  const { id: harvestId, quantity, note } = harvest;
  if (quantity === null || quantity === 0n) throw new AppError("conflict", texts.nothingToChoose);
  const terms = await readTerms(tx, harvest);
  const planned = plannedOf(harvest, terms);
  requireReason({ quantity, note }, planned);
  if (isShort(quantity, planned) && (await countEvidence(tx, harvestId)) === 0) {
    throw new AppError("conflict", texts.shortPhoto);
  }
  await requireWeights(tx, harvest);
  return { harvest, quantity, terms, unseen: await listUnseenOfRound(tx, harvest) };
}

/**
 * Opens a draft for choosing: what the backings count is frozen, and everyone with a part is told. Throws "conflict" where
 * {@link lockOpenable} does, or payments of the round aren't wholly seen.
 */
export async function openHarvest(ctx: ActorContext, seen: z.output<typeof seenDraftInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const openable = await lockOpenable(tx, seen);
    if (openable.unseen.length > 0) throw new AppError("conflict", unseenTexts.takesTwo(openable.unseen));
    await open(tx, ctx, openable);
  });
}

async function open(
  tx: Tx,
  ctx: ActorContext,
  { harvest, quantity, terms, unseen }: Awaited<ReturnType<typeof lockOpenable>>,
  confirmed?: { requestId: number; reason: string },
): Promise<void> {
  const { id: harvestId } = harvest;
  const weights = await freezeWeights(tx, harvest);
  await tx.insert(harvestParts).values(weights.map((weight) => ({ harvestId, ...weight })));
  const openedAt = ctx.clock.now();
  const choosesUntil = lastSecondOfDay(openedAt, terms.choiceDays);
  await tx
    .update(harvests)
    .set({ state: "choosing", openedAt, openedQuantity: quantity, choosesUntil, updatedAt: openedAt })
    .where(eq(harvests.id, harvestId));
  await recordAudit(tx, ctx, "open_harvest", {
    ...factsOf(harvest),
    choosesUntil: choosesUntil.toISOString(),
    ...(confirmed && { ...confirmed, unseenKobo: sumOf(unseen).toString() }),
  });
  await notifyOpened(tx, ctx, { harvest: { ...harvest, choosesUntil }, terms });
}

type Opening = z.output<typeof openHarvestDetails>;

/** Locks a draft of whose round's payments the bank doesn't show exactly what the asking owner saw to be missing. */
async function lockAsked(tx: Tx, { harvestId, seenAt, unseenKobo }: Opening) {
  const openable = await lockOpenable(tx, { harvestId, seenAt: new Date(seenAt) });
  if (sumOf(openable.unseen) !== BigInt(unseenKobo)) throw new AppError("conflict", unseenTexts.changed);
  return openable;
}

const sumOf = (unseen: readonly UnseenPayment[]) => unseen.reduce((sum, { missingKobo }) => sum + missingKobo, 0n);

const findHarvest = async (db: DbOrTx, harvestId: number) =>
  (await db.select().from(harvests).where(eq(harvests.id, harvestId)))[0];

/**
 * Returns the reason why a harvest can't be opened by anybody (its round isn't funded any more, or nobody has a part in
 * it), or null.
 */
async function findRefusal(db: DbOrTx, harvest: Harvest): Promise<string | null> {
  try {
    await requireWeights(db, harvest);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}

/** Opening a harvest while a payment of its round isn't wholly seen. */
export const openHarvestKind = secondPersonKind({
  schema: openHarvestDetails,
  subjectOf: ({ harvestId }) => String(harvestId),
  describe: async (db, { harvestId, seenAt, unseenKobo }) => {
    const harvest = await findHarvest(db, harvestId);
    if (!harvest) return null;
    const unseen = await listUnseenOfRound(db, harvest);
    const isSame = harvest.updatedAt.getTime() === new Date(seenAt).getTime();
    const isAsked = harvest.state === "draft" && isSame && sumOf(unseen) === BigInt(unseenKobo);
    const refusal = isAsked ? await findRefusal(db, harvest) : null;
    return {
      title: `Open ${nameOfHarvest(harvest)} for choosing`,
      consequences: refusal === null ? [...unseenTexts.each(unseen), ...unseenTexts.effects] : [refusal],
      isPossible: isAsked && refusal === null,
      projectId: await findProject(db, harvest),
    };
  },
  concerns: async (db, { harvestId }) => {
    const harvest = await findHarvest(db, harvestId);
    return harvest ? (await listUnseenOfRound(db, harvest)).map(({ userId }) => userId) : [];
  },
  require: async (tx, _ctx, details) => void (await lockAsked(tx, details)),
  act: async (tx, ctx, { details, ...confirmed }) => open(tx, ctx, await lockAsked(tx, details), confirmed),
});
