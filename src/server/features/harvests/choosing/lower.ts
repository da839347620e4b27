import { eq, gte } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { harvestFiles, harvests } from "#server/db/schema/harvests.ts";
import { countEvidence } from "#server/features/harvests/harvest-files.ts";
import {
  factsOf,
  findProject,
  type Harvest,
  lockHarvest,
  nameOfHarvest,
  plannedOf,
  readTerms,
} from "#server/features/harvests/harvest-rows.ts";
import { notifyLowered } from "#server/features/harvests/notices.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { lowerHarvestDetails, type lowerQuantityInput } from "#shared/harvests/inputs.ts";
import { isShort } from "#shared/harvests/plan.ts";
import { harvestLimits as limits, harvestTexts as texts } from "#shared/harvests/texts.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { requireChoosing } from "./choose.ts";

/** Lowers the quantity while backers choose. Throws as {@link requireLower}, and "conflict" where two owners do it. */
export async function lowerQuantity(ctx: ActorContext, input: z.output<typeof lowerQuantityInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const harvest = await lockHarvest(tx, input.harvestId);
    await requireLower(tx, ctx, harvest, input.quantity);
    if (isSteepFall(harvest, input.quantity)) throw new AppError("conflict", texts.lowerSteep);
    await lowerTo(tx, ctx, harvest, input);
  });
}

/** Less than half of what backers were told when it opened: as a loss, two owners say so. */
const isSteepFall = ({ openedQuantity }: Pick<Harvest, "openedQuantity">, quantity: bigint): boolean =>
  quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.steepRate);

/**
 * Throws "invalid" unless it is less and not nothing, and "conflict" unless backers choose, or if it is less than 90 %
 * of its plan, or of what was opened, without a photo from since the opening.
 */
async function requireLower(tx: Tx, ctx: ActorContext, harvest: Harvest, quantity: bigint): Promise<void> {
  requireChoosing(harvest, ctx.clock.now());
  if (harvest.quantity === null || quantity >= harvest.quantity || quantity === 0n) {
    throw new AppError("invalid", texts.onlyLess, { fields: { quantity: [texts.onlyLess] } });
  }
  const { openedQuantity, openedAt, createdAt, id } = harvest;
  const isMuchLess = quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.shortRate);
  const planned = plannedOf(harvest, await readTerms(tx, harvest));
  if (!isMuchLess && !isShort(quantity, planned)) return;
  const sinceOpened = gte(harvestFiles.createdAt, openedAt ?? createdAt);
  if ((await countEvidence(tx, id, sinceOpened)) === 0) throw new AppError("conflict", texts.lowerPhoto);
}

/** Lowers the quantity: what backers chose is cut in proportion, and they are told why. */
async function lowerTo(
  tx: Tx,
  ctx: ActorContext,
  harvest: Harvest,
  { quantity, reason, requestId }: { quantity: bigint; reason: string; requestId?: number },
): Promise<void> {
  const changed = { quantity, note: reason, updatedAt: ctx.clock.now() };
  await tx.update(harvests).set(changed).where(eq(harvests.id, harvest.id));
  const before = String(harvest.quantity);
  await recordAudit(tx, ctx, "lower_harvest", {
    ...factsOf(harvest),
    before,
    quantity: String(quantity),
    reason,
    ...(requestId !== undefined && { requestId }),
  });
  const terms = await readTerms(tx, harvest);
  await notifyLowered(tx, ctx, { harvest: { ...harvest, quantity }, terms, reason });
}

type Lower = z.output<typeof lowerHarvestDetails>;

async function requireSteepFall(tx: Tx, ctx: ActorContext, { harvestId, quantity, seenQuantity }: Lower) {
  const harvest = await lockHarvest(tx, harvestId);
  if (harvest.quantity !== BigInt(seenQuantity)) throw new AppError("conflict", texts.changed);
  await requireLower(tx, ctx, harvest, BigInt(quantity));
  if (!isSteepFall(harvest, BigInt(quantity))) throw new AppError("conflict", texts.notSteep);
  return harvest;
}

/** Less than half of what backers were told when it opened. */
export const lowerHarvestKind = secondPersonKind({
  schema: lowerHarvestDetails,
  subjectOf: ({ harvestId }) => String(harvestId),
  describe: async (db, { harvestId, quantity, seenQuantity }) => {
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const { unit } = await readTerms(db, harvest);
    const [now, seen] = [formatQuantity(BigInt(quantity), unit), formatQuantity(BigInt(seenQuantity), unit)];
    return {
      title: `Lower ${nameOfHarvest(harvest)} from ${seen} to ${now}`,
      consequences: [
        `${formatQuantity(harvest.openedQuantity ?? 0n, unit)} were opened for choosing. Look at the photos from since then first.`,
        `Of the ${seen} that are shared among the farm and its backers ${now} are left. What they chose is cut in proportion, and they are emailed the reason.`,
      ],
      isPossible: harvest.state === "choosing" && harvest.quantity === BigInt(seenQuantity),
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, ctx, details) => void (await requireSteepFall(tx, ctx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const harvest = await requireSteepFall(tx, ctx, details);
    await lowerTo(tx, ctx, harvest, { quantity: BigInt(details.quantity), reason, requestId });
  },
});
